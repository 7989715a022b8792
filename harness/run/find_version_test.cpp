#include "run/find_version.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace {

/// One whose conversations are with this server.
class Served final : public FakeEndpoint {
 public:
  Served(std::string binding, FakeServer server)
      : FakeEndpoint(std::move(binding)), server_(std::move(server)) {}

  std::unique_ptr<session::Conversation> converse() override {
    return std::make_unique<FakeConversation>(server_);
  }
  std::unique_ptr<session::Conversation> converse_bare() override { return converse(); }

 private:
  FakeServer server_;
};

std::string spoken(const std::string& binding, const FakeServer& server) {
  Served endpoint(binding, server);
  const auto guardian = transport::Guardian::start();
  if (!guardian) return guardian.error().message;
  session::Patience patience(milliseconds(1000));
  for (const auto& profile : corpus::embedded_profiles()) {
    const std::string name = protocol_spoken(profile, endpoint, patience, **guardian);
    if (!name.empty()) return name;
  }
  return "none";
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

TEST(Recognition, IsNotOfOthersWithTheSameNames) {
  EXPECT_EQ(spoken("http", having("eth_chainId", R"({"jsonrpc":"2.0","id":3000001,"result":1})")),
            "none");
  EXPECT_EQ(spoken("http", having("getnetworkinfo",
                                  R"({"id":3000001,"result":{"subversion":"/Other:1/"}})")),
            "none");
  EXPECT_EQ(spoken("lines", having("eth_chainId", kChain)), "none");
}

}  // namespace
}  // namespace jrpcheck::run
