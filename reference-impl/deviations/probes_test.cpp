#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/probes_for_testing.hpp"

namespace jrpcheck::reference {
namespace {

/// Probes come one after another, and these show in time alone or when calls overlap.
constexpr std::array<std::string_view, 3> kUnprobed = {"calls-in-flight-crossed", "slow",
                                                       "flood-on-standard-error"};

bool is_probed(const Deviation& deviation) {
  return std::find(kUnprobed.begin(), kUnprobed.end(), deviation.name) == kUnprobed.end();
}

void expect_that_each_changes_something(const std::vector<Deviation>& deviations) {
  const auto proper = transcript_of(Behaviour());
  const auto proper_about_large = transcript_of_large_messages(Behaviour());
  for (const Deviation& deviation : deviations) {
    if (!is_probed(deviation) || transcript_of(deviation.behaviour()) != proper) continue;
    EXPECT_NE(transcript_of_large_messages(deviation.behaviour()), proper_about_large)
        << deviation.name << " is void";
  }
}

TEST(Probes, ShowTheProperServerTheSameTwice) {
  EXPECT_EQ(transcript_of(Behaviour()), transcript_of(Behaviour()));
}

TEST(Probes, ShowEveryFault) { expect_that_each_changes_something(faults()); }

TEST(Probes, ShowEveryVariant) { expect_that_each_changes_something(variants()); }

TEST(Probes, MeetAFreshBehaviourEachTime) {
  const auto all = faults();
  const Deviation* counting = find(all, "id-counted");
  EXPECT_EQ(transcript_of(counting->behaviour()), transcript_of(counting->behaviour()));
}

}  // namespace
}  // namespace jrpcheck::reference
