#include "fuzz/properties/property_result.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace jrpcheck::properties {
namespace {

constexpr std::size_t kMostHangs = 3;

// A property holds where so many tests have shown it, or a quarter of them where that is less.
constexpr std::size_t kShownEnough = 25;
constexpr std::size_t kPartShown = 4;

}  // namespace

std::size_t PropertyResult::shown() const {
  std::size_t all = tests;
  for (const auto& [reason, count] : skipped) all -= count;
  return all;
}

bool PropertyResult::has_hung() const { return hung >= kMostHangs; }

std::string PropertyResult::gap() const {
  if (!not_tried.empty()) return not_tried;
  const std::string so_far = fmt::format(" after {} of {} tests", tests, asked);
  if (!lost.empty()) return "the server was lost" + so_far + ": " + lost;
  if (has_hung()) {
    const std::string why = fmt::format("{} tests waited in vain for answers", hung);
    return given_up ? why + ": given up" + so_far : why;
  }
  if (loses_answers()) {
    return fmt::format("{} of {} tests left a call unanswered that was answered when sent again",
                       left_unanswered, tests);
  }
  if (cut_off_waiting) return cut_short + so_far + ", while an answer was waited for";
  if (unsettled > 0) return "a test broke it, and " + cut_short + " before it was tried again";
  if (shown() < std::clamp<std::size_t>(asked / kPartShown, 1, kShownEnough)) {
    if (!cut_short.empty()) return cut_short + so_far;
    const auto most = std::max_element(
        skipped.begin(), skipped.end(),
        [](const auto& one, const auto& other) { return one.second < other.second; });
    if (most != skipped.end()) {
      return fmt::format("{} of {} tests showed something: {}", shown(), tests, most->first);
    }
  }
  if (broken > 0 && found.empty() && tests < asked && cut_short.empty()) {
    return fmt::format("{} tests broke it, and none did when it was tried again", broken);
  }
  return exercised.empty() ? "nothing was shown" : "";
}

}  // namespace jrpcheck::properties
