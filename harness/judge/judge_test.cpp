#include "judge/judge.hpp"

#include <gtest/gtest.h>
#include <array>

#include <memory>
#include <string>
#include <vector>

#include "judge/protocol.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace judge_test {

using dialogue::Ending;
using dialogue::Survival;

const std::string kRight = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})";
const std::string kUnknown = R"({"response": {"error": {"code": -32601}, "id": 1}})";
const std::string kSilence = R"({"silence": true})";
const std::string kWarnedSilence =
    R"({"silence": true, "verdict": "warn", "because": "Nothing says why."})";
const std::string kObserves = R"("observes": "how", )";

TEST(Judge, ARightReplyPassesAndExercisesTheCase) {
  const auto judgement = judged(case_accepting(kUnknown), replied({kRight}));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_FALSE(judgement.unjudged);
  EXPECT_TRUE(judgement.exercised.contains("err-code-method"));
  EXPECT_TRUE(judgement.exercised.contains("res-version"));
  EXPECT_FALSE(judgement.exercised.contains("rob-survives")) << "nobody asked";
}

// JSON-RPC 1.0 §1.2: a Response has an id.
TEST(Judge, WhatHasNoIdIsNotHeldAgainstWhatIsDueIn1_0) {
  const auto one = case_accepting(
      R"({"response": {"error": {"any": true}, "id": null}, "envelope": "1.0"},
         {"response": {"error": {"code": -32600}, "id": null}})");
  const auto of_1_0 = judged(one, replied({R"({"error":"no","result":null,"id":null})"}));
  EXPECT_EQ(charges(of_1_0), Charges{});
  EXPECT_FALSE(of_1_0.unjudged);
  const auto neither = judged(one, replied({R"({"error":{"code":-32601,"message":"no"}})"}));
  EXPECT_TRUE(contains(charges(neither), "err-code-method: fail"));
}

TEST(Judge, IsPure) {
  const auto one = case_accepting(kUnknown);
  const auto exchange = replied({R"({"error":{"code":1},"id":2})"});
  const auto first = judged(one, exchange);
  for (int i = 0; i < 3; ++i) {
    const auto again = judged(one, exchange);
    EXPECT_EQ(charges(again), charges(first));
    EXPECT_EQ(again.exercised, first.exercised);
  }
}

// The middle of a long message is cut out of what is shown.
TEST(Judge, ThePartThatAnOutcomeIsAboutIsShownFirst) {
  const auto one = case_accepting(kUnknown + R"(, {"response": {"id": 1,
      "result": {"at": "/version", "equals": "2025-06-18"}}, "verdict": "warn", "because": "Old."})");
  const std::string fill(500, 'x');
  const auto judgement =
      judged(one, replied({R"({"jsonrpc":"2.0","id":1,"result":{"a":")" + fill +
                           R"(","version":"2025-06-18","b":")" + fill + "\"}}"}));
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_TRUE(judgement.findings[0].actual.starts_with(
      R"("2025-06-18" at /result/version of {"jsonrpc":"2.0",)"))
      << judgement.findings[0].actual;
}

TEST(Judge, TheOutcomeThatCameTrueIsRecorded) {
  const auto one = case_accepting(
      R"({"response": {"error": {"code": -32601}, "id": 1}, "observe": "answered"},
         {"silence": true, "observe": "silence"})",
      "", kObserves);
  const auto answered = judged(one, replied({kRight}));
  ASSERT_EQ(answered.observations.size(), 1U);
  EXPECT_EQ(answered.observations[0].name, "how");
  EXPECT_EQ(answered.observations[0].value, "answered");
  const auto silent = judged(one, replied({}));
  ASSERT_EQ(silent.observations.size(), 1U);
  EXPECT_EQ(silent.observations[0].value, "silence");
  EXPECT_TRUE(
      judged(one, replied({R"({"jsonrpc":"2.0","result":1,"id":1})"})).observations.empty());
}

// One whose requirement begins with id- is about the id; of another it tells nothing.
TEST(Judge, AGradedProbeThatFailsHasMetALimit) {
  auto one = case_accepting(
      R"({"response": {"error": {"code": -32601}, "id": 1}, "observe": "20"})", "", kObserves);
  const auto observed = [&](const dialogue::Exchange& exchange) {
    const auto judgement = judged(one, exchange);
    return judgement.observations.empty() ? "" : judgement.observations.front().value;
  };
  const auto of_another =
      replied({R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":2})"});
  EXPECT_EQ(observed(replied({kRight})), "20");
  EXPECT_EQ(observed(replied({})), "not 20");
  EXPECT_EQ(observed(replied({R"({"jsonrpc":"2.0","result":1,"id":1})"})), "");
  EXPECT_EQ(observed(of_another), "");
  one.requirements = {"id-echo"};
  EXPECT_EQ(observed(of_another), "not 20");
}

TEST(Judge, TheFirstOutcomeThatMatchesCounts) {
  const auto one = case_accepting(
      R"({"response": {"error": {"any": true}, "id": 1}, "observe": "first"},
         {"response": {"error": {"code": -32601}, "id": 1}, "observe": "second"})",
      "", kObserves);
  EXPECT_EQ(judged(one, replied({kRight})).observations.at(0).value, "first");
}

TEST(Judge, AnOutcomeMayWarnOrFailWithAReason) {
  const auto warned = judged(case_accepting(kUnknown + "," + kWarnedSilence), replied({}));
  ASSERT_EQ(charges(warned), Charges{"err-code-method: warn"});
  EXPECT_EQ(sentence_of(warned.findings[0]), "Nothing says why.");
  const auto failed =
      case_accepting(kUnknown +
                     R"(, {"response": {"result": {"any": true}, "id": 1}, "verdict": "fail",
            "charge": "req-extra-members", "because": "It overrides."})");
  EXPECT_EQ(charges(judged(failed, replied({R"({"jsonrpc":"2.0","result":1,"id":1})"}))),
            Charges{"req-extra-members: fail"});
}

// --- anything ---

TEST(Anything, IsLetBeWhateverItLooksLike) {
  const auto one = case_accepting(R"({"anything": true})");
  for (const std::string& reply : {kRight, std::string("null"), std::string("What?"),
                                   std::string(R"({"error":1})"), std::string("\xff")}) {
    EXPECT_EQ(charges(judged(one, replied({reply}), survival(Survival::alive))), Charges{})
        << reply;
  }
  EXPECT_EQ(charges(judged(one, replied({kRight, "[]"}))), Charges{});
  EXPECT_EQ(charges(judged(one, replied({}), survival(Survival::alive))), Charges{});
  EXPECT_EQ(charges(judged(one, ended(Ending::closed, "it closed"), survival(Survival::alive))),
            Charges{});
}

TEST(Anything, IsNotTheEndOfTheServerNorAClientThatHangs) {
  const auto one =
      case_accepting(R"({"anything": true})",
                     R"("charge": {"silence": "v1-survives", "survival": "v1-survives"}, )");
  EXPECT_EQ(charges(judged(one, ended(Ending::exited, "it ended"), survival(Survival::dead))),
            Charges{"v1-survives: fail"});
  EXPECT_EQ(charges(judged(one, replied({kRight}), survival(Survival::deaf))),
            Charges{"v1-survives: fail"});
  EXPECT_EQ(charges(judged(one, ended(Ending::timed_out, "nothing"), survival(Survival::alive))),
            Charges{"v1-survives: fail"});
  auto followed = ended(Ending::timed_out, "nothing");
  followed.control_answered = true;
  EXPECT_EQ(charges(judged(one, followed, survival(Survival::alive))), Charges{});
}

// --- silence ---

TEST(Silence, IsRightWhenTheServerGoesOnAnswering) {
  const auto judgement = judged(case_accepting(kSilence), replied({}), survival(Survival::alive));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_TRUE(judgement.exercised.contains("err-code-method"));
  EXPECT_TRUE(judgement.exercised.contains("rob-survives"));
}

TEST(Silence, OfADeadServerIsNoSilence) {
  for (const auto ending : {Ending::closed, Ending::exited, Ending::timed_out}) {
    const auto judgement =
        judged(case_accepting(kSilence), ended(ending, "gone"), survival(Survival::dead));
    EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"}) << name_of(ending);
    EXPECT_FALSE(judgement.exercised.contains("err-code-method"));
  }
}

TEST(Silence, OfADroppedConnectionIsChargedAsThat) {
  const auto judgement =
      judged(case_accepting(kSilence), ended(Ending::closed, "closed"), survival(Survival::alive));
  EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"});
}

TEST(Silence, WhoseControlCallIsAnsweredLateIsOfASlowServerThatHasStoppedNothing) {
  const auto one = case_accepting(kSilence);
  const auto in_vain = ended(Ending::timed_out, "no answer in 5.9 s");
  auto late = survival(Survival::alive);
  EXPECT_EQ(charges(judged(one, in_vain, late)), Charges{"rob-survives: fail"});
  late.answered_meanwhile = true;
  EXPECT_EQ(charges(judged(one, in_vain, late)), Charges{"rob-survives: fail"})
      << "it may have been held back until more was sent";
  late.was_slow = true;
  const auto judgement = judged(one, in_vain, late);
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_TRUE(judgement.unjudged);
  EXPECT_FALSE(judgement.exercised.contains("err-code-method"));
  const auto closed = ended(Ending::closed, "closed");
  EXPECT_EQ(charges(judged(one, closed, late)), Charges{"rob-survives: fail"});
}

TEST(Silence, WhoHoldsBackWhatFollowsABrokenHeaderUntilAnotherMessageComesHasNotLostItsPlace) {
  const std::string raw = R"("raw": true, "charge": {"silence": "lsp-bad-length"}, )";
  const auto one = case_accepting(kUnknown, raw, R"("transports": ["content-length"], )");
  const auto in_vain = ended(Ending::timed_out, "no answer in 5.9 s");
  auto late = survival(Survival::alive);
  EXPECT_EQ(charges(judged(one, in_vain, late)), Charges{"lsp-bad-length: warn"});
  late.answered_meanwhile = true;
  EXPECT_EQ(charges(judged(one, in_vain, late)), Charges{});
  EXPECT_TRUE(judged(one, in_vain, late).unjudged);
  EXPECT_EQ(charges(judged(case_accepting(kUnknown), in_vain, late)), Charges{"res-always: fail"});
}

// A server may hold the answer to the call behind back until something else is sent: it is late,
// and the server is not gone.
TEST(Silence, SaysOfACallBehindItThatIsLateWhatWasDue) {
  const auto judgement = judged(case_accepting(kSilence), ended(Ending::timed_out, "no answer"),
                                survival(Survival::alive));
  EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"});
  ASSERT_EQ(judgement.findings.size(), 1U);
  const auto& finding = judgement.findings.front();
  EXPECT_EQ(finding.expected, "silence, and an answer to the control call that follows");
  EXPECT_EQ(sentence_of(finding),
            "The server did not go on serving the connection in the time allowed.");
}

// --- survival ---

TEST(Survival, NothingCameOfADeadServerIsOneFault) {
  for (const auto how : {Survival::dead, Survival::wedged, Survival::deaf}) {
    const auto judgement =
        judged(case_accepting(kUnknown), ended(Ending::timed_out, "no answer"), survival(how));
    EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"}) << name_of(how);
    EXPECT_TRUE(judgement.unjudged) << name_of(how);
    EXPECT_FALSE(judgement.exercised.contains("err-code-method")) << name_of(how);
  }
}

TEST(Survival, WhoLeavesOneCallOutIsNotSaidToAnswerNoMore) {
  auto left_out = survival(Survival::deaf);
  left_out.answers_next = true;
  const auto judgement = judged(case_accepting(kSilence), replied({}), left_out);
  ASSERT_EQ(charges(judgement), Charges{"rob-survives: fail"});
  EXPECT_EQ(judgement.findings.front().symptom, Symptom::call_behind_left_out);
}

TEST(Survival, ServersThatDieOfWhatTheyAnsweredAreChargedForIt) {
  const auto judgement =
      judged(case_accepting(kUnknown), replied({kRight}), survival(Survival::dead));
  EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"});
  EXPECT_TRUE(judgement.exercised.contains("err-code-method"));
}

// Who has closed a connection by dying has not chosen to.
TEST(Survival, ADeathWithoutAWordShowsNothingElse) {
  const auto one = case_accepting(R"({"closed": true})");
  const auto died =
      judged(one, ended(Ending::closed, "it closed the connection"), survival(Survival::dead));
  EXPECT_EQ(charges(died), Charges{"rob-survives: fail"});
  EXPECT_FALSE(died.exercised.contains("err-code-method"));
  auto closing = ended(Ending::closed, "it closed the connection");
  closing.close = dialogue::Close{};
  EXPECT_TRUE(judged(one, closing, survival(Survival::dead)).exercised.contains("err-code-method"));
}

// A server without batches has brought no Array, whatever it answers in place of one.
TEST(Exercised, AnotherOutcomeThanTheOneDueShowsNothingOfWhatTheCaseAsksForBesides) {
  auto one = case_accepting(R"({"batch": [{"error": {"code": -32601}, "id": 1}]},
      {"batch": [{"error": {"any": true}, "id": 1}], "verdict": "warn",
       "charge": "err-code-method", "because": "It has another code."},
      {"response": {"error": {"any": true}, "id": null},
       "verdict": "warn", "charge": "err-code-method", "because": "It is refused."},
      {"silence": true, "verdict": "fail", "charge": "err-code-method", "because": "Nothing."})");
  one.requirements.push_back("bat-each");
  const std::string right = kRight;
  EXPECT_TRUE(judged(one, replied({"[" + right + "]"})).exercised.contains("bat-each"));
  const auto otherwise =
      judged(one, replied({R"([{"jsonrpc":"2.0","error":{"code":-1,"message":"No"},"id":1}])"}));
  EXPECT_EQ(charges(otherwise), Charges{"err-code-method: warn"});
  EXPECT_TRUE(otherwise.exercised.contains("bat-each"));
  const auto refused = judged(
      one, replied({R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})"}));
  EXPECT_EQ(charges(refused), Charges{"err-code-method: warn"});
  EXPECT_TRUE(refused.exercised.contains("err-code-method"));
  EXPECT_FALSE(refused.exercised.contains("bat-each"));
  EXPECT_FALSE(judged(one, replied({}), survival(Survival::alive)).exercised.contains("bat-each"));
}

TEST(Survival, WhoDiesOfAStepIsNotSaidToHaveLeftBeforeIt) {
  const auto one = case_accepting(
      kUnknown +
      R"(, {"exited": true, "verdict": "fail", "charge": "std-eof", "because": "It has left."})");
  const auto gone = ended(Ending::exited, "the program exited with code 2");
  const auto left = judged(one, gone);
  EXPECT_EQ(charges(left), Charges{"std-eof: fail"});
  EXPECT_EQ(left.findings.front().expected, "a program that runs on, and answers what comes next");
  const auto died = judged(one, gone, survival(Survival::dead));
  EXPECT_EQ(charges(died), Charges{"rob-survives: fail"});
  EXPECT_TRUE(died.unjudged);
  EXPECT_FALSE(died.exercised.contains("err-code-method"));
}

TEST(Survival, WhatIsWrongWithAReplyIsChargedBesideTheDeath) {
  const auto judgement =
      judged(case_accepting(kUnknown), replied({R"({"jsonrpc":"2.0","result":1,"id":1})"}),
             survival(Survival::dead));
  EXPECT_EQ(charges(judgement), (Charges{"err-code-method: fail", "rob-survives: fail"}));
}

TEST(Survival, ResponsesThatADeadServerOwesAreNotChargedBesideItsDeath) {
  const auto one = case_accepting(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                                    {"error": {"code": -32601}, "id": 2}]})");
  auto exchange = replied({kRight});
  exchange.ending = Ending::exited;
  EXPECT_EQ(charges(judged(one, exchange, survival(Survival::dead))),
            Charges{"rob-survives: fail"});
  EXPECT_EQ(charges(judged(one, exchange, survival(Survival::alive))), Charges{"res-once: fail"});
}

TEST(Several, OneOfSeveralMessagesMayBeTheArrayOfABatch) {
  const auto one = case_accepting(
      R"({"responses": [{"error": {"code": -32601}, "id": 1},
                        {"batch": [{"error": {"code": -32601}, "id": 2}]}]})",
      R"("charge": {"missing": "bat-array"}, )");
  const std::string second = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":2})";
  const std::string array = "[" + second + "]";
  EXPECT_EQ(charges(judged(one, replied({kRight, array}))), Charges{});
  EXPECT_EQ(charges(judged(one, replied({array, kRight}))), Charges{});
  EXPECT_EQ(charges(judged(one, replied({kRight}))), Charges{"bat-array: fail"});
  EXPECT_EQ(charges(judged(one, replied({array}))), Charges{"bat-array: fail"});
  EXPECT_EQ(charges(judged(one, replied({kRight, "[" + kRight + "]"}))), Charges{"id-echo: fail"});
  EXPECT_NE(charges(judged(one, replied({kRight, second}))), Charges{});
  EXPECT_NE(charges(judged(one, replied({kRight, array, array}))), Charges{});
}

// Where a case asks about the framing itself, silence and the loss of the stream are one fault.
TEST(Survival, AStreamLostToBrokenFramingIsChargedAsTheCaseSays) {
  const std::string raw = R"("raw": true, "charge": {"silence": "lsp-header-tolerance"}, )";
  const auto one = case_accepting(kUnknown, raw, R"("transports": ["content-length"], )");
  const auto nothing = ended(Ending::timed_out, "no answer");
  EXPECT_EQ(charges(judged(one, nothing, survival(Survival::deaf))),
            Charges{"lsp-header-tolerance: warn"});
  EXPECT_EQ(charges(judged(one, nothing, survival(Survival::dead))), Charges{"rob-survives: fail"});
  auto answered = replied({kRight});
  EXPECT_EQ(charges(judged(one, answered, survival(Survival::deaf))),
            Charges{"rob-survives: fail"});
}

TEST(Survival, TheLastWordsOnStandardErrorAreEvidence) {
  const dialogue::SurvivalCheck check{Survival::dead, "exited with code 1", "panic: \x1b[31mno\n"};
  const auto judgement = judged(case_accepting(kUnknown), ended(Ending::exited, ""), check);
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::died);
  EXPECT_EQ(judgement.findings[0].actual,
            R"(exited with code 1; standard error ends with: panic: \x1b[31mno)");
}

TEST(Survival, OnlyTheLastStepCanHaveMetTheEnd) {
  auto one = case_accepting(kUnknown);
  add_step(one, kUnknown);
  const auto judgement =
      judge(one, std::array{ended(Ending::settled, ""), ended(Ending::exited, "")},
            survival(Survival::dead), real_ledger(), {});
  EXPECT_EQ(charges(judgement), (Charges{"res-always: fail", "rob-survives: fail"}));
  EXPECT_EQ(judgement.findings[0].step, 0U);
}

TEST(Outcome, ThatTellsNothingExercisesNothing) {
  const auto one = case_accepting(
      R"({"response": {"id": 1, "result": {"any": true}}},
         {"response": {"id": 1, "error": {"code": -32601}}, "tells-nothing": "it has none"})");
  const auto judgement = judged(one, replied({kRight}));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.unjudged, "it has none");
  EXPECT_FALSE(judgement.exercised.contains("err-code-method"));
  EXPECT_FALSE(judged(one, replied({R"({"jsonrpc":"2.0","id":1,"result":1})"})).unjudged);
}

TEST(Judge, WhatAStoredRunHoldsBeyondTheStepsIsPassedOver) {
  const std::vector<dialogue::Exchange> more(1000, replied({kRight}));
  const auto judgement =
      judge(case_accepting(kUnknown), more, survival(dialogue::Survival::dead), real_ledger(), {});
  EXPECT_EQ(charges(judgement), Charges{"rob-survives: fail"});
}

// --- noise ---

TEST(Noise, OnAStreamIsChargedToCleanOutput) {
  auto exchange = replied({kRight});
  exchange.noise = {{"Listening\n", ""}, {"debug", ""}};
  const auto judgement = judged(case_accepting(kUnknown), exchange);
  ASSERT_EQ(charges(judgement), Charges{"std-clean: fail"});
  EXPECT_EQ(sentence_of(judgement.findings[0]),
            "The server wrote something that is no message (2 times).");
  EXPECT_EQ(judgement.findings[0].actual, R"(Listening\n)");
}

TEST(Noise, ABrokenHeadIsChargedToItsSyntax) {
  Context context;
  context.binding = wire::binding_named("content-length");
  auto exchange = replied({kRight});
  exchange.noise = {{"CONTENT-length: 12\n\n", "a line ends in LF alone"}};
  const auto one = case_accepting(kUnknown);
  EXPECT_EQ(charges(judged(one, exchange, {}, context)), Charges{"lsp-header-syntax: fail"});
  EXPECT_EQ(charges(judged(one, exchange)), Charges{"std-clean: fail"});
  exchange.noise = {{"Starting up\n", "no header"}};
  EXPECT_EQ(charges(judged(one, exchange, {}, context)), Charges{"std-clean: fail"});
}

}  // namespace judge_test
}  // namespace jrpcheck::judge
