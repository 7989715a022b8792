#include "run/endings.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/conclusion.hpp"

namespace jrpcheck::run {
namespace endings_test {

using dialogue::Survival;

std::set<std::string> charged(const Endings& endings) {
  const auto result = endings.dialogue(corpus::corpus_for_testing().ledger, {}).result({});
  std::set<std::string> ids;
  for (const auto& finding : result.value_or(result::CaseResult()).findings) {
    ids.insert(finding.requirement);
  }
  return ids;
}

using Ids = std::set<std::string>;

TEST(Endings, ThatNothingBringsAboutAreOneFinding) {
  Endings endings;
  EXPECT_EQ(charged(endings), Ids{});
  endings.note_unexplained({Survival::dead, "exited with code 1", {}}, "in a/b");
  endings.note_unexplained({Survival::deaf, "answers nothing", {}}, "in a/c");
  EXPECT_EQ(charged(endings), Ids{"rob-survives"});
  EXPECT_EQ(endings.count(), 2U);
}

TEST(Endings, ThatNothingBringsAboutHaveNoLineThatDoes) {
  Endings endings;
  endings.note_unexplained({Survival::dead, "exited with code 1", {}}, "in a/b");
  const auto& ledger = corpus::corpus_for_testing().ledger;
  result::Run run;
  run.conditions.emplace();
  const auto reproduce = [](const corpus::Case&) { return std::string("printf ''"); };
  add_side_dialogue(endings.dialogue(ledger, {}), {}, reproduce, run);
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].reproduce, "");
}

TEST(Endings, AnswersThatAreLostNowAndThenAreOneFindingThatShowsTheFirst) {
  Endings endings;
  dialogue::Event sent;
  sent.bytes = "the first";
  endings.note_lost_answer("a/b", {sent});
  endings.note_lost_answer("a/c", {dialogue::Event()});
  const auto result = endings.dialogue(corpus::corpus_for_testing().ledger, {}).result({});
  ASSERT_TRUE(result);
  ASSERT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->findings[0].requirement, "res-always");
  EXPECT_NE(result->findings[0].actual.find("(2 times)"), std::string::npos);
  EXPECT_NE(result->findings[0].actual.find("a/b"), std::string::npos);
  ASSERT_FALSE(result->transcript.empty());
  EXPECT_EQ(result->transcript.front().bytes, "the first");
}

TEST(Endings, AreNoFindingOnceTheirCauseIsKnown) {
  Endings endings;
  EXPECT_FALSE(endings.are_unexplained_deaths());
  endings.note_unexplained({Survival::dead, "exited with code 1", {}}, "in a/b");
  ASSERT_TRUE(endings.are_unexplained_deaths());
  endings.explain_deaths();
  EXPECT_EQ(charged(endings), Ids{});
  EXPECT_EQ(endings.count(), 1U);
  endings.note_unexplained({Survival::deaf, "answers nothing", {}}, "in a/c");
  EXPECT_FALSE(endings.are_unexplained_deaths());
}

TEST(Endings, OfAServerThatDoesNotComeBackTellWhyAndAdviseWhatWasNotDone) {
  for (const bool starts_server : {false, true}) {
    Endings endings(starts_server);
    endings.note_unclear({Survival::dead, "exited with code 1; it did not come back: no file", {}},
                         {"a/b", "a/c"});
    const auto result = endings.dialogue(corpus::corpus_for_testing().ledger, {}).result({});
    ASSERT_TRUE(result);
    ASSERT_EQ(result->findings.size(), 1U);
    const auto& finding = result->findings[0];
    EXPECT_EQ(finding.actual,
              "exited with code 1; it did not come back: no file; first seen while these were "
              "under way: a/b, a/c");
    const bool advises_a_start = finding.particulars.find("TARGET") != std::string::npos;
    EXPECT_NE(advises_a_start, starts_server);
    EXPECT_NE(finding.particulars.find("With --jobs 1"), std::string::npos);
  }
}

TEST(Endings, AreNotTheCallsThatAServerLeavesOutAndServesOn) {
  Endings endings;
  dialogue::SurvivalCheck left_out{Survival::deaf, "answers nothing", {}};
  left_out.answers_next = true;
  endings.note_unexplained(left_out, "in a/b");
  endings.note_unexplained(left_out, "in a/c");
  EXPECT_EQ(charged(endings), Ids{"res-always"});
  EXPECT_EQ(endings.count(), 0U);
  EXPECT_EQ(endings.unexplained(), 2U);
  endings.note_unexplained({Survival::dead, "exited with code 1", {}}, "in a/d");
  EXPECT_EQ(charged(endings), (Ids{"res-always", "rob-survives"}));
}

TEST(Endings, AreNotRefusalsOfWhoeverCallsThatNothingBringsAbout) {
  Endings endings;
  EXPECT_EQ(endings.kept_out_during(), "");
  dialogue::SurvivalCheck kept_out{Survival::wedged, "every call is refused", {}};
  kept_out.keeps_out = true;
  endings.note_unexplained(kept_out, "in a/b");
  endings.note_kept_out("in a/c");
  EXPECT_EQ(charged(endings), Ids{});
  EXPECT_EQ(endings.count(), 0U);
  EXPECT_EQ(endings.kept_out_during(), "in a/b");
}

}  // namespace endings_test
}  // namespace jrpcheck::run
