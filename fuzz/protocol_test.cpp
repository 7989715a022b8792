#include "fuzz/protocol.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include "corpus/corpus_for_testing.hpp"
#include "fuzz/oracle.hpp"
#include "json/parse.hpp"
#include "judge/rules/law.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::fuzz {
namespace protocol_test {

using dialogue::Direction;
using judge::Charges;

// A server that lists a tool that only reads, and one of which nobody knows.
std::shared_ptr<Protocol> protocol_with_tools(const corpus::Corpus& corpus) {
  auto law = std::make_shared<judge::Law>(**judge::law_of(corpus));
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->selections = corpus.profile.selections;
  catalogue->lists["tools"] = std::move(*json::parse(R"([
    {"name":"look","annotations":{"readOnlyHint":true,"openWorldHint":false}}, {"name":"launch"}])")
                                             .value);
  law->catalogue = std::move(catalogue);
  return protocol_of(std::move(law));
}

std::string call_of(const std::string& method, const std::string& params = "{}") {
  return R"({"jsonrpc":"2.0","id":1,"method":")" + method + R"(","params":)" + params + "}";
}

TEST(Protocol, WhatMayHaveEffectsIsNotSentHoweverItIsRead) {
  const auto bitcoin = protocol_of(*judge::law_of(corpus::corpus_for_testing("bitcoin-2.0")));
  EXPECT_TRUE(may_be_sent(*bitcoin, call_of("getblockcount")));
  EXPECT_TRUE(may_be_sent(*bitcoin, call_of("jrpcheckX")));
  for (const std::string& unsafe :
       {call_of("stop"), call_of("sendrawtransaction"),
        "[" + call_of("uptime") + "," + call_of("stop") + "]",
        std::string(R"({"method":"uptime","method":"stop"})"), std::string(R"({"METHOD":"stop"})"),
        std::string(R"({"params":{"a":[{"method":"stop"}]}})"),
        std::string(R"({"method" : "stop","params":[)"),
        std::string(R"({"m\u0065thod":"stop",})")}) {
    EXPECT_FALSE(may_be_sent(*bitcoin, unsafe)) << unsafe;
  }
  const std::string cut_off = R"({"method":"uptime","params":[)";
  EXPECT_TRUE(may_be_sent(*bitcoin, cut_off)) << "it calls nothing else, whoever reads it";
}

TEST(Protocol, AToolThatDoesNotSayThatItOnlyReadsIsNotNamed) {
  const auto mcp = protocol_with_tools(corpus::corpus_for_testing("mcp-2025-11-25"));
  EXPECT_TRUE(may_be_sent(*mcp, call_of("tools/call", R"({"name":"look"})")));
  EXPECT_TRUE(may_be_sent(*mcp, call_of("tools/call", R"({"name":"jrpcheckNone"})")));
  EXPECT_FALSE(may_be_sent(*mcp, call_of("tools/call", R"({"name":"launch"})")));
  EXPECT_FALSE(may_be_sent(*mcp, R"({"method":"tools/call","params":{"name":"launch")"));
}

TEST(Protocol, AToolWithTheNameOfAMethodShutsOffNoMethod) {
  const auto& corpus = corpus::corpus_for_testing("mcp-2025-11-25");
  auto law = std::make_shared<judge::Law>(**judge::law_of(corpus));
  auto catalogue = std::make_shared<corpus::Catalogue>();
  catalogue->selections = corpus.profile.selections;
  catalogue->lists["tools"] =
      std::move(*json::parse(R"([{"name":"ping"},{"name":"method"},{"name":"launch"}])").value);
  law->catalogue = std::move(catalogue);
  const auto mcp = protocol_of(std::move(law));
  EXPECT_TRUE(may_be_sent(*mcp, call_of("ping")));
  EXPECT_TRUE(may_be_sent(*mcp, "[" + call_of("ping") + "]"));
  EXPECT_TRUE(may_be_sent(*mcp, R"({"method" : "ping","params":[)"));
  for (const std::string& unsafe :
       {call_of("tools/call", R"({"name":"ping"})"), call_of("ping", R"(["ping"])"),
        call_of("tools/call", R"({"name":"method"})"), call_of("ping", R"({"a":[["launch"]]})"),
        std::string(R"("ping")"), std::string(R"({"method":"ping","params":{"name":"ping")"),
        std::string(R"({"method":"ping","x":"method","name":"launch")")}) {
    EXPECT_FALSE(may_be_sent(*mcp, unsafe)) << unsafe;
  }
}

TEST(Protocol, KnowsItsMessages) {
  const auto mcp = protocol_of(*judge::law_of(corpus::corpus_for_testing("mcp-2025-11-25")));
  EXPECT_TRUE(has_message(*mcp, call_of("ping")));
  for (const std::string& foreign :
       {call_of("ping", "[]"), "[" + call_of("ping") + "]", std::string("{"),
        std::string(R"({"jsonrpc":"2.0","id":null,"method":"ping"})"),
        std::string(R"({"jsonrpc":"2.0","id":1.5,"method":"ping"})"),
        std::string(R"({"jsonrpc":"2.0","id":1,"method":"ping","result":1})")}) {
    EXPECT_FALSE(has_message(*mcp, foreign)) << foreign;
  }
  const auto ethereum = protocol_of(*judge::law_of(corpus::corpus_for_testing("ethereum")));
  EXPECT_TRUE(has_message(*ethereum, "[" + call_of("eth_chainId") + "]"));
}

TEST(Protocol, AnErrorMayComeWithoutAnIdWhereItMayComeWithNull) {
  const std::string nameless = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"}})";
  const auto charged = [&](const std::string& profile, const std::string& sent) {
    Traits traits;
    traits.protocol = protocol_of(*judge::law_of(corpus::corpus_for_testing(profile)));
    const Oracle oracle(judge::real_ledger(), traits);
    return judge::charges(oracle.judge_replies(sent, {nameless}));
  };
  const std::string invalid = R"({"jsonrpc":"2.0","id":null,"method":"ping"})";
  EXPECT_EQ(charged("mcp-2025-11-25", invalid), Charges{});
  EXPECT_EQ(charged("mcp-2025-06-18", invalid), Charges{"res-id-present: fail"});
  const auto of_a_call = charged("mcp-2025-11-25", call_of("jrpcheckX"));
  ASSERT_FALSE(of_a_call.empty());
  EXPECT_EQ(of_a_call.front(), "res-id-present: fail");
}

TEST(Protocol, AMessageHasWhatTheVersionWantsInEachRequest) {
  const auto stateless = protocol_of(*judge::law_of(corpus::corpus_for_testing("mcp-2026-07-28")));
  const std::string bare = call_of("tools/list");
  EXPECT_FALSE(has_message(*stateless, bare));
  EXPECT_TRUE(has_message(*stateless, with_request_members(*stateless, bare)));
}

TEST(Protocol, NobodyKnowsWhatBecomesOfAMethodThatNoHeadCanSayPlainly) {
  const auto stateless = protocol_of(*judge::law_of(corpus::corpus_for_testing("mcp-2026-07-28")));
  const auto sessions = protocol_of(*judge::law_of(corpus::corpus_for_testing("mcp-2025-11-25")));
  for (const std::string method : {"jrpcheck\xC3\xBC", "ping "}) {
    EXPECT_FALSE(has_message(*stateless, with_request_members(*stateless, call_of(method))));
    EXPECT_TRUE(has_message(*sessions, call_of(method)));
    Protocol on_stdio = *stateless;
    on_stdio.has_heads = false;
    EXPECT_TRUE(has_message(on_stdio, with_request_members(on_stdio, call_of(method))));
  }
}

TEST(Protocol, AnAnswerThatMayBeOfEitherOfTwoCallsIsHeldAgainstNone) {
  EXPECT_TRUE(is_unambiguous(call_of("a")));
  EXPECT_FALSE(is_unambiguous("[" + call_of("a") + "," + call_of("b") + "]"));
  EXPECT_FALSE(is_unambiguous(R"({"jsonrpc":"2.0","id":1,"method":"a","method":"b"})"));
  EXPECT_FALSE(is_unambiguous(R"({"jsonrpc":"2.0","id":1,"method":"a","result":1})"));
}

Charges charges_by(const std::string& profile, const std::string& sent, const std::string& reply) {
  const auto& corpus = corpus::corpus_for_testing(profile);
  Traits traits;
  traits.protocol = protocol_of(*judge::law_of(corpus));
  traits.methods = corpus.profile.safe_methods;
  const Oracle oracle(corpus.ledger, traits);
  dialogue::Transcript transcript;
  transcript.add(Direction::sent, sent);
  const dialogue::Message message(reply);
  transcript.add(dialogue::received(message));
  dialogue::Exchange exchange;
  exchange.replies.push_back({message, 0});
  return judge::charges(
      oracle.judge_exchange(expectation_of(sent, traits), exchange, {}, transcript.whole()));
}

TEST(OracleByProtocol, ASchemaOfTheProfileIsHeldAgainstTheAnswer) {
  const std::string proper = R"({"jsonrpc":"2.0","id":1,"result":"0x1"})";
  EXPECT_EQ(charges_by("ethereum", call_of("eth_chainId", "[]"), proper), Charges{});
  const std::string padded = R"({"jsonrpc":"2.0","id":1,"result":"0x01"})";
  EXPECT_NE(charges_by("ethereum", call_of("eth_chainId", "[]"), padded), Charges{});
}

TEST(OracleByProtocol, WhatIsNoMessageOfItIsAnsweredInAnyWayThatIsWellFormed) {
  const std::string null_id = R"({"jsonrpc":"2.0","id":null,"method":"jrpcheckX"})";
  const std::string served = R"({"jsonrpc":"2.0","id":null,"result":{}})";
  EXPECT_EQ(charges_by("mcp-2025-11-25", null_id, served), Charges{});
  EXPECT_NE(
      charges_by("mcp-2025-11-25", call_of("jrpcheckX"), R"({"jsonrpc":"2.0","id":1,"result":{}})"),
      Charges{});
  EXPECT_NE(charges_by("mcp-2025-11-25", null_id, R"({"id":null,"result":{}})"), Charges{});
}

TEST(OracleByProtocol, WhatIsNoRequestIsNotHeldAgainstWhatItsMethodAnswers) {
  const std::string reverts =
      R"("method":"eth_call","params":[{"data":"0x600160005260206000fd"}],"id":1})";
  const std::string refused =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":1})";
  EXPECT_EQ(charges_by("ethereum", "{" + reverts, refused), Charges{});
  EXPECT_EQ(charges_by("ethereum", R"({"jsonrpc":"2.1",)" + reverts, refused), Charges{});
  const std::string without_data =
      R"({"jsonrpc":"2.0","error":{"code":3,"message":"execution reverted"},"id":1})";
  EXPECT_NE(charges_by("ethereum", R"({"jsonrpc":"2.0",)" + reverts, without_data), Charges{});
}

TEST(OracleByProtocol, WhatMayBeRefusedMayBeRefusedByAnyStatus) {
  const auto& corpus = corpus::corpus_for_testing("bitcoin-2.0");
  Traits traits;
  traits.protocol = protocol_of(*judge::law_of(corpus));
  const std::string call = R"({"jsonrpc":"2.0","method":"uptime","params":["\ud800"],"id":1})";
  const std::string refused =
      R"({"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null})";
  dialogue::Exchange exchange;
  exchange.replies.push_back({dialogue::Message(refused), 500});
  exchange.http_status = 500;
  EXPECT_EQ(judge::charges(Oracle(corpus.ledger, traits)
                               .judge_exchange(expectation_of(call, traits), exchange, {}, {})),
            Charges{});
}

TEST(OracleByProtocol, WhatTheProfileExemptsIsNotCharged) {
  const std::string both = R"({"jsonrpc":"2.0","id":1,"result":1,"error":null})";
  EXPECT_NE(charges_by("ethereum", call_of("eth_chainId", "[]"), both), Charges{});
  const std::string old_shape = R"({"result":null,"error":{"code":-32600,"message":"no"},"id":1})";
  EXPECT_EQ(charges_by("bitcoin-2.0", R"({"method":"getblockcount","id":1,"params":1})", old_shape),
            Charges{});
}

std::string error_of(const std::string& code, const std::string& id = "1") {
  return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"no"},"id":)" + id + "}";
}

TEST(OracleByProtocol, ACodeThatTheProfileAllowsIsNotCharged) {
  const std::string unknown = call_of("jrpcheckX", "[]");
  EXPECT_EQ(charges_by("ethereum", unknown, error_of("-32004")), Charges{});
  EXPECT_NE(charges_by("ethereum", unknown, error_of("-32001")), Charges{});
  EXPECT_NE(charges_by("ethereum", unknown, R"({"jsonrpc":"2.0","id":1,"result":null})"),
            Charges{});
  EXPECT_NE(charges_by("mcp-2025-11-25", call_of("jrpcheckX"), error_of("-32004")), Charges{});
}

TEST(OracleByProtocol, ACallByNameIsRefusedWhereTheProfileHasParamsByPositionAlone) {
  EXPECT_EQ(charges_by("ethereum", call_of("jrpcheckX"), error_of("-32600", "null")), Charges{});
  EXPECT_NE(
      charges_by("ethereum", call_of("jrpcheckX"), R"({"jsonrpc":"2.0","id":1,"result":null})"),
      Charges{});
  EXPECT_NE(charges_by("ethereum", call_of("jrpcheckX"), error_of("-32601", "2")), Charges{});
  EXPECT_NE(charges_by("ethereum", call_of("jrpcheckX", "[]"), error_of("-32600", "null")),
            Charges{});
}

}  // namespace protocol_test
}  // namespace jrpcheck::fuzz
