#include "run/recognise_protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "corpus/corpus.hpp"
#include "json/parse.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace {

SpokenProtocol found_on(FakeEndpoint endpoint) {
  SpokenProtocol found{.profile = "none"};
  const auto guardian = transport::Guardian::start();
  if (!guardian) return {guardian.error().message};
  session::Patience patience(milliseconds(1000));
  for (const auto& profile : corpus::embedded_profiles()) {
    const auto spoken = protocol_spoken(profile, endpoint, patience, **guardian);
    if (!spoken.profile.empty()) return spoken;
    found.hint += spoken.hint;
    if (found.left_out.empty()) found.left_out = spoken.left_out;
    found.first_calls.insert(found.first_calls.end(), spoken.first_calls.begin(),
                             spoken.first_calls.end());
  }
  return found;
}

std::string spoken(const std::string& binding, const FakeServer& server) {
  return found_on(FakeEndpoint(binding, server)).profile;
}

/// Answers calls of one method with this text, and knows no other.
FakeServer having(const std::string& method, const std::string& reply) {
  return [=](const std::string& message) -> std::optional<std::string> {
    if (message.find("\"" + method + "\"") != std::string::npos) return reply;
    return R"({"jsonrpc":"2.0","id":3000001,"error":{"code":-32601,"message":"no"}})";
  };
}

FakeServer saying(const std::string& reply) {
  return [=](const std::string&) -> std::optional<std::string> { return reply; };
}

/// Gives back the params of any call, which is what an echo for every name does.
std::optional<std::string> echoing(const std::string& message) {
  const auto call = json::parse(message);
  const json::Value* params = call.value->find("params");
  return R"({"jsonrpc":"2.0","id":3000001,"result":)" +
         (params != nullptr ? json::write(*params) : "null") + "}";
}

constexpr const char* kChain = R"({"jsonrpc":"2.0","id":3000001,"result":"0x539"})";
constexpr const char* kNode =
    R"({"jsonrpc":"2.0","id":3000001,"result":{"subversion":"/Satoshi:30.0.0/"}})";
constexpr const char* kOldNode =
    R"({"result":{"subversion":"/Satoshi:27.0.0/"},"error":null,"id":3000001})";

TEST(Recognition, OfNodes) {
  EXPECT_EQ(spoken("http", having("eth_chainId", kChain)), "ethereum");
  EXPECT_EQ(spoken("websocket", having("eth_chainId", kChain)), "ethereum");
  EXPECT_EQ(spoken("http", having("getnetworkinfo", kNode)), "bitcoin-2.0");
  EXPECT_EQ(spoken("http", having("getnetworkinfo", kOldNode)), "bitcoin-1.1");
}

// The old dialect has result and error both: without the error it is the new one, with a fault.
TEST(Recognition, OfANodeWhoseVersionIsWrongIsByTheShapeOfItsAnswers) {
  for (const char* version : {"", R"("jsonrpc":"1.0",)", R"("jsonrpc":2.0,)"}) {
    const std::string reply =
        std::string("{") + version + R"("id":3000001,"result":{"subversion":"/Satoshi:30.0.0/"}})";
    EXPECT_EQ(spoken("http", having("getnetworkinfo", reply)), "bitcoin-2.0") << version;
  }
}

// It has one version, and names it to nobody who asks for another one.
std::optional<std::string> of_march(const std::string& message) {
  if (message.find("\"initialize\"") == std::string::npos) {
    return R"({"jsonrpc":"2.0","id":3000001,"error":{"code":-32601,"message":"no"}})";
  }
  if (message.find("\"2025-03-26\"") == std::string::npos) {
    return R"({"jsonrpc":"2.0","id":3000001,"error":{"code":-32602,"message":"unsupported"}})";
  }
  return R"({"jsonrpc":"2.0","id":3000001,"result":{"protocolVersion":"2025-03-26"}})";
}

TEST(Recognition, OfAServerThatRefusesVersionsButItsOwn) {
  EXPECT_EQ(spoken("lines", &of_march), "mcp-2025-03-26");
  EXPECT_EQ(spoken("http", &of_march), "mcp-2025-03-26");
}

TEST(Recognition, IsNotOfWhoeverAnswersAnything) {
  for (const char* binding : {"http", "websocket", "lines", "content-length"}) {
    EXPECT_EQ(spoken(binding, saying(kChain)), "none") << binding;
    EXPECT_EQ(spoken(binding, saying(kNode)), "none") << binding;
    EXPECT_EQ(spoken(binding, saying(kOldNode)), "none") << binding;
    EXPECT_EQ(spoken(binding, &echoing), "none") << binding;
    EXPECT_EQ(spoken(binding, saying("[]")), "none") << binding;
    EXPECT_EQ(spoken(binding, saying("no JSON")), "none") << binding;
    EXPECT_EQ(spoken(binding, [](const std::string&) { return std::nullopt; }), "none") << binding;
  }
}

constexpr const char* kLanguageServer =
    R"({"jsonrpc":"2.0","id":3000001,"result":{"capabilities":{}}})";
constexpr const char* kMcpServer =
    R"({"jsonrpc":"2.0","id":3000001,"result":{"protocolVersion":"2025-06-18","capabilities":{}}})";

TEST(Recognition, OnSocketsIsOfTheProtocolThatTheFramingWasMadeFor) {
  const auto on_sockets = [](const char* framing, const char* reply) {
    FakeEndpoint endpoint(framing, having("initialize", reply));
    endpoint.is_on_sockets = true;
    return found_on(std::move(endpoint)).profile;
  };
  EXPECT_EQ(on_sockets("content-length", kLanguageServer), "lsp");
  EXPECT_EQ(on_sockets("lines", kMcpServer), "none");
  EXPECT_EQ(spoken("lines", having("initialize", kMcpServer)), "mcp-2025-06-18");
}

TEST(Recognition, HintsAtTheProtocolWhoseHandshakeIsKnownAndRefused) {
  const auto hint = [](const FakeServer& server) {
    const auto found = found_on(FakeEndpoint("content-length", server));
    EXPECT_EQ(found.profile, "none");
    return found.hint;
  };
  constexpr const char* kRefusal =
      R"({"jsonrpc":"2.0","id":3000001,"error":{"code":-32603,"message":"an option is required"}})";
  const std::string told = hint(having("initialize", kRefusal));
  EXPECT_NE(told.find("an option is required"), std::string::npos) << told;
  EXPECT_NE(told.find("--profile lsp --opening FILE"), std::string::npos) << told;
  EXPECT_EQ(hint(having("eth_chainId", kChain)), "") << "there is no such call";
  EXPECT_EQ(hint(saying(kRefusal)), "") << "it refuses any call so";
}

TEST(Recognition, HintsAtTheProtocolWhoseHandshakeHasAResultOfNone) {
  const auto hint = [](const char* binding, const FakeServer& server) {
    const auto found = found_on(FakeEndpoint(binding, server));
    EXPECT_EQ(found.profile, "none");
    return found.hint;
  };
  constexpr const char* kPlain = R"({"jsonrpc":"2.0","id":3000001,"result":"ok"})";
  for (const auto& [binding, profile] :
       {std::pair("lines", "--profile mcp "), std::pair("content-length", "--profile lsp ")}) {
    const std::string told = hint(binding, having("initialize", kPlain));
    EXPECT_NE(told.find(profile), std::string::npos) << told;
    EXPECT_EQ(hint(binding, saying(kPlain)), "") << "it says so of anything";
    EXPECT_EQ(hint(binding, having("eth_chainId", kPlain)), "") << "there is no such call";
  }
}

TEST(Recognition, HintsAtTheProtocolWhoseDiscoveryHasAResultOfNone) {
  constexpr const char* kNamesNothing = R"({"jsonrpc":"2.0","id":3000001,"result":{}})";
  const auto found = found_on(FakeEndpoint("lines", having("server/discover", kNamesNothing)));
  EXPECT_NE(found.hint.find("--profile mcp"), std::string::npos) << found.hint;
}

TEST(Recognition, HintsAtTheProtocolWhoseVersionIsNotKnownHere) {
  const auto found_where = [](const std::string& version) {
    return found_on(FakeEndpoint(
        "lines",
        having("initialize", R"({"jsonrpc":"2.0","id":3000001,"result":{"protocolVersion":")" +
                                 version + R"(","capabilities":{}}})")));
  };
  const auto old = found_where("2024-11-05");
  EXPECT_EQ(old.profile, "none");
  EXPECT_NE(old.hint.find("does not know: 2024-11-05"), std::string::npos) << old.hint;
  EXPECT_NE(old.hint.find("--opening mcp"), std::string::npos) << old.hint;
  const auto long_one = found_where(R"(1\n)" + std::string(1000, '2'));
  EXPECT_EQ(long_one.hint.find('\n'), std::string::npos) << long_one.hint;
  EXPECT_LT(long_one.hint.size(), 500U) << long_one.hint;
  EXPECT_EQ(found_on(FakeEndpoint("lines", saying(kMcpServer))).hint, "")
      << "it says so of anything";
}

// No case of JSON-RPC alone calls them: what is wrong there would never show.
TEST(Recognition, KeepsWhatAnsweredItsCallsWhereNothingIsRecognised) {
  constexpr const char* kBroken =
      R"({"jsonrpc":"2.0","id":3000001,"data":{"protocolVersion":"2025-06-18"}})";
  for (const char* binding : {"http", "lines"}) {
    const auto found = found_on(FakeEndpoint(binding, having("initialize", kBroken)));
    EXPECT_EQ(found.profile, "none") << binding;
    const bool is_kept = std::ranges::any_of(
        found.first_calls, [&](const auto& each) { return each.answer == kBroken; });
    EXPECT_TRUE(is_kept) << binding;
    EXPECT_EQ(found.left_out, "") << binding;
  }
}

/// Leaves calls of `initialize` out, and answers others.
class Absent : public FakeEndpoint {
 public:
  explicit Absent(bool answers_others) : FakeEndpoint("lines"), answers_others_(answers_others) {}
  std::unique_ptr<session::Conversation> converse() override {
    const bool answers_others = answers_others_;
    auto conversation = std::make_unique<FakeConversation>(
        [answers_others](const std::string& message) -> std::optional<std::string> {
          const bool is_handshake = message.find("\"initialize\"") != std::string::npos;
          if (is_handshake || !answers_others) return std::nullopt;
          return server_without_methods()(message);
        });
    conversation->answers_next_only = true;
    conversation->knows_of_next = answers_others_;
    return conversation;
  }

 private:
  bool answers_others_;
};

TEST(Recognition, TellsOfAHandshakeThatIsLeftOutByWhoAnswersOthers) {
  const auto guardian = transport::Guardian::start();
  ASSERT_TRUE(guardian);
  const auto profiles = corpus::embedded_profiles();
  const auto mcp = std::ranges::find(profiles, "mcp", &corpus::Profile::name);
  ASSERT_NE(mcp, profiles.end());
  for (const bool answers_others : {true, false}) {
    Absent endpoint(answers_others);
    session::Patience patience(milliseconds(1000));
    const auto found = protocol_spoken(*mcp, endpoint, patience, **guardian);
    EXPECT_EQ(found.profile, "");
    const std::string& handshake = mcp->detection.back().message;
    EXPECT_EQ(found.left_out, answers_others ? handshake : "");
    const auto waited = wait_longer_for(handshake, endpoint);
    EXPECT_FALSE(waited.was_answered);
    EXPECT_EQ(waited.left_out.has_value(), answers_others);
    EXPECT_EQ(waited.left_out && !waited.left_out->silence.empty(), answers_others);
  }
}

TEST(Recognition, IsNotOfOthersWithTheSameNames) {
  EXPECT_EQ(spoken("http", having("getblockcount", R"({"jsonrpc":"2.0","id":3000001,"result":1})")),
            "none");
  EXPECT_EQ(spoken("http", having("eth_chainId", R"({"jsonrpc":"2.0","id":3000001,"result":1})")),
            "none");
  EXPECT_EQ(spoken("http", having("getnetworkinfo",
                                  R"({"id":3000001,"result":{"subversion":"/Other:1/"}})")),
            "none");
  EXPECT_EQ(spoken("lines", having("eth_chainId", kChain)), "none");
}

}  // namespace
}  // namespace jrpcheck::run
