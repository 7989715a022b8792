#include "judge/handed_on.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace jrpcheck::judge {
namespace handed_on_test {

using dialogue::Direction;
using dialogue::Event;

Event said(Direction direction, const std::string& text, std::optional<std::size_t> step = 0) {
  Event event{direction, {}, text};
  event.step = step;
  return event;
}

std::string refusal(const std::string& id, int code) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"error":{"code":)" + std::to_string(code) +
         R"(,"message":"no"}})";
}

const Event kCall = said(Direction::sent, R"({"jsonrpc":"2.0","id":7,"method":"symbols"})");
const Event kAnswer = said(Direction::received, refusal("7", -32601));

// The server asks for files in that step, and is refused with -32601.
std::vector<Event> asking(std::optional<std::size_t> step = 0) {
  return {said(Direction::unasked, R"({"jsonrpc":"2.0","id":"own","method":"files"})", step),
          said(Direction::sent, refusal("\"own\"", -32601), step)};
}

Judgement left_of(Symptom symptom, const std::vector<Event>& events) {
  Judgement judgement;
  Finding finding;
  finding.requirement = "kept";
  finding.symptom = symptom;
  judgement.findings.push_back(finding);
  judgement.exercised.insert("kept");
  withdraw_what_was_handed_on(events, judgement);
  return judgement;
}

std::vector<Event> joined(std::vector<Event> first, const std::vector<Event>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

TEST(HandedOn, ACodeThatIsOursTellsNothingAboutTheCall) {
  const auto events = joined(joined({kCall}, asking()), {kAnswer});
  for (const auto symptom : {Symptom::outcome_of_case, Symptom::wrong_code}) {
    const auto judgement = left_of(symptom, events);
    EXPECT_TRUE(judgement.findings.empty());
    EXPECT_FALSE(judgement.exercised.contains("kept"));
    ASSERT_TRUE(judgement.unjudged);
    EXPECT_NE(judgement.unjudged->find("asks files of its client"), std::string::npos);
  }
}

TEST(HandedOn, WhatIsNotAboutTheCodeStays) {
  const auto events = joined(joined({kCall}, asking()), {kAnswer});
  const auto judgement = left_of(Symptom::wrong_id, events);
  EXPECT_EQ(judgement.findings.size(), 1U);
  EXPECT_FALSE(judgement.unjudged);
}

TEST(HandedOn, ACodeThatIsNotOursIsTheServersOwn) {
  const auto other = said(Direction::received, refusal("7", -32603));
  const std::vector<std::vector<Event>> all = {
      {kCall, kAnswer},
      joined(joined({kCall}, asking()), {other}),
      joined({kCall, kAnswer}, asking()),
      joined(joined(asking(std::nullopt), {kCall}), {kAnswer}),
  };
  for (const auto& events : all) {
    EXPECT_EQ(left_of(Symptom::outcome_of_case, events).findings.size(), 1U);
  }
}

TEST(HandedOn, TheAnswerToAControlCallIsNone) {
  Event control = said(Direction::sent, R"({"jsonrpc":"2.0","id":9,"method":"control"})");
  Event answer = said(Direction::received, refusal("9", -32601));
  control.is_control = answer.is_control = true;
  const auto events = joined(joined({kCall, kAnswer}, asking()), {control, answer});
  EXPECT_EQ(left_of(Symptom::outcome_of_case, events).findings.size(), 1U);
}

}  // namespace handed_on_test
}  // namespace jrpcheck::judge
