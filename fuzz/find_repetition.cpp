#include "fuzz/find_repetition.hpp"

#include <utility>

#include "base/interruption.hpp"
#include "fuzz/reduce.hpp"

namespace jrpcheck::fuzz {
namespace {

// More than the workers and places that servers mostly have.
constexpr std::size_t kMostTimes = 300;
constexpr std::size_t kShortenings = 100;
constexpr milliseconds kSearchingRepetition{10'000};
constexpr milliseconds kReducingRepetition{8'000};

bool is_deaf(const Suspicion& suspicion) {
  const auto survival = suspicion.observed.survival.survival;
  return survival == dialogue::Survival::deaf || survival == dialogue::Survival::wedged;
}

std::optional<Suspicion> deaf_behind(const std::string& message, std::size_t most,
                                     const Deadline& deadline, Repeater& repeater) {
  repeater.begin_connection();
  for (std::size_t times = 0; times < most; ++times) {
    if (deadline.passed() || is_interrupted()) break;
    auto found = repeater.repeat_carefully(message);
    if (!found) continue;
    // What it shows the first time is its own fault.
    if (times == 0 || !is_deaf(*found)) return std::nullopt;
    found->before.assign(times, message);
    return found;
  }
  return std::nullopt;
}

// Who gives nothing back stops behind as many each time. Who stops by chance, or when its time has
// come, stops somewhere else.
std::optional<Suspicion> deaf_behind_as_many(const std::string& message, std::size_t most,
                                             Repeater& repeater) {
  const auto once = deaf_behind(message, most, Deadline::in(kSearchingRepetition), repeater);
  if (!once) return std::nullopt;
  auto again = deaf_behind(message, most, Deadline::in(kSearchingRepetition), repeater);
  if (!again || again->before.size() != once->before.size()) return std::nullopt;
  return again;
}

std::optional<Suspicion> reduced_repetition(const Suspicion& suspicion, Repeater& repeater) {
  const Deadline deadline = Deadline::in(kReducingRepetition);
  const std::size_t most = 2 * (suspicion.before.size() + 1);
  std::optional<Suspicion> best;
  reduce(
      suspicion.sent,
      [&](const std::string& candidate) {
        auto found = deaf_behind(candidate, most, deadline, repeater);
        if (!found) return false;
        best = std::move(found);
        return true;
      },
      kShortenings);
  return best ? deaf_behind_as_many(best->sent, most, repeater) : std::nullopt;
}

}  // namespace

std::optional<Suspicion> find_repetition(const Messages& messages, Repeater& repeater) {
  const Deadline deadline = Deadline::in(kSearchingRepetition);
  for (const auto& each : messages) {
    // The first time something may have been taken before.
    if (!deaf_behind(each, kMostTimes, deadline, repeater)) continue;
    auto shown = deaf_behind_as_many(each, kMostTimes, repeater);
    if (!shown) continue;
    auto smaller = reduced_repetition(*shown, repeater);
    return smaller ? std::move(smaller) : std::move(shown);
  }
  return std::nullopt;
}

}  // namespace jrpcheck::fuzz
