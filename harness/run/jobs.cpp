#include "run/jobs.hpp"

#include <algorithm>

namespace jrpcheck::run {
namespace {

// A handful of connections hides the round trip; more would be load, which is not what is tested.
constexpr std::size_t kSharedJobs = 4;

// A program that is waited for longer than this in each case is waited for most of the time: then
// several of it run side by side, where that takes less time than to start them. Where it is
// quicker one process is enough, and the run does less to the machine.
constexpr milliseconds kLongWait{10};
constexpr std::size_t kMostOwnJobs = 8;
constexpr std::size_t kRoundTripsPerCase = 2;
constexpr std::size_t kCasesPerSilence = 15;

// Some of these start while others are waited for; more would only keep each other from starting.
constexpr std::size_t kApart = 3;

// What is shared among n takes an n-th of the time, and each of them a start.
std::size_t programs_that_pay(std::size_t cases, const session::Patience& patience) {
  const microseconds wait =
      kRoundTripsPerCase * patience.round_trip() + patience.tail() / kCasesPerSilence;
  if (wait <= kLongWait) return 1;
  const auto time = [&](std::size_t n) { return cases * wait / n + n * patience.start_up(); };
  std::size_t best = 1;
  for (std::size_t n = 2; n <= kMostOwnJobs; ++n) {
    if (time(n) < time(best)) best = n;
  }
  return best;
}

}  // namespace

Jobs jobs_for(const Options& options, const Endpoint& endpoint, std::size_t cases,
              const session::Patience& patience) {
  const auto given = static_cast<std::size_t>(options.jobs);
  if (endpoint.is_shared()) return {given > 0 ? given : kSharedJobs};
  if (given > 0) return {given, std::min(given - 1, kApart)};
  return {programs_that_pay(cases, patience), kApart};
}

}  // namespace jrpcheck::run
