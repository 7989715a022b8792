#include "selftest/planned_trials.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "selftest/way.hpp"

namespace jrpcheck::selftest {
namespace planned_trials_test {

Mutant mutant_of(Mutant::Kind kind, std::vector<std::string> transports) {
  Mutant one;
  one.kind = kind;
  one.name = "is-odd";
  one.transports = std::move(transports);
  return one;
}

// How many of them are drawn, by the transport.
std::map<std::string, int> drawn(const std::vector<Mutant>& mutants, bool thorough) {
  TrialPlan plan;
  plan.thorough = thorough;
  std::map<std::string, int> counts;
  for (const auto& trial : planned_trials({}, mutants, plan)) {
    if (trial.is_drawn) ++counts[trial.transport];
  }
  return counts;
}

using Counts = std::map<std::string, int>;

TEST(PlannedTrials, AFewFaultsThatShowAnywhereAreTriedThroughDoorsInTurn) {
  const std::vector<Mutant> faults(
      30, mutant_of(Mutant::Kind::fault, {"http", "lines", "content-length"}));
  EXPECT_EQ(drawn(faults, true), (Counts{{"tls", 2}, {"unix", 2}, {"sse", 2}}));
  EXPECT_EQ(drawn(faults, false), Counts{});
}

// There what is no JSON is charged to the event too.
TEST(PlannedTrials, WhatBreaksJsonIsNotTriedOnEventStreams) {
  auto broken = mutant_of(Mutant::Kind::fault, {"http", "lines"});
  broken.requirements = {"res-json"};
  EXPECT_EQ(drawn(std::vector<Mutant>(30, broken), true), (Counts{{"tls", 4}, {"unix", 2}}));
}

TEST(PlannedTrials, NothingElseIsTriedWhereItDoesNotShow) {
  auto of_protocol = mutant_of(Mutant::Kind::fault, {"http", "lines"});
  of_protocol.profile = "mcp-2025-11-25";
  for (const auto& one :
       {mutant_of(Mutant::Kind::fault, {"lines"}), mutant_of(Mutant::Kind::fault, {"unix"}),
        mutant_of(Mutant::Kind::variant, {"http", "lines"}), of_protocol}) {
    EXPECT_EQ(drawn(std::vector<Mutant>(30, one), true), Counts{});
  }
}

TEST(PlannedTrials, AFaultIsMetByWhoKnowsNothingOfTheServer) {
  const auto met = [](const Mutant& one, bool thorough) {
    TrialPlan plan;
    plan.thorough = thorough;
    Counts counts;
    for (const auto& trial : planned_trials({}, std::vector<Mutant>(20, one), plan)) {
      if (trial.is_unaided) ++counts[trial.transport];
    }
    return counts;
  };
  const auto fault = mutant_of(Mutant::Kind::fault, {"http", "lines"});
  EXPECT_EQ(met(fault, true), (Counts{{"http", 10}, {"lines", 10}}));
  EXPECT_EQ(met(fault, false), (Counts{{"http", 1}, {"lines", 1}}));
  auto of_protocol = fault;
  of_protocol.profile = "mcp-2025-11-25";
  auto with_opening = fault;
  with_opening.opening = "mcp";
  for (const auto& one : {mutant_of(Mutant::Kind::variant, {"http"}),
                          mutant_of(Mutant::Kind::deep, {"http"}), of_protocol, with_opening}) {
    EXPECT_EQ(met(one, true), Counts{});
  }
}

TEST(PlannedTrials, AVariantMeetsEveryCaseOverOneOfItsTransportsInTurn) {
  const std::vector<Mutant> variants(12, mutant_of(Mutant::Kind::variant, {"http", "ws", "tcp"}));
  Counts all;
  Counts some;
  for (const auto& trial : planned_trials({}, variants, {})) {
    ++(trial.spared == Spared::none ? all : some)[trial.transport];
    EXPECT_NE(trial.spared, Spared::most_large);
  }
  EXPECT_EQ(all, (Counts{{"http", 4}, {"ws", 4}, {"tcp", 4}}));
  EXPECT_EQ(some, (Counts{{"http", 8}, {"ws", 8}, {"tcp", 8}}));
}

TEST(Ways, LeadToABindingByASchemeOfTarget) {
  for (const Way& each : ways()) {
    ASSERT_NE(transport::scheme_named(each.scheme_name), nullptr) << each.name;
    EXPECT_EQ(&binding_of(each.name), &each.binding()) << each.name;
    EXPECT_EQ(each.binding().door_class, each.scheme().door_class) << each.name;
    EXPECT_EQ(each.binding().on_event_streams, each.by_events) << each.name;
  }
  EXPECT_EQ(&binding_of("http"), &wire::known_binding("http"));
  EXPECT_EQ(&binding_of("lines"), &wire::known_binding("lines"));
  EXPECT_EQ(&binding_of("tcp"), &wire::on_sockets(wire::known_binding("lines")));
  EXPECT_EQ(&binding_of("tcp-length32"), &wire::on_sockets(wire::known_binding("length32")));
  EXPECT_EQ(&binding_of("tls"), &wire::behind_door(binding_of("tcp"), "tls"));
  EXPECT_EQ(&binding_of("sse"), &wire::on_event_streams(wire::known_binding("http")));
}

TEST(PlannedTrials, WhatWaitsRunsBesideWhatWorksAndTheLongFirst) {
  auto silent = mutant_of(Mutant::Kind::fault, {"http"});
  silent.requirements = {"res-always"};
  const std::vector<Mutant> mutants = {mutant_of(Mutant::Kind::fault, {"http"}),
                                       mutant_of(Mutant::Kind::variant, {"http"}),
                                       mutant_of(Mutant::Kind::variant, {"client-http"}), silent};
  std::vector<Trial> trials(mutants.size() + 1);
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    trials[i].mutant = i;
    trials[i].transport = mutants[i].transports.front();
  }
  EXPECT_EQ(run_order(trials, mutants), (std::vector<std::size_t>{3, 1, 2, 4, 0}));
}

}  // namespace planned_trials_test
}  // namespace jrpcheck::selftest
