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
const std::string kRefused = R"({"refused": true, "observe": "refused"})";
const std::string kObserves = R"("observes": "how", )";

TEST(Judge, ARightReplyPassesAndExercisesTheCase) {
  const auto judgement = judged(case_accepting(kUnknown), replied({kRight}));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_FALSE(judgement.unjudged);
  EXPECT_TRUE(judgement.exercised.contains("err-code-method"));
  EXPECT_TRUE(judgement.exercised.contains("res-version"));
  EXPECT_FALSE(judgement.exercised.contains("rob-survives")) << "nobody asked";
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

TEST(Survival, WhoDiesOfAStepIsNotSaidToHaveLeftBeforeIt) {
  const auto one = case_accepting(
      kUnknown +
      R"(, {"exited": true, "verdict": "fail", "charge": "std-eof", "because": "It has left."})");
  const auto gone = ended(Ending::exited, "the program exited with code 2");
  EXPECT_EQ(charges(judged(one, gone)), Charges{"std-eof: fail"});
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

// --- HTTP ---

// What was observed under the case's own name; the statuses of all exchanges are beside it.
std::vector<std::string> observed_how(const Judgement& judgement) {
  std::vector<std::string> values;
  for (const auto& each : judgement.observations) {
    if (each.name == "how") values.push_back(each.value);
  }
  return values;
}

TEST(Http, AnErrorStatusWithoutJsonIsARefusal) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  for (const auto& refusal : {responded(400, ""), responded(415, "Unsupported", "text/plain"),
                              responded(500, "<html>", "text/html"), responded(404, "404", "")}) {
    const auto judgement = judged(one, refusal);
    EXPECT_EQ(charges(judgement), Charges{}) << refusal.http_status;
    EXPECT_EQ(observed_how(judgement), std::vector<std::string>{"refused"});
  }
}

TEST(Http, AnErrorStatusWithAResponseIsAReply) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  EXPECT_TRUE(observed_how(judged(one, responded(404, kRight))).empty());
  EXPECT_EQ(charges(judged(one, responded(404, kRight))), Charges{});
  EXPECT_EQ(charges(judged(one, responded(500, R"({"oops":)"))), Charges{"res-json: fail"});
}

TEST(Http, ASuccessStatusIsNoRefusal) {
  const auto one = case_accepting(kUnknown + "," + kRefused, "", kObserves);
  EXPECT_EQ(charges(judged(one, responded(200, ""))), Charges{"res-always: fail"});
  EXPECT_EQ(charges(judged(one, responded(200, "OK", "text/plain"))), Charges{"res-json: fail"});
}

TEST(Http, ARefusalWhereAResponseIsDueIsNothing) {
  EXPECT_EQ(charges(judged(case_accepting(kUnknown), responded(503, "busy", "text/plain"))),
            Charges{"res-always: fail"});
}

TEST(Http, OfConcurrentCallsOneMayBeRefused) {
  const auto one = case_accepting(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                                    {"error": {"code": -32601}, "id": 2}]})");
  auto exchange = responded(200, kRight);
  exchange.replies.insert(exchange.replies.begin(), {"busy", 503});
  EXPECT_EQ(charges(judged(one, exchange)), Charges{"res-once: fail"});
}

TEST(Http, ABodyForANotificationIsAReplyUnlessItIsThePageOfAFailure) {
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(204, ""))), Charges{});
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(202, ""))), Charges{});
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(200, "OK", "text/plain"))),
            Charges{"err-code-method: fail"});
  auto one = case_accepting(kSilence);
  const auto failing = [&](const std::string& sent) {
    one.steps.at(0).messages = {sent};
    return charges(judged(one, responded(500, "oops", "text/plain")));
  };
  EXPECT_EQ(failing(R"({"jsonrpc":"2.0","method":"a"})"), Charges{"http-notification-5xx: warn"});
  EXPECT_EQ(failing(R"([{"jsonrpc":"2.0","method":"a"}])"), Charges{"http-notification-5xx: warn"});
  for (const std::string sent :
       {R"({"method":0})", R"({"jsonrpc":"2.0","result":19,"id":1})", "1"}) {
    EXPECT_EQ(failing(sent), Charges{}) << sent << " is no Notification";
  }
  EXPECT_EQ(charges(judged(case_accepting(kSilence), responded(500, kRight))),
            Charges{"err-code-method: fail"});
}

TEST(Http, ANotificationIsOwedAResponseOfHttp) {
  Context context;
  context.binding = wire::binding_named("http");
  const auto charged = [&](const dialogue::Exchange& exchange, Survival how) {
    return charges(judged(case_accepting(kSilence), exchange, survival(how), context));
  };
  EXPECT_EQ(charged(ended(Ending::closed, "closed"), Survival::alive),
            Charges{"http-response-always: warn"});
  EXPECT_EQ(charged(ended(Ending::timed_out, "nothing"), Survival::alive),
            Charges{"http-response-always: fail"});
  EXPECT_EQ(charged(ended(Ending::closed, "closed"), Survival::dead),
            Charges{"rob-survives: fail"});
  EXPECT_EQ(charged(responded(204, ""), Survival::alive), Charges{});
}

// MCP basic/transports § Sending Messages.
TEST(Http, WhereTheProtocolLetsItAnErrorWithoutAnIdRefusesANotification) {
  auto law = std::make_shared<Law>();
  Context context;
  context.law = law;
  const auto charged = [&](int status, const std::string& body, const std::string& sent) {
    auto asked = case_accepting(kSilence);
    asked.steps.front().messages = {sent};
    return charges(judge(asked, std::array{responded(status, body)}, {}, real_ledger(), context));
  };
  const std::string notification = R"({"jsonrpc":"2.0","method":"a"})";
  const std::string error = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"?"})";
  const Charges answered{"err-code-method: fail"};
  EXPECT_EQ(charged(400, error + R"(,"id":null})", notification), answered);
  law->profile.http.refuses_notifications = true;
  EXPECT_EQ(charged(400, error + "}", notification), Charges{});
  EXPECT_EQ(charged(400, error + R"(,"id":null})", notification), Charges{});
  EXPECT_EQ(charged(400, error + R"(,"id":7})", notification), answered);
  EXPECT_EQ(charged(200, error + R"(,"id":null})", notification), answered);
  EXPECT_EQ(charged(400, R"({"jsonrpc":"2.0","result":1,"id":null})", notification),
            (Charges{"err-code-method: fail", "http-error-status-of-result: warn"}));
  EXPECT_EQ(charged(400, error + R"(,"id":null})", R"({"jsonrpc":"2.0","method":"a","id":1})"),
            answered);
}

TEST(Http, AStatusIsMatchedWhateverTheBody) {
  const auto one = case_accepting(R"({"status": [400, 499], "observe": "refused"},
      {"status": [500, 599], "verdict": "warn", "because": "It fails.", "observe": "fails"})",
                                  "", kObserves);
  for (const std::string body : {"", "<html>", "{", R"({"error":"no envelope"})"}) {
    const auto judgement = judged(one, responded(405, body));
    EXPECT_EQ(charges(judgement), Charges{}) << body;
    EXPECT_EQ(judgement.observations.at(0).value, "refused") << body;
  }
  EXPECT_EQ(charges(judged(one, responded(599, ""))), Charges{"err-code-method: warn"});
  EXPECT_EQ(charges(judged(one, responded(500, ""))), Charges{"err-code-method: warn"});
  EXPECT_EQ(charges(judged(one, responded(399, "x", "text/plain"))),
            Charges{"err-code-method: fail"});
  EXPECT_EQ(charges(judged(one, responded(600, ""))), Charges{"res-always: fail"});
}

TEST(Http, ABodyThatIsNoJsonDoesNotHideAStatusThatIsAccepted) {
  const auto one =
      case_accepting(kUnknown + R"(, {"status": [411, 411], "observe": "refused"})", "", kObserves);
  const auto judgement = judged(one, responded(411, "{broken"));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.observations.at(0).value, "refused");
}

TEST(Http, ACaseAboutOneConnectionTellsNothingOnTwo) {
  auto one = case_accepting(kUnknown);
  add_step(one, kUnknown);
  one.steps[1].same_connection = true;
  auto second = responded(200, kRight);
  EXPECT_FALSE(
      judge(one, std::array{responded(200, kRight), second}, {}, real_ledger(), {}).unjudged);
  second.on_new_connection = true;
  const auto judgement =
      judge(one, std::array{responded(200, kRight), second}, {}, real_ledger(), {});
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.unjudged, "the server closes the connection after each reply");
  EXPECT_FALSE(judgement.exercised.contains("err-code-method"));
}

TEST(Http, AClosedConnectionIsAnOutcomeOfItsOwn) {
  const auto one = case_accepting(R"({"closed": true})");
  EXPECT_EQ(charges(judged(one, ended(Ending::closed, ""), survival(Survival::alive))), Charges{});
  EXPECT_EQ(charges(judged(one, ended(Ending::timed_out, ""), survival(Survival::alive))),
            Charges{"res-always: fail"});
  EXPECT_EQ(charges(judged(one, replied({kRight}), survival(Survival::alive))),
            Charges{"err-code-method: fail"});
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
