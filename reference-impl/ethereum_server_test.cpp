#include "reference-impl/ethereum_server.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace jrpcheck::reference {
namespace ethereum_server_test {

using nlohmann::json;

json told(const EthereumServer& node, const std::string& method, const std::string& params) {
  const auto reply = node.handle(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                                 R"(","params":)" + params + "}");
  return reply ? json::parse(*reply) : json();
}

TEST(EthereumServer, TellsOfItsChain) {
  const EthereumServer node(false);
  EXPECT_EQ(told(node, "eth_chainId", "[]")["result"], "0x539");
  EXPECT_TRUE(told(node, "eth_getBlockByNumber", R"(["0xffff",false])")["result"].is_null());
  const auto full = told(node, "eth_getBlockByNumber", R"(["latest",true])")["result"];
  EXPECT_TRUE(full["transactions"][0].is_object());
  EXPECT_EQ(told(node, "eth_getBlockByNumber", R"(["0x01",false])")["error"]["code"], -32602);
}

TEST(EthereumServer, SaysTheSameOfItsTransactionEverywhere) {
  const EthereumServer node(false);
  const auto block = told(node, "eth_getBlockByNumber", R"(["latest",true])")["result"];
  const json& transaction = block["transactions"][0];
  const std::string hash = "[" + transaction["hash"].dump() + "]";
  const auto receipt = told(node, "eth_getTransactionReceipt", hash)["result"];
  const auto log = told(node, "eth_getLogs", "[{}]")["result"][0];
  for (const json& each : {transaction, receipt, log}) {
    EXPECT_EQ(each["blockHash"], block["hash"]);
    EXPECT_EQ(each["blockNumber"], block["number"]);
  }
  for (const std::string place : {"0x0", "0x1", "0x2"}) {
    EXPECT_EQ(told(node, "eth_getBlockTransactionCountByNumber", "[\"" + place + "\"]")["result"],
              place == "0x2" ? "0x1" : "0x0");
  }
}

TEST(EthereumServer, RevertsWithTheBytesOfTheProgram) {
  const EthereumServer node(false);
  const auto error =
      told(node, "eth_call", R"([{"data":"0x600160005260206000fd"},"latest"])")["error"];
  EXPECT_EQ(error["code"], 3);
  EXPECT_EQ(error["data"].get<std::string>().size(), 66U);
}

TEST(EthereumServer, SubscribesWhereItCanTell) {
  EXPECT_EQ(told(EthereumServer(false), "eth_subscribe", R"(["newHeads"])")["error"]["code"],
            -32601);
  const EthereumServer node(true);
  const json id = told(node, "eth_subscribe", R"(["newHeads"])")["result"];
  EXPECT_EQ(told(node, "eth_unsubscribe", "[" + id.dump() + "]")["result"], true);
  EXPECT_EQ(told(node, "eth_unsubscribe", "[" + id.dump() + "]")["result"], false);
}

}  // namespace ethereum_server_test
}  // namespace jrpcheck::reference
