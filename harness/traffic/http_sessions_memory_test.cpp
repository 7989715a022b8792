#include <gtest/gtest.h>

#include "traffic/http_sessions_for_testing.hpp"

namespace jrpcheck::traffic {
namespace http_sessions_memory_test {

using dialogue::Side;

class MemoryOfSessions : public SessionsOverHttp {
 protected:
  // A session that keeps more than all else.
  void fill(std::size_t connection, const std::string& id) {
    for (int i = 1000; i < 2000; ++i) ask(connection, i, in(id));
  }
  void take_away_one_byte() {
    const std::size_t most = sessions_.kept() - 1;
    sessions_.keep_within(most);
    EXPECT_LE(sessions_.kept(), most);
  }
  static std::string without_version(const std::string& id) {
    return "Mcp-Session-Id: " + id + "\r\n";
  }
};

TEST_F(MemoryOfSessions, LargestSessionIsLeftAndTheOthersStayJudged) {
  begin(1, "a");
  begin(2, "b");
  fill(1, "a");
  sessions_.keep_within(sessions_.kept());
  ask(1, 2, without_version("a"));
  EXPECT_EQ(charged_, "mcp-c-http-version ") << "there was room for all";
  take_away_one_byte();
  ask(1, 3, without_version("a"));
  EXPECT_EQ(charged_, "mcp-c-http-version ") << "what is left is not charged";
  ask(2, 2, without_version("b"));
  EXPECT_EQ(charged_, "mcp-c-http-version mcp-c-http-version ");
}

TEST_F(MemoryOfSessions, WhatIsLeftStaysSo) {
  begin(1, "a");
  fill(1, "a");
  take_away_one_byte();
  open(2, "a");
  ask(2, 2, without_version("a"));
  ask(1, 2, without_version("a"));
  EXPECT_EQ(charged_, "") << "whose messages these are nobody knows";
  begin(3, "c");
  ask(3, 2, without_version("c"));
  EXPECT_EQ(charged_, "mcp-c-http-version ");
}

TEST_F(MemoryOfSessions, SessionThatIsLeftMayBeTheOneThatNobodyNames) {
  post(1, kInitialize);
  answer(
      1,
      R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"a":")" +
          std::string(10'000, 'x') + "\"}}}",
      "Mcp-Session-Id: a\r\n");
  take_away_one_byte();
  post(3, list(2));
  answer(3, kNoSession, "", "400 Bad Request");
  EXPECT_EQ(charged_, "");
}

TEST_F(MemoryOfSessions, ClientsWithoutHandshakeAreLeftTogether) {
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  for (int i = 1; i <= 500; ++i) {
    post(1, list_without_handshake(i), version + "Mcp-Method: tools/list\r\n");
    answer(1, "", "", "202 Accepted");
  }
  EXPECT_EQ(charged_, "");
  take_away_one_byte();
  post(1, list_without_handshake(501), version);
  EXPECT_EQ(charged_, "");
}

TEST_F(MemoryOfSessions, WhereWhatIsNotAnsweredTakesMostNobodyIsJudgedFromTheMiddle) {
  begin(1, "a");
  for (int i = 2; i < 500; ++i) post(2, list(i), in("a"));
  take_away_one_byte();
  ask(1, 500, without_version("a"));
  EXPECT_EQ(charged_, "");
  begin(3, "b");
  ask(3, 2, without_version("b"));
  EXPECT_EQ(charged_, "mcp-c-http-version ");
}

TEST_F(MemoryOfSessions, WhereTooManyRequestsWaitNobodyIsJudgedFromTheMiddle) {
  open(1, "a");
  for (std::size_t i = 1; i <= 10'000; ++i) {
    sessions_.take_head({Side::client, now_, 2, i, "POST", "a/mcp"});
  }
  be_ready(1, "a");
  sessions_.forget(2);
  ask(1, 2, in("a"));
  wait();
  ask(1, 3, in("a"));
  EXPECT_EQ(charged_, "") << "its word that it is ready may have been passed over";
}

TEST_F(MemoryOfSessions, SessionsThatAreGoneKeepLittle) {
  begin(1, "a");
  fill(1, "a");
  const std::size_t before = sessions_.kept();
  post(1, list(2), in("a"));
  answer(1, "", "", "404 Not Found");
  leave(1, "");
  EXPECT_LT(sessions_.kept(), before / 2);
}

}  // namespace http_sessions_memory_test
}  // namespace jrpcheck::traffic
