#include "judge/traffic/altered_id.hpp"

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/letter_case.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

std::string_view trimmed_id(std::string_view text) {
  constexpr std::string_view kWhiteSpace = " \t\r\n\v\f";
  const auto begin = text.find_first_not_of(kWhiteSpace);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kWhiteSpace) + 1 - begin);
}

bool is_altered_text(std::string_view came, std::string_view asked) {
  if (came.empty()) return false;
  return same_ignoring_case(trimmed_id(came), trimmed_id(asked)) || asked.starts_with(came);
}

bool is_altered_number(double came, double asked) {
  if (!std::isfinite(came) || !std::isfinite(asked)) return false;
  constexpr double kMostExact = 9007199254740992.0;  // 2^53
  if (came == -asked || came == std::trunc(asked)) return true;
  if (std::abs(asked) > kMostExact || asked != std::trunc(asked)) return false;
  const auto low = static_cast<std::uint32_t>(static_cast<std::int64_t>(asked));
  return came == static_cast<double>(low) ||
         came == static_cast<double>(static_cast<std::int32_t>(low));
}

}  // namespace

bool is_altered_id(const json::Value& id, const CallInFlight& call) {
  // Its key says of which type it is.
  const bool is_string = call.key.starts_with('s');
  if (id.is(Kind::string)) {
    return is_string && is_altered_text(id.text(), std::string_view(call.key).substr(1));
  }
  if (!id.is(Kind::number) || is_string) return false;
  return is_altered_number(std::strtod(id.text().c_str(), nullptr),
                           std::strtod(call.id.c_str(), nullptr));
}

}  // namespace jrpcheck::judge
