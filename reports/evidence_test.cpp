#include "reports/evidence.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::reports {
namespace evidence_test {

/// A case whose first step has sent "first", and whose second this.
result::CaseResult case_with(const std::string& second) {
  result::CaseResult one;
  const auto send = [&](std::size_t step, const std::string& text) {
    dialogue::Event event{dialogue::Direction::sent, {}, text};
    event.step = step;
    one.transcript.push_back(std::move(event));
  };
  send(0, "first");
  if (!second.empty()) send(1, second);
  return one;
}

judge::Finding found(judge::Symptom symptom, std::size_t step) {
  judge::Finding finding;
  finding.symptom = symptom;
  finding.step = step;
  return finding;
}

TEST(Evidence, WhatIsWrongWithAReplyIsDueToItsStep) {
  EXPECT_EQ(sent_for(case_with("second"), found(judge::Symptom::wrong_code, 1)), "second");
  EXPECT_EQ(sent_for(case_with("second"), found(judge::Symptom::wrong_code, 0)), "first");
  EXPECT_EQ(sent_for(case_with(""), found(judge::Symptom::wrong_code, 1)), "");
}

TEST(Evidence, AnEndOfTheServerMayBeDueToAnyMessageOfTheCase) {
  EXPECT_EQ(sent_for(case_with("second"), found(judge::Symptom::died, 1)), "first  and  second");
  EXPECT_EQ(sent_for(case_with("second"), found(judge::Symptom::died, 0)), "first");
}

TEST(Evidence, AnEndOfTheServerMayBeDueToWhatItsOwnRequestWasAnswered) {
  auto one = case_with("second");
  dialogue::Event answer{dialogue::Direction::sent, {}, "answer"};
  answer.note = dialogue::kOwnAnswerNote;
  answer.step = 0;
  one.transcript.push_back(std::move(answer));
  EXPECT_EQ(sent_for(one, found(judge::Symptom::died, 1)), "first  and  answer  and  second");
  EXPECT_EQ(sent_for(one, found(judge::Symptom::wrong_code, 0)), "first");
}

TEST(Evidence, WhatCameBeforeAnythingWasSentIsDueToTheStepBefore) {
  EXPECT_EQ(sent_for(case_with(""), found(judge::Symptom::outcome_of_case, 1)), "first");
  EXPECT_EQ(sent_for(case_with("second"), found(judge::Symptom::outcome_of_case, 1)), "second");
  EXPECT_EQ(sent_for({}, found(judge::Symptom::outcome_of_case, 0)), "");
}

// As a language server that ends behind the refusal of what it has asked for.
TEST(Evidence, WhatCameBeforeAnythingWasSentMayBeDueToWhatTheServersOwnRequestWasAnswered) {
  const auto early = found(judge::Symptom::outcome_of_case, 1);
  dialogue::Event answer{dialogue::Direction::sent, {}, "answer"};
  answer.note = dialogue::kOwnAnswerNote;
  answer.step = 0;
  auto one = case_with("");
  one.transcript.push_back(answer);
  EXPECT_EQ(sent_for(one, early), "first  and  answer");
  one.transcript.back().step = 1;
  EXPECT_EQ(sent_for(one, early), "answer");
  // What was sent in its step was said behind it.
  auto later = case_with("second");
  later.transcript.push_back(answer);
  EXPECT_EQ(sent_for(later, early), "second");
}

}  // namespace evidence_test
}  // namespace jrpcheck::reports
