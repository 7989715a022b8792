#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/probes_for_testing.hpp"

namespace jrpcheck::reference {
namespace probes_test {

/// Probes come one after another in this process, and these show in time alone, when calls overlap,
/// after many answers, on sockets, in event streams, or in what the process does with its output.
constexpr std::array<std::string_view, 13> kUnprobed = {
    "calls-in-flight-crossed",
    "slow",
    "flood-on-standard-error",
    "answers-swapped",
    "sleeps-on-unknown-methods",
    "sleeps-on-unknown-notifications-too",
    "closes-after-answers",
    "http-exits-after-fifty-answers",
    "dies-every-hundred-answers",
    "http-limited-by-429",
    "http-limited-by-503",
    "ends-late",
    "ends-too-late",
};

bool is_probed(const Mutant& mutant) {
  return std::find(kUnprobed.begin(), kUnprobed.end(), mutant.name) == kUnprobed.end() &&
         !mutant.name.starts_with("socket-") && !mutant.name.starts_with("ws-") &&
         !mutant.name.starts_with("unix-") && !mutant.name.starts_with("sse-") &&
         !mutant.name.starts_with("tls-") && !mutant.name.ends_with("-under-load") &&
         !mutant.name.ends_with("-once-in-a-hundred");
}

void expect_that_each_changes_something(const std::vector<Mutant>& mutants) {
  const auto proper = transcript_of(Behaviour());
  const auto proper_about_large = transcript_of_large_messages(Behaviour());
  for (const Mutant& mutant : mutants) {
    if (!is_probed(mutant) || transcript_of(mutant.behaviour()) != proper) continue;
    EXPECT_TRUE(transcript_of_large_messages(mutant.behaviour()) != proper_about_large)
        << mutant.name << " is void";
  }
}

TEST(Probes, ShowTheProperServerTheSameTwice) {
  EXPECT_EQ(transcript_of(Behaviour()), transcript_of(Behaviour()));
}

TEST(Probes, ShowEveryFault) { expect_that_each_changes_something(faults()); }

TEST(Probes, ShowEveryVariant) { expect_that_each_changes_something(variants()); }

TEST(Probes, MeetAFreshBehaviourEachTime) {
  const auto all = faults();
  const Mutant* counting = find(all, "id-counted");
  EXPECT_EQ(transcript_of(counting->behaviour()), transcript_of(counting->behaviour()));
}

}  // namespace probes_test
}  // namespace jrpcheck::reference
