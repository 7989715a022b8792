#include "run/options.hpp"

#include <algorithm>

namespace jrpcheck::run {

std::string beginning_of(const Options& options) {
  if (options.command.empty()) return "asking " + options.target->redacted;
  constexpr std::size_t kLongName = 24;
  const std::string& program = options.command.front();
  const bool is_long = program.size() > kLongName;
  return "starting " + (is_long ? program.substr(program.rfind('/') + 1) : program);
}

bool adopt_opening(std::string_view profile, Options& options) {
  const auto& profiles = corpus::embedded_profiles();
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const auto& each) {
    return each.name == profile && !each.opening.empty();
  });
  if (found == profiles.end()) return false;
  adopt(*found, options);
  return true;
}

}  // namespace jrpcheck::run
