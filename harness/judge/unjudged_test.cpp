// What cannot be judged is neither passed nor charged twice.
#include <gtest/gtest.h>
#include <array>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "judge/protocol.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace unjudged_test {

const std::string kUnknown = R"({"response": {"error": {"code": -32601}, "id": 1}})";
const std::string kRight = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":1})";
const std::string kTwo = R"({"batch": [{"error": {"code": -32601}, "id": 1},
                                       {"error": {"code": -32601}, "id": 2}]})";

Context all_replies_violate(const std::string& requirement) {
  Context context;
  context.systematic = {requirement};
  return context;
}

// An error without a code to compare may be the one that is due to all such calls.
TEST(Unjudged, AnErrorWithoutACodeShowsNoRefusal) {
  const auto observed = [](const std::string& more, const std::string& code) {
    const auto one = case_accepting(
        more + R"({"response": {"error": {"any": true}, "id": 1}, "observe": "not 20"})", "",
        R"("observes": "depth", )");
    return judged(one, replied({R"({"jsonrpc":"2.0","error":{"code":)" + code +
                                R"(,"message":"No"},"id":1})"}))
        .observations.size();
  };
  EXPECT_EQ(observed(kUnknown + ", ", R"({"code":-32601})"), 0U);
  EXPECT_EQ(observed(kUnknown + ", ", "-32602"), 1U);
  EXPECT_EQ(observed("", R"({"code":-32601})"), 1U) << "any error is what was asked for";
}

// Neither the case's own requirement, nor anything else that it names.
void expect_not_exercised(const Judgement& judgement, const std::string& what) {
  EXPECT_TRUE(judgement.unjudged) << what;
  EXPECT_FALSE(judgement.exercised.contains("err-code-method")) << what;
}

TEST(Unjudged, WhatTheEnvelopeRulesChargeIsNotChargedToTheCase) {
  struct Reply {
    std::string text;
    std::string charged;
  };
  const std::vector<Reply> replies = {
      {"nonsense", "res-json"},
      {"19", "res-object"},
      {"null", "res-object"},
      {R"("text")", "res-object"},
      {R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"}})", "res-id-present"},
      {R"({"jsonrpc":"2.0","id":1})", "res-exclusive"},
      {R"({"jsonrpc":"2.0","error":"No","id":1})", "err-object"},
      {R"({"jsonrpc":"2.0","error":{"code":"-32601","message":"No"},"id":1})", "err-code-integer"},
      {R"({"jsonrpc":"2.0","Error":{"code":-32601,"message":"No"},"id":1})", "res-member-names"},
  };
  for (const auto& reply : replies) {
    const auto judgement = judged(case_accepting(kUnknown), replied({reply.text}));
    EXPECT_EQ(charges(judgement), Charges{reply.charged + ": fail"}) << reply.text;
    expect_not_exercised(judgement, reply.text);
    // Where calibration has charged it for all, the case can only say that it told nothing.
    const auto systematic = judged(case_accepting(kUnknown), replied({reply.text}), {},
                                   all_replies_violate(reply.charged));
    EXPECT_EQ(charges(systematic), Charges{}) << reply.text;
    expect_not_exercised(systematic, reply.text);
  }
}

TEST(Unjudged, AFaultThatLeavesTheRestComparableDoesNot) {
  const auto judgement = judged(case_accepting(kUnknown),
                                replied({R"({"error":{"code":-32601,"message":"No"},"id":1})"}));
  EXPECT_EQ(charges(judgement), Charges{"res-version: fail"});
  EXPECT_FALSE(judgement.unjudged);
  EXPECT_TRUE(judgement.exercised.contains("err-code-method"));
}

TEST(Unjudged, ElementsOfABatchAreLikeSingleReplies) {
  const auto judgement = judged(
      case_accepting(kTwo),
      replied({"[" + kRight + R"(,{"jsonrpc":"2.0","error":{"code":"x","message":"No"},"id":2}])"}),
      {}, all_replies_violate("err-code-integer"));
  EXPECT_EQ(charges(judgement), Charges{});
  expect_not_exercised(judgement, "a code that is a String");
}

// res-object is about the reply to a single Request.
TEST(Unjudged, AnElementThatIsNoObjectIsNoResponse) {
  const auto charged = [](const std::string& elements, const std::string& charge = "") {
    return charges(judged(case_accepting(kTwo, charge), replied({"[" + elements + "]"})));
  };
  const std::string other = R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":2})";
  for (const std::string& element :
       std::vector<std::string>{"[]", "null", "19", "[" + other + "]"}) {
    EXPECT_EQ(charged(kRight + "," + element), Charges{"bat-each: fail"}) << element;
    EXPECT_EQ(charged(element + "," + other), Charges{"bat-each: fail"}) << element;
    EXPECT_EQ(charged(element + "," + kRight + "," + other), Charges{"bat-each: fail"}) << element;
    EXPECT_EQ(charged(kRight + "," + element, R"("charge": {"count": "bat-one"}, )"),
              Charges{"bat-one: fail"});
  }
  const auto judgement = judged(case_accepting(kTwo), replied({"[" + kRight + ",[]]"}));
  ASSERT_EQ(judgement.findings.size(), 1U);
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::response_not_object);
  EXPECT_EQ(judgement.findings[0].expected, "error -32601 with id 2");
  EXPECT_EQ(judgement.findings[0].actual, "[] for it");
}

TEST(Unjudged, WhatIsTooMuchIsChargedAsThatWhateverItLooksLike) {
  const std::string nameless = R"({"error":{"code":-32601,"message":"No"}})";
  EXPECT_EQ(charges(judged(case_accepting(R"({"silence": true})"), replied({nameless}))),
            Charges{"err-code-method: fail"});
  const auto one = case_accepting(R"({"batch": [{"error": {"code": -32601}, "id": 1}]})");
  for (const std::string& element : {nameless, std::string(R"({"code":-32601})")}) {
    EXPECT_EQ(charges(judged(one, replied({"[" + element + "," + kRight + "]"}))),
              Charges{"bat-each: fail"})
        << element;
  }
  EXPECT_EQ(charges(judged(one, replied({"[" + nameless + "]"}))),
            (Charges{"res-version: fail", "res-id-present: fail"}))
      << "it is the one that is due";
}

// A message that may be refused for its length, and is owed nothing.
TEST(Unjudged, WhereNothingIsDueWhatComesIsOneFaultOrLetBe) {
  const auto one = case_accepting(
      R"({"silence": true}, {"refused": true, "tells-nothing": "too long"},
         {"response": {"error": {"code-not": [-32601]}, "id": {"any-of": [null], "or-none": true}},
          "tells-nothing": "too long"})");
  for (const std::string reply : {
           R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":null})",
           R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"}})",
           R"({"jsonrpc":"2.0","result":19})",
           R"({"ok":true})",
           "[]",
           "null",
           "OK",
       }) {
    const auto judgement = judged(one, replied({reply}));
    EXPECT_EQ(charges(judgement), Charges{"err-code-method: fail"}) << reply;
    ASSERT_EQ(judgement.findings.size(), 1U);
    EXPECT_EQ(judgement.findings[0].symptom, Symptom::answered) << reply;
  }
  EXPECT_EQ(charges(judged(one, replied({kRight, kRight}))), Charges{"err-code-method: fail"});
  for (const std::string reply : {
           R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"Too long"},"id":null})",
           R"({"error":{"code":-32000,"message":"Too long"}})",
       }) {
    const auto judgement = judged(one, replied({reply}));
    EXPECT_EQ(charges(judgement), Charges{}) << reply;
    EXPECT_EQ(judgement.unjudged, "too long");
  }
}

TEST(Unjudged, NoObservationIsMadeOfWhatCouldNotBeCompared) {
  const auto one = case_accepting(
      R"({"response": {"error": {"code": -32600}, "id": null}, "observe": "null"},
         {"response": {"error": {"code": -32600}, "id": 1}, "observe": "echoed"})",
      "", R"("observes": "how", )");
  for (const std::string reply :
       {"nonsense", "null", R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"}})"}) {
    EXPECT_TRUE(judged(one, replied({reply})).observations.empty()) << reply;
  }
}

TEST(Unjudged, AnUnreadableReplyMeetsNoOutcomeThatWarns) {
  const auto one = case_accepting(
      kUnknown + R"(, {"response": {"error": {"any": true}, "id": null}, "verdict": "warn",
                       "because": "It may."})");
  EXPECT_EQ(charges(judged(one, replied({"nonsense"}))), Charges{"res-json: fail"});
  const auto silent = case_accepting(
      R"({"silence": true}, {"response": {"error": {"any": true}, "id": 1}, "verdict": "warn",
                             "because": "It answers."})");
  EXPECT_EQ(charges(judged(silent, replied({"nonsense"}))), Charges{"res-json: fail"});
  EXPECT_EQ(charges(judged(silent, replied({kRight}))), Charges{"err-code-method: warn"});
}

TEST(Unjudged, AConversationThatEndedEarlyIsNotAPass) {
  auto one = case_accepting(R"({"closed": true})");
  add_step(one, kUnknown);
  dialogue::Exchange closed;
  closed.ending = dialogue::Ending::closed;
  const auto judgement = judged(one, closed, survival(dialogue::Survival::alive));
  EXPECT_EQ(charges(judgement), Charges{});
  expect_not_exercised(judgement, "the second step was never sent");
}

// --- systematic violations ---

TEST(Systematic, ViolationsAreChargedInCalibrationOnly) {
  const std::string reply = R"({"error":{"code":-32601,"message":"No"},"id":1})";
  const auto context = all_replies_violate("res-version");
  const auto elsewhere = judged(case_accepting(kUnknown), replied({reply}), {}, context);
  EXPECT_EQ(charges(elsewhere), Charges{});
  EXPECT_FALSE(elsewhere.unjudged) << "the rest could be judged";
  EXPECT_TRUE(elsewhere.exercised.contains("err-code-method"));
  const auto calibration = case_accepting(kUnknown, "", R"("calibration": true, )");
  EXPECT_EQ(charges(judged(calibration, replied({reply}), {}, context)),
            Charges{"res-version: fail"});
}

TEST(Systematic, ACaseAboutTheViolatedRequirementDoesNotPass) {
  auto one = case_accepting(kUnknown);
  one.requirements = {"res-version", "err-code-method"};
  const auto judgement =
      judged(one, replied({R"({"error":{"code":-32601,"message":"No"},"id":1})"}), {},
             all_replies_violate("res-version"));
  EXPECT_EQ(charges(judgement), Charges{});
  expect_not_exercised(judgement, "every reply violates it");
}

TEST(Systematic, OtherViolationsOfTheSameReplyAreStillCharged) {
  const auto judgement =
      judged(case_accepting(kUnknown), replied({R"({"error":{"code":-32601,"message":1},"id":2})"}),
             {}, all_replies_violate("res-version"));
  EXPECT_EQ(charges(judgement), (Charges{"err-message-string: fail", "id-echo: fail"}));
}

// --- the envelope of JSON-RPC 1.0 ---

const std::string kLegacy =
    R"({"response": {"error": {"any": true}, "id": {"any-of": [null, 1]}}, "envelope": "1.0"},
       {"response": {"error": {"code": -32600}, "id": {"any-of": [null, 1]}}})";

TEST(LegacyEnvelope, IsAcceptedOnlyWithoutVersion) {
  for (const std::string reply : {R"({"result":null,"error":"no such method","id":1})",
                                  R"({"result":null,"error":{"code":-32601},"id":1})"}) {
    EXPECT_EQ(charges(judged(case_accepting(kLegacy), replied({reply}))), Charges{}) << reply;
  }
  const auto judgement = judged(
      case_accepting(kLegacy),
      replied(
          {R"({"jsonrpc":"2.0","result":null,"error":{"code":-32600,"message":"No"},"id":1})"}));
  EXPECT_EQ(charges(judgement), Charges{"res-exclusive: fail"});
}

TEST(LegacyEnvelope, AServedCallOf20IsTheWrongKind) {
  const auto judgement =
      judged(case_accepting(kLegacy), replied({R"({"jsonrpc":"2.0","result":19,"id":1})"}));
  ASSERT_EQ(charges(judgement), Charges{"err-code-method: fail"});
  EXPECT_EQ(judgement.findings[0].symptom, Symptom::call_succeeded);
}

TEST(LegacyEnvelope, AVersionInItIsChargedByItselfAndTheRestIsCompared) {
  const std::string old =
      R"({"response": {"error": {"code": -32601}, "id": 1}, "envelope": "1.0"})";
  const auto told = [&](const std::string& code, const std::string& charge) {
    return charges(judged(
        case_accepting(old, charge),
        replied({R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":1})"})));
  };
  const std::string named = R"("charge": {"envelope": "req-version"}, )";
  EXPECT_EQ(told("-32601", named), Charges{"req-version: fail"});
  EXPECT_EQ(told("-32000", named), (Charges{"err-code-method: fail", "req-version: fail"}));
  EXPECT_EQ(told("-32601", ""), Charges{"err-code-method: fail"});
  EXPECT_EQ(told("-32601", R"("charge": {"kind": "req-id-type"}, )"), Charges{"req-id-type: fail"});
}

TEST(LegacyEnvelope, DoesNotExcuseWhatIsNoResponseOfAnyVersion) {
  EXPECT_EQ(charges(judged(case_accepting(kLegacy), replied({"nonsense"}))),
            Charges{"res-json: fail"});
  EXPECT_EQ(charges(judged(case_accepting(kLegacy), replied({"19"}))), Charges{"res-object: fail"});
  const auto nameless = charges(
      judged(case_accepting(kLegacy), replied({R"({"error":{"code":-32600,"message":"No"}})"})));
  EXPECT_EQ(nameless, (Charges{"res-version: fail", "res-id-present: fail"}));
}

// --- repetition ---

TEST(Repetition, TheSameFindingTwiceIsOne) {
  const std::string wrong = R"({"error":{"code":-32601,"message":"No"},"id":1})";
  const auto one = case_accepting(R"({"responses": [{"error": {"code": -32601}, "id": 1},
                                                    {"error": {"code": -32601}, "id": 1}]})");
  EXPECT_EQ(charges(judged(one, replied({wrong, wrong}))), Charges{"res-version: fail"});
}

TEST(Repetition, TheSameObservationTwiceIsOne) {
  std::string element = kRight;
  element.insert(1, R"("time":1,)");
  std::string second = element;
  second.replace(second.rfind('1'), 1, "2");
  const auto judgement =
      judged(case_accepting(kTwo), replied({"[" + element + "," + second + "]"}));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_EQ(judgement.observations.size(), 1U);
}

TEST(Repetition, FindingsOfTwoStepsAreTwo) {
  auto one = case_accepting(kUnknown);
  add_step(one, kUnknown);
  const auto wrong = replied({R"({"jsonrpc":"2.0","result":1,"id":1})"});
  const auto judgement = judge(one, std::array{wrong, wrong}, {}, real_ledger(), {});
  ASSERT_EQ(judgement.findings.size(), 2U);
  EXPECT_EQ(judgement.findings[0].step, 0U);
  EXPECT_EQ(judgement.findings[1].step, 1U);
}

TEST(Unjudged, WhatNeedsALoginIsNoFaultUnlessTheStepIsAboutThat) {
  auto one = case_accepting(kUnknown);
  auto wall = responded(401, "");
  EXPECT_NE(charges(judged(one, wall)), Charges{});
  wall.asks_for_login = true;
  EXPECT_EQ(charges(judged(one, wall)), Charges{});
  EXPECT_EQ(judged(one, wall).unjudged.value_or(""),
            "the server asks for a login for it (HTTP 401)");
  one.steps[0].http.headers = {{"Authorization", std::nullopt}};
  EXPECT_NE(charges(judged(one, wall)), Charges{});
}

Context of_limited_users(bool is_known_to_be) {
  auto law = std::make_shared<Law>();
  law->profile.http.limits_users = "rpcwhitelist";
  law->profile.control_method = "getblockcount";
  Context context;
  context.law = std::move(law);
  context.is_user_limited = is_known_to_be;
  return context;
}

Judgement of_limited_user(const std::string& sent, const dialogue::Exchange& exchange,
                          bool is_known_to_be = false) {
  auto one = case_accepting(sent.front() == '[' ? kTwo : kUnknown);
  one.steps.front().messages = {sent};
  return judged(one, exchange, {}, of_limited_users(is_known_to_be));
}

TEST(Unjudged, WhatAUserIsKeptFromIsNoFault) {
  const auto forbidden = responded(403, "", "text/html");
  const std::string calls[] = {R"({"id":1,"method":"uptime"})", R"({"id":1,"method":""})",
                               R"([{"id":1,"method":"getblockcount"},{"id":2,"method":"uptime"}])"};
  for (const auto& call : calls) {
    const auto judgement = of_limited_user(call, forbidden);
    EXPECT_EQ(charges(judgement), Charges{}) << call;
    EXPECT_EQ(judgement.unjudged.value_or(""), "limited by rpcwhitelist") << call;
  }
  // The call that shows that the server serves is never kept from anybody, nor is what is no call.
  for (const char* call : {R"({"id":1,"method":"getblockcount"})", "1", "{"}) {
    EXPECT_NE(charges(of_limited_user(call, forbidden)), Charges{}) << call;
  }
  const auto with_body = responded(403, "no", "text/html");
  EXPECT_NE(charges(of_limited_user(calls[0], with_body)), Charges{});
}

TEST(Unjudged, ABatchOfALimitedUserMayBeRefusedAsAWhole) {
  const auto refused =
      responded(400, R"({"result":null,"error":{"code":-32600,"message":"no"},"id":null})");
  const std::string batch = R"([{"id":1,"method":"getblockcount"},1])";
  EXPECT_EQ(of_limited_user(batch, refused, true).unjudged.value_or(""), "limited by rpcwhitelist");
  EXPECT_NE(charges(of_limited_user(batch, refused)), Charges{});
  const std::string of_calls = R"([{"id":1,"method":"getblockcount"}])";
  EXPECT_NE(charges(of_limited_user(of_calls, refused, true)), Charges{});
}

TEST(Unjudged, WhoIsRefusedAsEveryCallIsToldWhy) {
  const auto why = [](int status) {
    auto refused = responded(status, "no", "text/plain");
    refused.limited = true;
    const auto judgement = judged(case_accepting(kUnknown), refused);
    EXPECT_EQ(charges(judgement), Charges{}) << status;
    return judgement.unjudged.value_or("");
  };
  EXPECT_EQ(why(402), "the server refuses every call by now (HTTP 402)");
  EXPECT_EQ(why(429), "the server limits how often it is called (HTTP 429)");
}

}  // namespace unjudged_test
}  // namespace jrpcheck::judge
