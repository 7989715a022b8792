#include "run/time_to_end.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/duration_text.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Direction;

// What the client libraries of VS Code and of MCP for Python wait.
constexpr milliseconds kClientsWait{2000};

// From what passed last until the program ended by itself. Nothing where it did not, nor where it
// had said nothing by then: it may have come up only meanwhile.
std::optional<microseconds> time_to_end(const corpus::Case& one,
                                        const std::vector<dialogue::Event>& transcript) {
  bool was_heard = false;
  microseconds passed_last{0};
  for (const auto& event : transcript) {
    if (event.direction == Direction::exited && event.step) {
      const bool is_due =
          *event.step < one.steps.size() && one.steps[*event.step].awaits_exit() && was_heard;
      return is_due ? std::optional(event.at - passed_last) : std::nullopt;
    }
    was_heard = was_heard || event.direction == Direction::received;
    passed_last = event.at;
  }
  return std::nullopt;
}

}  // namespace

std::string note_of_slow_end(const corpus::Corpus& corpus,
                             const std::vector<result::CaseResult>& cases, microseconds allowed) {
  microseconds longest{0};
  std::string seen_in;
  for (const auto& result : cases) {
    const corpus::Case* one = corpus.find(result.id);
    const auto taken = one != nullptr ? time_to_end(*one, result.transcript) : std::nullopt;
    if (!taken || *taken <= longest) continue;
    longest = *taken;
    seen_in = result.id;
  }
  if (longest <= kClientsWait) return {};
  return fmt::format(
      "The program took {} to end by itself ({}). The rules name no time, and jrpcheck waits {}; "
      "the client libraries of VS Code and of MCP for Python kill it after {}.",
      duration_text(longest), seen_in, duration_text(allowed), duration_text(kClientsWait));
}

}  // namespace jrpcheck::run
