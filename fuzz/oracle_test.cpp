#include "fuzz/oracle.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "judge/test_support.hpp"

namespace jrpcheck::fuzz {
namespace oracle_test {

using Replies = std::vector<std::string>;
using judge::Charges;

const std::string kCall = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
const std::string kNotFound =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":7})";
const std::string kRefused =
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
const std::string kNoJson =
    R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null})";
const std::string kDone = R"({"jsonrpc":"2.0","result":19,"id":7})";

Charges charges_of(const std::string& sent, const Replies& replies, Traits traits = {}) {
  const Oracle oracle(judge::real_ledger(), std::move(traits));
  return judge::charges(oracle.judge_replies(sent, replies));
}

// As whatever the call behind the message is answered.
Charges charges_behind(const std::string& sent, const Replies& replies, const std::string& behind) {
  const Oracle oracle(judge::real_ledger(), {});
  dialogue::Exchange exchange;
  for (const auto& text : replies) exchange.replies.push_back({text, 0});
  const dialogue::Event event{
      dialogue::Direction::unasked, {}, behind, std::string(dialogue::kOtherIdNote)};
  return judge::charges(oracle.judge_exchange(expectation_of(sent, {}), exchange, {}, {event}));
}

TEST(Oracle, CallBehindAMessageIsAnsweredWithItsOwnId) {
  EXPECT_EQ(charges_behind("[1,", {kNoJson}, kNotFound), Charges{"id-echo: fail"});
  EXPECT_EQ(charges_behind("[1,", {kRefused}, kNotFound),
            (Charges{"bat-parse-error: fail", "id-echo: fail"}));
}

TEST(Oracle, AnAnswerThatCameOnlyWhenMoreWasSentIsChargedWhateverItSays) {
  const Oracle oracle(judge::real_ledger(), {});
  auto exchange = judge::replied({kNotFound});
  EXPECT_EQ(judge::charges(oracle.judge_exchange(kCall, exchange, {})), Charges());
  exchange.held_until_more = "nothing in 1 s, and the answer as soon as a control call was sent";
  const auto judgement = oracle.judge_exchange(kCall, exchange, {});
  EXPECT_EQ(judge::charges(judgement), Charges{"res-always: fail"});
  EXPECT_EQ(judgement.findings.front().particulars,
            "The answer comes only when something more is sent.");
}

// White space behind a text says nothing of what it is, and who looks up what is no JSON has been
// asked for no method.
TEST(Oracle, WhatIsNoJsonIsChargedToNoMethodWhateverItIsRefusedWith) {
  const std::string not_found =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null})";
  for (const auto& refusal : {kRefused, not_found}) {
    for (const std::string sent : {"{", "{ ", R"({"jsonrpc":"2.0","method":"jrpcheckX" )"}) {
      EXPECT_EQ(charges_of(sent, {refusal}), Charges{"err-code-parse: fail"}) << sent;
    }
    EXPECT_EQ(charges_of("[ ", {refusal}), Charges{"bat-parse-error: fail"});
    // A lenient reader may take it for something.
    for (const std::string sent : {"}\t", "}", R"({"jsonrpc":"2.0","method":"a","id":7}})"}) {
      EXPECT_EQ(charges_of(sent, {refusal}), Charges()) << sent;
    }
  }
}

struct Sample {
  std::string sent;
  Replies replies;
};

TEST(Oracle, WhereAMemberStandsTwiceTheAnswerIsAResponseOf20AllTheSame) {
  const std::string both = R"({"jsonrpc":"2.0","result":1,"error":null,"id":7})";
  const std::string twice = R"({"jsonrpc":"2.0","method":"a","params":{"b":1,"b":2},"id":7})";
  EXPECT_EQ(charges_of(twice, {both}), Charges{"res-exclusive: fail"});
  const std::string versions = R"({"jsonrpc":"2.0","jsonrpc":"1.0","method":"a","id":7})";
  EXPECT_EQ(charges_of(versions, {both}), Charges{"res-exclusive: fail"});
}

TEST(Oracle, AnAnswerToWhatMayBe10IsHeldToTheVersionThatItNames) {
  const std::string call = R"({"method":"a","params":[1e400],"id":7})";
  EXPECT_EQ(charges_of(call, {R"({"result":1,"error":null,"id":7})"}), Charges{});
  EXPECT_EQ(charges_of(call, {R"({"jsonrpc":"2.0","result":1,"error":null,"id":7})"}),
            Charges{"res-exclusive: fail"});
}

// Whatever an Object without a method is taken for, the calls beside it are owed their answers.
TEST(Oracle, WhatIsNoRequestInABatchDoesNotExcuseTheCallsBesideIt) {
  const std::string old_refusal =
      R"({"result":null,"error":{"code":-32600,"message":"m"},"id":null})";
  for (const char* object : {"{}", R"({"foo":1})", R"({"id":7,"foo":1})"}) {
    const std::string batch = std::string("[") + object + "," + kCall + "]";
    for (const auto& reply : {kRefused + "," + kNotFound, kNotFound, old_refusal + "," + kNotFound,
                              kNotFound + "," + kRefused}) {
      EXPECT_EQ(charges_of(batch, {"[" + reply + "]"}), Charges()) << batch << reply;
    }
    EXPECT_EQ(charges_of(batch, {"[" + kRefused + "]"}), Charges{"bat-each: fail"}) << batch;
  }
}

TEST(Oracle, WhatTheSpecificationAllowsIsNotCharged) {
  const std::string array_of_two = "[" + kNotFound + "," + kRefused + "]";
  const std::vector<Sample> samples = {
      {kCall, {kNotFound}},
      {R"({"jsonrpc":"2.0","method":"jrpcheckX"})", {}},
      {R"({"jsonrpc":"2.0","method":"subtract","params":[42,23],"id":7})", {kDone}},
      {"{", {kNoJson}},
      {"[1,", {kNoJson}},
      {"[]", {kRefused}},
      {"7", {kRefused}},
      {R"({"foo":"boo"})", {kRefused}},
      {R"({"jsonrpc":"2.1","method":"jrpcheckX","id":7})", {kRefused}},
      {"[" + kCall + ",1]", {array_of_two}},
      {"[1," + kCall + "]", {array_of_two}},
      {R"([{"jsonrpc":"2.0","method":"jrpcheckX"}])", {}},
      {"[[" + kCall + "]]", {"[" + kRefused + "]"}},
  };
  for (const auto& each : samples)
    EXPECT_EQ(charges_of(each.sent, each.replies), Charges()) << each.sent;
}

TEST(Oracle, WhatTheSpecificationLeavesOpenIsNotCharged) {
  const std::vector<std::string> contested = {
      R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7,"id":8})",
      R"({"jsonrpc":"2.0","method":"\ud800","id":7})",
      R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[1e400],"id":7})",
      R"({"jsonrpc":"2.0","method":"jrpcheckX","id":123456789012345678901234567890})",
      R"({"method":"jrpcheckX","id":7})",
      R"({"jsonrpc":"1.0","method":"jrpcheckX","id":7})",
      R"({"jsonrpc":"2.0","Method":"jrpcheckX","ID":7})",
      R"({"JSONRPC":"2.0","method":"jrpcheckX","id":7})",
      R"({"jsonrpc":"2.0","result":1,"id":7})",
      "\xEF\xBB\xBF" + kCall,
      std::string(40, '[') + std::string(40, ']'),
      R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7,})",
      kCall + kCall,
      "[" + kCall + R"(,{"jsonrpc":"2.0","method":"jrpcheckX","id":1,"id":2}])",
      R"({"jsonrpc":"2.0","method":""})",
  };
  for (const auto& sent : contested) {
    for (const Replies& replies :
         {Replies{}, Replies{kNotFound}, Replies{kNoJson}, Replies{kRefused}}) {
      EXPECT_EQ(charges_of(sent, replies), Charges()) << sent;
    }
  }
}

// What one Object means may be open; that it is one is not.
TEST(Oracle, OneObjectIsAnsweredOnceWhateverItMeans) {
  for (const char* one : {R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[1e400],"id":7})",
                          R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7,"id":8})",
                          R"({"method":"jrpcheckX","id":7})"}) {
    EXPECT_EQ(charges_of(one, {kNotFound, kNotFound}), Charges{"res-once: fail"}) << one;
    EXPECT_EQ(charges_of(one, {"[" + kRefused + "," + kNotFound + "]"}), Charges{"res-once: fail"});
    const std::string unasked = R"({"jsonrpc":"2.0","method":"told"})";
    EXPECT_EQ(charges_of(one, {kNotFound, unasked}), Charges()) << "that is no Response";
  }
  const std::string deep = std::string(40, '[') + std::string(40, ']');
  const std::vector<std::string> contested = {
      kCall + kCall, kCall + ",", kCall + "x", "[" + kCall + deep + "]",
      R"([{"jsonrpc":"2.0","method":"a","params":[1e400],"id":7},1])"};
  for (const auto& several : contested) {
    EXPECT_EQ(charges_of(several, {kNotFound, kRefused}), Charges()) << several;
  }
}

std::string result_for(const std::string& id, const std::string& result) {
  return R"({"jsonrpc":"2.0","result":)" + result + R"(,"id":)" + id + "}";
}

TEST(Oracle, AMethodThatIsKnownMayRefuseAParamButNotCallJsonNone) {
  Traits traits;
  traits.methods = {"subtract"};
  const std::string sent = R"({"jsonrpc":"2.0","method":"subtract","params":{},"id":7})";
  EXPECT_EQ(charges_of(sent, {kRefused}, traits), Charges());
  EXPECT_EQ(charges_of(sent, {kNoJson}, traits), Charges{"err-code-invalid: fail"});
  EXPECT_EQ(charges_of(sent, {result_for("null", "1")}, traits), Charges{"id-echo: fail"});
  const std::string batch = "[" + sent + "]";
  EXPECT_EQ(charges_of(batch, {"[" + kRefused + "]"}, traits), Charges());
  EXPECT_EQ(charges_of(batch, {"[" + kNoJson + "]"}, traits), Charges{"err-code-invalid: fail"});
  EXPECT_EQ(charges_of(kCall, {kRefused}, traits), Charges{"err-code-method: fail"});
}

TEST(Oracle, ANullIdMayBeRefused) {
  const std::string sent = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":null})";
  const auto refused = [](const std::string& code) {
    return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No."},"id":null})";
  };
  EXPECT_EQ(charges_of(sent, {refused("-32601")}), Charges());
  EXPECT_EQ(charges_of(sent, {refused("-32600")}), Charges());
  EXPECT_EQ(charges_of(sent, {refused("-32603")}), Charges{"err-code-method: fail"});
}

TEST(OracleOfNames, AMethodInOtherCaseIsNone) {
  const std::string sent = R"({"jsonrpc":"2.0","Method":"echo","id":7})";
  EXPECT_EQ(charges_of(sent, {kRefused}), Charges());
  EXPECT_EQ(charges_of(sent, {result_for("7", "1")}), Charges{"req-members-case: warn"});
  EXPECT_EQ(charges_of(sent, {kNotFound}), Charges{"req-members-case: warn"});
}

TEST(OracleOfNames, OfTwoSpellingsTheExactOneCounts) {
  const std::string methods = R"({"jsonrpc":"2.0","method":"jrpcheckX","Method":"echo","id":7})";
  EXPECT_EQ(charges_of(methods, {kNotFound}), Charges());
  EXPECT_EQ(charges_of(methods, {kRefused}), Charges());
  EXPECT_EQ(charges_of(methods, {result_for("7", "1")}), Charges{"req-members-case: warn"});
  const std::string ids = R"({"jsonrpc":"2.0","method":"echo","id":7,"ID":8})";
  EXPECT_EQ(charges_of(ids, {result_for("7", "1")}), Charges());
  EXPECT_EQ(charges_of(ids, {result_for("8", "1")}), Charges{"req-members-case: warn"});
  EXPECT_EQ(charges_of(ids, {kRefused}), Charges());
}

TEST(OracleOfNames, ASubtractionByOtherNamesShowsALooseReader) {
  Traits traits;
  traits.methods = {"subtract"};
  traits.subtraction = "subtract";
  const auto charges = [&](const std::string& method, const std::string& params,
                           const std::string& result) {
    return charges_of(
        R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + R"(,"id":7})",
        {result_for("7", result)}, traits);
  };
  EXPECT_EQ(charges("subtract", R"({"Minuend":42,"subtrahend":23})", "19"),
            Charges{"par-named-exact: warn"});
  EXPECT_EQ(charges("SUBTRACT", "[42,23]", "19"), Charges{"req-method-exact: warn"});
  EXPECT_EQ(charges("subtract ", "[42,23]", "19"), Charges{"req-method-exact: warn"});
  // What another reader may rightly make of it.
  EXPECT_EQ(charges("subtract", R"({"minuend":42,"subtrahend":23})", "19"), Charges());
  EXPECT_EQ(charges("subtract", R"({"Minuend":42,"subtrahend":23})", "-23"), Charges());
  EXPECT_EQ(charges("subtract", R"({"Minuend":0,"subtrahend":23})", "-23"), Charges());
  EXPECT_EQ(charges("SUBTRACT", "[42,23]", "65"), Charges());
  traits.methods.emplace_back("SUBTRACT");
  EXPECT_EQ(charges("SUBTRACT", "[42,23]", "19"), Charges());
}

TEST(OracleOfNames, BesideOthersInABatchTheyAreLeftOpen) {
  const std::string batch = R"([{"jsonrpc":"2.0","Method":"echo","id":7}])";
  for (const std::string& reply : {kRefused, kNotFound, result_for("7", "1")}) {
    EXPECT_EQ(charges_of(batch, {"[" + reply + "]"}), Charges()) << reply;
  }
}

TEST(Oracle, ParamsThatAreNoStructureMayBeRefusedOrOverlooked) {
  for (const char* const params : {"null", "1", "\"text\"", "true"}) {
    const std::string sent =
        R"({"jsonrpc":"2.0","method":"jrpcheckX","params":)" + std::string(params) + R"(,"id":7})";
    EXPECT_EQ(charges_of(sent, {kNotFound}), Charges());
    EXPECT_EQ(charges_of(sent, {kRefused}), Charges());
    EXPECT_EQ(charges_of(sent, {kDone}), Charges());
    EXPECT_EQ(charges_of(sent, {}), Charges{"res-always: fail"});
  }
}

TEST(Oracle, OfABatchWithElementsWhoseIdIsNullTheOneIsChargedThatIsNotAnswered) {
  const std::string dropped = R"({"jsonrpc":"2.0","method":"","id":0})";
  const std::string of_null = R"({"jsonrpc":"2.0","method":"","id":null})";
  const std::string unread = R"({"jsonrpc":"2.0","method":"","id":{}})";
  const std::string notification = R"({"jsonrpc":"2.0","method":"jrpcheck"})";
  const std::string not_found =
      R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null})";
  const std::vector<std::pair<std::string, Replies>> samples = {
      {dropped + ",[]," + of_null, {kRefused, not_found}},
      {unread + "," + notification + "," + of_null + ",[]," + dropped,
       {kRefused, not_found, kRefused}},
      {dropped + "," + of_null + ",1", {not_found, kRefused}},
  };
  for (const auto& [elements, responses] : samples) {
    std::string answer = responses.front();
    for (std::size_t i = 1; i < responses.size(); ++i) answer += "," + responses[i];
    EXPECT_EQ(charges_of("[" + elements + "]", {"[" + answer + "]"}),
              Charges{"id-zero-and-empty: fail"})
        << elements;
  }
}

TEST(Oracle, ServersWithoutBatchesAreNotChargedWithThem) {
  Traits traits;
  traits.serves_batches = false;
  EXPECT_EQ(charges_of("[" + kCall + "]", {kRefused}, traits), Charges());
  EXPECT_EQ(charges_of("[" + kCall + "]", {}, traits), Charges());
  EXPECT_EQ(charges_of("[]", {}, traits), Charges());
}

TEST(Oracle, DialectsMayIgnoreWhatIsOutOfTurn) {
  Traits traits;
  traits.is_dialect = true;
  EXPECT_EQ(charges_of(R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[1],"id":7})", {}, traits),
            Charges());
  EXPECT_EQ(charges_of(R"({"jsonrpc":"2.0","method":"jrpcheckX","id":null})", {}, traits),
            Charges());
  EXPECT_EQ(charges_of("{", {}, traits), Charges());
  EXPECT_EQ(charges_of(kCall, {}, traits), Charges{"res-always: fail"});
}

TEST(Oracle, WhatNoReadingAllowsIsCharged) {
  const std::string twice = "[" + kNotFound + "," + kNotFound + "]";
  const std::vector<std::pair<Sample, Charges>> samples = {
      {{kCall, {}}, {"res-always: fail"}},
      {{kCall, {kDone}}, {"err-code-method: fail"}},
      {{kCall, {kNotFound, kNotFound}}, {"res-once: fail"}},
      {{kCall, {"[" + kNotFound + "]"}}, {"res-object: fail"}},
      {{R"({"jsonrpc":"2.0","method":"jrpcheckX"})", {kRefused}},
       {"ntf-silent-unknown-method: fail"}},
      {{R"({"jsonrpc":"2.0","method":"update"})", {kRefused}}, {"ntf-silent: fail"}},
      {{"{", {kRefused}}, {"err-code-parse: fail"}},
      {{"[1,", {"[" + kNoJson + "]"}}, {"res-object: fail"}},
      {{"[]", {"[" + kRefused + "]"}}, {"bat-empty: fail"}},
      {{"[]", {}}, {"bat-empty: fail"}},
      {{"7", {kNoJson}}, {"err-code-invalid: fail"}},
      {{R"({"jsonrpc":"2.1","method":"jrpcheckX","id":7})", {kNotFound}}, {"req-version: fail"}},
      {{R"({"jsonrpc":"2.0","method":1,"id":7})", {}}, {"res-always: fail"}},
      {{R"({"jsonrpc":"2.0","method":"jrpcheckX","id":false})", {}}, {"req-id-type: fail"}},
      {{"[" + kCall + "]", {kNotFound}}, {"bat-one: fail"}},
      {{"[" + kCall + ",1]", {kNotFound}}, {"bat-array: fail"}},
      {{"[" + kCall + "]", {twice}}, {"bat-each: fail"}},
      {{"[[" + kCall + "]]", {"[" + kNotFound + "]"}}, {"bat-nested: fail"}},
      {{"[[" + kCall + "]]", {"[[" + kNotFound + "]]"}}, {"bat-nested: fail"}},
      {{"[[]]", {"[[]]"}}, {"bat-nested: fail"}},
      {{R"([{"jsonrpc":"2.0","method":"jrpcheckX"}])", {"[]"}}, {"bat-all-notifications: fail"}},
  };
  for (const auto& [sample, charges] : samples) {
    const auto found = charges_of(sample.sent, sample.replies);
    ASSERT_FALSE(found.empty()) << sample.sent;
    EXPECT_EQ(found.front(), charges.front()) << sample.sent;
  }
}

TEST(Oracle, IdsComeBackAsTheyWere) {
  const auto with_id = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","method":"jrpcheckX","id":)" + id + "}";
  };
  const auto answer = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":)" + id +
           "}";
  };
  EXPECT_EQ(charges_of(with_id("7"), {answer("\"7\"")}), Charges{"id-echo: fail"});
  EXPECT_EQ(charges_of(with_id("\"a b\""), {answer("\"a\"")}), Charges{"id-echo: fail"});
  for (const std::string id : {"\" a\"", "\"\\u0000\"", "\"\\\"\"", "\"\u00e4\""}) {
    EXPECT_EQ(charges_of(with_id(id), {answer("\"b\"")}), Charges{"id-string-exact: fail"}) << id;
  }
  EXPECT_EQ(charges_of(with_id("1.5"), {answer("1")}), Charges{"id-fraction: fail"});
  EXPECT_EQ(charges_of(with_id("1.50"), {answer("15e-1")}), Charges());
  EXPECT_EQ(charges_of(with_id("1.5"), {kRefused}), Charges());
  EXPECT_EQ(charges_of(with_id("null"), {answer("null")}), Charges());
  EXPECT_EQ(charges_of(with_id("null"), {}), Charges{"id-null-request: fail"});
}

TEST(Oracle, CallsThatShareAnIdAreAnsweredOrRefusedAndNotDropped) {
  const std::string sent = "[" + kCall + "," + kCall + "]";
  EXPECT_EQ(charges_of(sent, {"[" + kNotFound + "," + kNotFound + "]"}), Charges());
  EXPECT_EQ(charges_of(sent, {"[" + kNotFound + "," + kRefused + "]"}), Charges());
  EXPECT_EQ(charges_of(sent, {kRefused}), Charges());
  EXPECT_EQ(charges_of(sent, {"[" + kNotFound + "]"}), Charges{"bat-duplicate-ids: fail"});
}

TEST(Oracle, TheEnvelopeIsJudgedWhateverWasSent) {
  const std::string no_id = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}})";
  for (const char* sent : {R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7,"extra":1})", "{",
                           R"({"jsonrpc":"2.0","result":1,"id":7})"}) {
    EXPECT_EQ(charges_of(sent, {no_id}).at(0), "res-id-present: fail") << sent;
  }
  EXPECT_EQ(charges_of("\xFF", {"{\"jsonrpc\""}), Charges{"res-json: fail"});
}

TEST(Oracle, WhatMayBeTakenFor1_0MayBeAnsweredInItsShape) {
  EXPECT_EQ(
      charges_of(R"({"method":"jrpcheckX","id":7})", {R"({"result":null,"error":"no","id":7})"}),
      Charges());
}

// Both may be answered or not.
TEST(Oracle, AStatusOfFailureIsChargedToWhatIsANotification) {
  Traits traits;
  traits.binding = &wire::known_binding("http");
  const Oracle oracle(judge::real_ledger(), traits);
  dialogue::Exchange failed;
  failed.http_status = 500;
  const auto charged = [&](const char* sent) {
    return judge::charges(oracle.judge_exchange(sent, failed, {}));
  };
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","method":"a","extra":1})"),
            Charges{"http-notification-5xx: warn"});
  EXPECT_EQ(charged(R"({"method":0})"), Charges());
  EXPECT_EQ(charged(R"({"method":"a"})"), Charges());
}

TEST(Oracle, DeathIsChargedWhateverWasSent) {
  const Oracle oracle(judge::real_ledger(), {});
  const dialogue::SurvivalCheck dead{dialogue::Survival::dead, "the program died", ""};
  for (const auto& sent : {kCall, std::string("{"), std::string("\xFF")}) {
    const auto judgement =
        oracle.judge_exchange(sent, judge::ended(dialogue::Ending::exited, "died"), dead);
    EXPECT_EQ(judge::charges(judgement), Charges{"rob-survives: fail"}) << sent;
  }
}

}  // namespace oracle_test
}  // namespace jrpcheck::fuzz
