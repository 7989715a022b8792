#include "run/options.hpp"

#include <algorithm>

namespace jrpcheck::run {

bool adopt_opening(std::string_view profile, Options& options) {
  const auto profiles = corpus::embedded_profiles();
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const auto& each) {
    return each.name == profile && !each.opening.empty();
  });
  if (found == profiles.end()) return false;
  adopt(*found, options);
  return true;
}

}  // namespace jrpcheck::run
