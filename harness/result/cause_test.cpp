#include "result/cause.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::result {
namespace cause_test {

using judge::Symptom;

CaseResult failing(const std::string& id, const std::string& requirement, Symptom symptom,
                   const std::string& received = {}) {
  CaseResult one;
  one.id = id;
  one.verdict = Verdict::fail;
  judge::Finding finding;
  finding.requirement = requirement;
  finding.symptom = symptom;
  one.findings.push_back(finding);
  if (!received.empty()) {
    one.transcript.push_back({dialogue::Direction::received, {}, received, "", 0});
  }
  return one;
}

Run run_of(std::vector<CaseResult> cases) {
  Run run;
  run.cases = std::move(cases);
  for (const auto& one : run.cases) run.counts.add(one.verdict);
  return run;
}

constexpr const char* kFailure = "HTTP/1.1 500 Internal Server Error\r\n\r\n<html>";

TEST(Causes, AreOneForEachRequirementAndSymptom) {
  const auto run = run_of({failing("a", "id-echo", Symptom::wrong_id),
                           failing("b", "id-echo", Symptom::wrong_id),
                           failing("c", "id-echo", Symptom::id_missing),
                           failing("d", "err-code", Symptom::wrong_code)});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 3U);
  EXPECT_EQ(causes[0].case_count(), 2U);
}

TEST(Causes, OneFailureOverHttpIsOneWhateverItIsChargedTo) {
  const auto run = run_of({failing("a", "res-always", Symptom::reply_not_json, kFailure),
                           failing("b", "http-type", Symptom::content_type_wrong, kFailure),
                           failing("c", "id-echo", Symptom::wrong_id)});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  const auto& failure = causes[0].failure.empty() ? causes[1] : causes[0];
  EXPECT_EQ(failure.failure, "HTTP 500");
  EXPECT_EQ(failure.requirements(), (std::vector<std::string>{"res-always", "http-type"}));
}

TEST(Causes, AFailureThatIsSaidInJsonRpcIsNone) {
  const auto run =
      run_of({failing("a", "res-always", Symptom::reply_not_json,
                      "HTTP/1.1 500 X\r\n\r\n{\"jsonrpc\":\"2.0\",\"error\":{},\"id\":1}")});
  EXPECT_EQ(causes_of(run).front().failure, "");
}

// A stack trace in text, and a page in JSON, with the Request that was sent.
TEST(Causes, AFailureThatQuotesTheRequestIsOneAllTheSame) {
  const std::string head = "HTTP/1.1 500 X\r\n\r\n";
  for (const std::string body : {R"(died with {"jsonrpc":"2.0","id":1} at line 3)",
                                 R"({"message": "died", "request": {"jsonrpc": "2.0"}})"}) {
    const auto run = run_of({failing("a", "res-always", Symptom::unanswered, head + body)});
    EXPECT_EQ(causes_of(run).front().failure, "HTTP 500") << body;
  }
  for (const std::string body :
       {R"( [{"jsonrpc":"2.0","error":{},"id":1}])", R"({"jsonrpc":"2.0","error":{},"id":)"}) {
    const auto run = run_of({failing("a", "res-always", Symptom::reply_not_json, head + body)});
    EXPECT_EQ(causes_of(run).front().failure, "") << body;
  }
}

TEST(Causes, SayInHowManyCasesTheyFailAndInHowManyTheyWarn) {
  const auto words = [](std::size_t fails, std::size_t warns) {
    std::vector<CaseResult> cases;
    for (std::size_t i = 0; i < fails + warns; ++i) {
      cases.push_back(failing("a" + std::to_string(i), "code", Symptom::wrong_code));
      cases.back().findings.push_back(cases.back().findings.front());
      for (auto& each : cases.back().findings) {
        if (i >= fails) each.severity = corpus::Verdict::warn;
      }
      cases.back().findings.back().severity = corpus::Verdict::warn;
    }
    return causes_of(run_of(cases)).front().cases_in_words();
  };
  EXPECT_EQ(words(1, 0), "1 case");
  EXPECT_EQ(words(3, 0), "3 cases");
  EXPECT_EQ(words(0, 2), "2 cases");
  EXPECT_EQ(words(1, 7), "1 case, 7 more warn");
  EXPECT_EQ(words(2, 1), "2 cases, 1 more warns");
}

TEST(Causes, AFailureThatSaysNothingIsAnotherThanOneThatSaysSomething) {
  const auto run = run_of({failing("a", "res-always", Symptom::unanswered, kFailure),
                           failing("b", "res-always", Symptom::unanswered,
                                   "HTTP/1.1 500 Internal Server Error\r\n\r\n")});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].failure, "HTTP 500");
  EXPECT_EQ(causes[1].failure, "HTTP 500 without a body");
}

TEST(Causes, AFailureWhereNoAnswerIsDueIsNoneInPlaceOfAnswers) {
  auto warned =
      failing("b", "http-notification-5xx", Symptom::failure_status_of_notification, kFailure);
  warned.findings.front().severity = corpus::Verdict::warn;
  const auto run = run_of({failing("a", "res-always", Symptom::unanswered, kFailure), warned});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_EQ(causes[0].failure, "HTTP 500");
  EXPECT_EQ(causes[1].failure, "");
  EXPECT_EQ(causes[1].harm, Harm::warning);
}

TEST(Causes, AHandshakeThatIsRefusedIsNoFailureInPlaceOfAnswers) {
  auto refused = failing("a", "ws-origin", Symptom::outcome_of_case, kFailure);
  refused.transcript.front().http = dialogue::HttpHead{.status = 500, .is_handshake = true};
  EXPECT_EQ(causes_of(run_of({refused})).front().failure, "");
}

TEST(Causes, ADeathIsNoFailureOverHttp) {
  const auto run = run_of({failing("a", "rob-survives", Symptom::died, kFailure)});
  EXPECT_EQ(causes_of(run).front().failure, "");
  EXPECT_EQ(causes_of(run).front().harm, Harm::dies);
}

TEST(Causes, ComeInOrderOfHarm) {
  auto warned = failing("w", "ext", Symptom::outcome_of_case);
  warned.findings.front().severity = corpus::Verdict::warn;
  const auto run = run_of(
      {warned, failing("a", "code", Symptom::wrong_code), failing("b", "code", Symptom::wrong_code),
       failing("c", "always", Symptom::unanswered),
       failing("d", "sur", Symptom::serves_not_this_connection),
       failing("e", "sur", Symptom::serves_no_connection), failing("f", "sur", Symptom::died)});
  std::vector<Harm> harms;
  for (const auto& cause : causes_of(run)) harms.push_back(cause.harm);
  EXPECT_EQ(harms, (std::vector<Harm>{Harm::dies, Harm::hangs, Harm::deaf, Harm::loses_answers,
                                      Harm::wrong_answers, Harm::warning}));
}

TEST(Causes, AnswersToNotificationsInABatchAreNoLostOnes) {
  const auto harm_of_surplus = [](const std::string& requirement) {
    return causes_of(run_of({failing("a", requirement, Symptom::response_surplus)})).front().harm;
  };
  EXPECT_EQ(harm_of_surplus("ntf-silent-in-batch"), Harm::wrong_answers);
  EXPECT_EQ(harm_of_surplus("bat-each"), Harm::loses_answers);
}

TEST(Causes, AnotherIdInTheRefusalOfAnInvalidRequestLosesNoAnswer) {
  const auto harm_of_wrong_id = [](const std::string& requirement) {
    return harm_of(failing("a", requirement, Symptom::wrong_id).findings.front());
  };
  EXPECT_EQ(harm_of_wrong_id("req-id-type"), Harm::wrong_answers);
  EXPECT_EQ(harm_of_wrong_id("id-null-undetectable"), Harm::wrong_answers);
  EXPECT_EQ(harm_of_wrong_id("id-invalid-request"), Harm::wrong_answers);
  EXPECT_EQ(harm_of_wrong_id("id-echo"), Harm::loses_answers);
}

TEST(Causes, WhatABaselineKnowsComesLast) {
  auto known = failing("a", "sur", Symptom::died);
  known.expected = Expected{Expectation::known, "", ""};
  const auto run = run_of({known, failing("b", "code", Symptom::wrong_code)});
  const auto causes = causes_of(run);
  EXPECT_FALSE(causes[0].is_known());
  EXPECT_TRUE(causes[1].is_known());
}

// A warning beside a failure that is known made all of them new.
TEST(Causes, WhatABaselineKnowsIsApartFromWhatIsNewOfTheSameFault) {
  auto known = failing("a", "code", Symptom::wrong_code);
  known.expected = Expected{Expectation::known, "", ""};
  auto warned = failing("b", "code", Symptom::wrong_code);
  warned.findings.front().severity = corpus::Verdict::warn;
  const auto run = run_of({known, warned});
  const auto causes = causes_of(run);
  ASSERT_EQ(causes.size(), 2U);
  EXPECT_FALSE(causes[0].is_known());
  EXPECT_EQ(causes[0].harm, Harm::warning);
  EXPECT_TRUE(causes[1].is_known());
  EXPECT_EQ(causes[1].harm, Harm::wrong_answers);
}

TEST(LeadingCause, IsToldWhereOneIsBehindAThirdOfSeveralFailures) {
  std::vector<CaseResult> cases;
  for (int i = 0; i < 6; ++i) {
    cases.push_back(
        failing("a" + std::to_string(i), "res-always", Symptom::reply_not_json, kFailure));
  }
  auto alone = run_of(cases);
  EXPECT_EQ(leading_cause(alone, causes_of(alone)), "") << "there is no other";
  cases.push_back(failing("b", "id-echo", Symptom::wrong_id));
  const auto run = run_of(cases);
  EXPECT_EQ(leading_cause(run, causes_of(run)),
            "6 of 7 cases that fail or warn are one HTTP 500: fix this first");
  const auto few = run_of({failing("a", "x", Symptom::wrong_id), failing("b", "y", Symptom::died)});
  EXPECT_EQ(leading_cause(few, causes_of(few)), "");
}

}  // namespace cause_test
}  // namespace jrpcheck::result
