#include "selftest/stored_run.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::selftest {
namespace stored_run_test {

result::Run run_with_a_finding() {
  result::Run run;
  auto& one = run.cases.emplace_back();
  one.id = "id/kept";
  one.verdict = result::Verdict::fail;
  auto& finding = one.findings.emplace_back();
  finding.requirement = "id-echo";
  finding.expected = "7";
  finding.actual = "8";
  return run;
}

TEST(Differences, ARunDiffersInNothingFromItself) {
  EXPECT_TRUE(differences(run_with_a_finding(), run_with_a_finding()).empty());
}

TEST(Differences, WhateverAFindingSaysIsCompared) {
  using Change = void (*)(result::Run&);
  const std::vector<Change> changes = {
      [](result::Run& run) { run.verdict = result::RunVerdict::fails; },
      [](result::Run& run) { run.cases[0].verdict = result::Verdict::warn; },
      [](result::Run& run) { run.cases[0].reason = "it did not run"; },
      [](result::Run& run) { run.cases[0].findings.clear(); },
      [](result::Run& run) { run.cases[0].findings[0].requirement = "id-kept"; },
      [](result::Run& run) { run.cases[0].findings[0].severity = corpus::Verdict::warn; },
      [](result::Run& run) { run.cases[0].findings[0].symptom = judge::Symptom::leak; },
      [](result::Run& run) { run.cases[0].findings[0].place.pointer = "/id"; },
      [](result::Run& run) { run.cases[0].findings[0].place.element = 1; },
      [](result::Run& run) { run.cases[0].findings[0].expected = "9"; },
      [](result::Run& run) { run.cases[0].findings[0].actual = "9"; },
      [](result::Run& run) { run.cases[0].findings[0].step = 1; },
      [](result::Run& run) {
        run.observations.push_back({"order", "kept", "id/kept"});
      },
      [](result::Run& run) { run.cases.clear(); },
      [](result::Run& run) { run.cases.emplace_back().id = "id/new"; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    auto changed = run_with_a_finding();
    changes[i](changed);
    EXPECT_EQ(differences(run_with_a_finding(), changed).size(), 1U) << "change " << i;
  }
}

TEST(Differences, ARunThatCannotBeJudgedAgainDiffers) {
  EXPECT_EQ(differences_when_stored(run_with_a_finding(), {}).size(), 1U);
}

}  // namespace stored_run_test
}  // namespace jrpcheck::selftest
