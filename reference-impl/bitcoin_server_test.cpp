#include "reference-impl/bitcoin_server.hpp"

#include <gtest/gtest.h>

#include "reference-impl/bitcoin_http.hpp"

namespace jrpcheck::reference {
namespace bitcoin_server_test {

std::string told(const std::string& message, bool knows_2_0 = true) {
  return BitcoinServer(knows_2_0).handle(message).value_or("silence");
}

TEST(BitcoinServer, AnswersEachCallInItsOwnDialect) {
  EXPECT_EQ(told(R"({"id":1,"method":"getblockcount"})"), R"({"result":2,"error":null,"id":1})");
  EXPECT_EQ(told(R"({"jsonrpc":"2.0","id":1,"method":"getblockcount"})"),
            R"({"jsonrpc":"2.0","result":2,"id":1})");
  EXPECT_EQ(told(R"([{"jsonrpc":"2.0","id":1,"method":"getblockcount"},)"
                 R"({"id":2,"method":"getblockcount"}])"),
            R"([{"jsonrpc":"2.0","result":2,"id":1},{"result":2,"error":null,"id":2}])");
}

TEST(BitcoinServer, OfBeforeV28KnowsOneDialect) {
  EXPECT_EQ(told(R"({"jsonrpc":"2.0","id":1,"method":"getblockcount"})", false),
            R"({"result":2,"error":null,"id":1})");
  EXPECT_EQ(told(R"({"jsonrpc":"2.0","method":"getblockcount"})", false),
            R"({"result":2,"error":null,"id":null})");
}

TEST(BitcoinServer, WithoutAnIdOnlyTheNewDialectIsSilent) {
  EXPECT_EQ(told(R"({"method":"getblockcount"})"), R"({"result":2,"error":null})");
  EXPECT_EQ(told(R"({"jsonrpc":"2.0","method":"getblockcount"})"), "silence");
  EXPECT_EQ(told(R"({"jsonrpc":"2.0","method":"nobodys"})"), "silence");
  EXPECT_NE(told(R"({"jsonrpc":"2.0"})"), "silence");
  EXPECT_EQ(told(R"([{"jsonrpc":"2.0"}])"), "silence");
  EXPECT_EQ(told("[]"), "[]");
}

TEST(BitcoinServer, TakesParamsByPositionByNameAndBoth) {
  const std::string of_block_0 = told(R"({"id":1,"method":"getblockhash","params":[0]})");
  EXPECT_EQ(told(R"({"id":1,"method":"getblockhash","params":{"height":0}})"), of_block_0);
  EXPECT_EQ(told(R"({"id":1,"method":"getblockhash","params":{"args":[0]}})"), of_block_0);
  for (const auto* wrong : {R"({"hight":0})", R"({"args":[0],"height":0})", "[42000000]"}) {
    const std::string call = R"({"id":1,"method":"getblockhash","params":)" + std::string(wrong);
    EXPECT_NE(told(call + "}").find("\"code\":-8,"), std::string::npos) << wrong;
  }
}

wire::HttpMessage request(const std::string& body, const std::string& login) {
  wire::HttpMessage request;
  request.method = "POST";
  request.target = "/";
  request.body = body;
  if (!login.empty()) request.fields.emplace_back("Authorization", login);
  return request;
}

std::string status_line(const std::string& body, const std::string& login) {
  const BitcoinServer node;
  const auto answer = answer_of_bitcoin(
      request(body, login), [&](std::string_view message) { return node.handle(message); });
  return answer.bytes.substr(0, answer.bytes.find("\r\n"));
}

TEST(BitcoinHttp, HasStatusesByDialectAndLetsNobodyInWithoutLogin) {
  const std::string login = "Basic anJwY2hlY2s6anJwY2hlY2s=";
  EXPECT_EQ(status_line(R"({"id":1,"method":"x"})", login), "HTTP/1.1 404 Not Found");
  EXPECT_EQ(status_line(R"({"id":1})", login), "HTTP/1.1 400 Bad Request");
  EXPECT_EQ(status_line(R"({"jsonrpc":"2.0","id":1,"method":"x"})", login), "HTTP/1.1 200 OK");
  EXPECT_EQ(status_line(R"({"jsonrpc":"2.0","method":"x"})", login), "HTTP/1.1 204 No Content");
  EXPECT_EQ(status_line("{bad", login), "HTTP/1.1 500 Internal Server Error");
  EXPECT_EQ(status_line("{bad", ""), "HTTP/1.1 401 Unauthorized");
  EXPECT_EQ(status_line("{}", "Basic eA=="), "HTTP/1.1 401 Unauthorized");
}

}  // namespace bitcoin_server_test
}  // namespace jrpcheck::reference
