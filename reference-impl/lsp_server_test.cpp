#include "reference-impl/lsp_server.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace jrpcheck::reference {
namespace lsp_server_test {

using nlohmann::json;

struct LanguageServer {
  json ask(const std::string& method, const std::string& params = "{}") const {
    const auto reply = server.handle(R"({"jsonrpc":"2.0","id":1,"method":")" + method +
                                     R"(","params":)" + params + "}");
    return reply ? json::parse(*reply) : json();
  }
  void leave() const { server.handle(R"({"jsonrpc":"2.0","method":"exit"})"); }

  std::shared_ptr<int> code = std::make_shared<int>(-1);
  LspServer server{[code = code](int given) { *code = given; }};
};

constexpr const char* kClient = R"({"processId":null,"rootUri":null,"capabilities":{}})";

TEST(LspServer, RefusesWhatComesBeforeInitializeAndBehindShutdown) {
  const LanguageServer server;
  EXPECT_EQ(server.ask("textDocument/hover")["error"]["code"], -32002);
  EXPECT_TRUE(server.ask("initialize", kClient)["result"]["capabilities"].is_object());
  EXPECT_EQ(server.ask("initialize", kClient)["error"]["code"], -32600);
  EXPECT_EQ(server.ask("textDocument/hover")["error"]["code"], -32602);
  EXPECT_EQ(server.ask("$/unknown")["error"]["code"], -32601);
  const auto reply = server.ask("shutdown");
  EXPECT_TRUE(reply.contains("result") && reply["result"].is_null());
  EXPECT_EQ(server.ask("textDocument/hover")["error"]["code"], -32600);
}

TEST(LspServer, LeavesWithTheCodeThatTellsWhetherItWasShutDown) {
  const LanguageServer rude;
  rude.leave();
  EXPECT_EQ(*rude.code, 1);
  const LanguageServer polite;
  polite.ask("initialize", kClient);
  polite.ask("shutdown");
  polite.leave();
  EXPECT_EQ(*polite.code, 0);
}

}  // namespace lsp_server_test
}  // namespace jrpcheck::reference
