#include "traffic/http_sessions.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "traffic/http_sessions_for_testing.hpp"

namespace jrpcheck::traffic {
namespace http_sessions_test {

using dialogue::Side;

TEST_F(SessionsOverHttp, SeveralClientsShareConnectionsAndIds) {
  open(1, "a");
  begin(1, "b");
  be_ready(2, "a");
  ask(1, 2, in("a"));
  ask(1, 2, in("b"));
  ask(2, 3, in("a"));
  EXPECT_EQ(charged_, "");
  EXPECT_TRUE(exercised_.contains("mcp-c-http-session"));
  EXPECT_TRUE(exercised_.contains("mcp-c-http-version"));
  ask(2, 3, in("b"));
  EXPECT_EQ(charged_, "");
  ask(1, 3, in("b"));
  EXPECT_EQ(charged_, "mcp-c-request-id-unique ");
}

TEST_F(SessionsOverHttp, RequestThatWasLostWithItsConnectionMayBeRepeated) {
  begin(1, "a");
  post(1, list(2), in("a"));
  taps_[1]->close(Side::server, now_, "");
  ask(2, 2, in("a"));
  EXPECT_EQ(charged_, "");
  ask(2, 2, in("a"));
  EXPECT_EQ(charged_, "mcp-c-request-id-unique ") << "it has been answered";
  post(2, list(3), in("a"));
  taps_[2]->close(Side::server, now_, "");
  post(3, R"({"jsonrpc":"2.0","id":3,"method":"tools/list","params":{}})", in("a"));
  EXPECT_EQ(charged_, "mcp-c-request-id-unique mcp-c-request-id-unique ") << "another request";
}

TEST_F(SessionsOverHttp, HeadsAreThoseOfTheSession) {
  begin(1, "a");
  ask(1, 2, "Mcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-version ");
  ask(1, 3, "Mcp-Session-Id: a\r\nMCP-Protocol-Version: 2025-06-18\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-version mcp-c-http-version-value ");
}

TEST_F(SessionsOverHttp, WhoNamesNoSessionIsOfTheOneOfItsConnection) {
  const std::string version = "MCP-Protocol-Version: 2025-11-25\r\n";
  begin(1, "a");
  ask(2, 2, version);
  EXPECT_EQ(charged_, "") << "nobody knows whose it is";
  ask(1, 2, version);
  EXPECT_EQ(charged_, "mcp-c-http-session ");
  open(1, "b");
  ask(1, 3, version);
  EXPECT_EQ(charged_, "mcp-c-http-session ") << "two share the connection";
}

TEST_F(SessionsOverHttp, ServerThatGivesNoIdsHasSessionsThatCannotBeTold) {
  begin(1, "a");
  open(2, "");
  ask(1, 2, "");
  ask(2, 2, "");
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, WhatComesFirstMayBeSeenLast) {
  open(1, "a");
  post(2, list(2), in("a"));
  post(1, kInitialized, in("a"));
  ask(3, 3, in("a"));
  EXPECT_EQ(charged_, "");
  post(1, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4}})",
       in("a"));
  post(2, list(4), in("a"));
  wait();
  ask(3, 5, in("a"));
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, WhoNeverSaysThatItIsReadyIsChargedInTime) {
  open(1, "a");
  ask(1, 2, in("a"));
  EXPECT_EQ(charged_, "");
  leave(1, in("a"));
  wait();
  open(2, "b");
  EXPECT_EQ(charged_, "mcp-c-initialized ");
}

TEST_F(SessionsOverHttp, OrAtTheEndWhereAnswersHaveComeOrTheClientHasLeft) {
  const auto found_at_end = [this] {
    EXPECT_EQ(charged_, "");
    note(sessions_.end());
    return std::exchange(charged_, "");
  };
  open(1, "a");
  post(1, list(2), in("a"));
  EXPECT_EQ(found_at_end(), "") << "its word may be on its way";
  answer(1, R"({"jsonrpc":"2.0","id":2,"result":{"tools":[]}})");
  EXPECT_EQ(found_at_end(), "mcp-c-initialized ");
  open(2, "b");
  post(2, list(2), in("b"));
  leave(3, in("b"));
  EXPECT_EQ(found_at_end(), "mcp-c-initialized ");
}

TEST_F(SessionsOverHttp, WhatNobodyHasAskedIsCancelledAtTheEndToo) {
  const auto cancel = [this](int id) {
    post(1,
         R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" +
             std::to_string(id) + "}}",
         in("a"));
    answer(1, "", "", "202 Accepted");
  };
  begin(1, "a");
  cancel(9);
  ask(1, 2, in("a"));
  cancel(2);
  cancel(8);
  note(sessions_.end());
  EXPECT_EQ(charged_, "mcp-c-cancel-own ") << "what the last one cancels may be on its way";
}

TEST_F(SessionsOverHttp, WhatIsHeldIsAskedBeforeItIsCancelled) {
  open(1, "a");
  post(2, list(2), in("a"));
  post(1, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}})",
       in("a"));
  wait();
  post(3, list(3), in("a"));
  EXPECT_EQ(charged_.find("mcp-c-cancel-own"), std::string::npos) << charged_;
}

TEST_F(SessionsOverHttp, WhatNobodyHasAskedIsCancelledInTime) {
  begin(1, "a");
  post(1, R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}})",
       in("a"));
  answer(1, "", "", "202 Accepted");
  wait();
  ask(1, 2, in("a"));
  EXPECT_EQ(charged_, "mcp-c-cancel-own ");
}

class SessionThatIsGone : public SessionsOverHttp {
 protected:
  SessionThatIsGone() {
    begin(1, "a");
    refuse(1, 2);
  }
  void refuse(std::size_t connection, int id) {
    post(connection, list(id), in("a"));
    answer(connection, "", "", "404 Not Found");
  }
};

TEST_F(SessionThatIsGone, WhoGoesOnInItIsCharged) {
  refuse(1, 3);
  refuse(1, 4);
  EXPECT_EQ(charged_, "") << "it may not have come to it";
  wait();
  refuse(1, 5);
  EXPECT_EQ(charged_, "mcp-c-http-session-404 ");
}

TEST_F(SessionThatIsGone, WhoBeginsAnewIsRight) {
  begin(1, "b");
  wait();
  for (const int id : {3, 4, 5, 6}) refuse(1, id);  // of another task
  ask(1, 7, in("b"));
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionThatIsGone, NewOneDoesNotNameIt) {
  post(1, kInitialize, "Mcp-Session-Id: a\r\n");
  answer(1, "{}");
  EXPECT_EQ(charged_, "mcp-c-http-session-404 ");
}

TEST_F(SessionThatIsGone, WhereItIsAnsweredAgainItWasNotGone) {
  ask(1, 3, in("a"));
  wait();
  for (const int id : {4, 5, 6, 7}) refuse(1, id);
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, AfterDeleteNothingIsAskedOfASession) {
  begin(1, "a");
  leave(1, in("a"));
  ask(1, 2, "Mcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, DeleteNamesTheVersionThatWasAgreedOn) {
  open(1, "a");
  leave(1, "Mcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "") << "it has not gone on in it";
  begin(1, "b");
  leave(1, "Mcp-Session-Id: b\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-version ");
}

TEST_F(SessionsOverHttp, WhereSomethingIsMissingNobodyIsJudged) {
  begin(1, "a");
  sessions_.lose();
  ask(1, 2, "Mcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "");
  begin(1, "b");
  ask(1, 2, "Mcp-Session-Id: b\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-version ") << "what begins later is seen from its beginning";
}

TEST_F(SessionsOverHttp, ClientsWithoutHandshakeNeedNone) {
  const std::string asked = list_without_handshake();
  const std::string head = "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\n";
  for (const std::size_t connection : {1, 2}) post(connection, asked, head);
  EXPECT_EQ(charged_, "");
  EXPECT_TRUE(exercised_.contains("mcp-c-hdr-method"));
  post(3, asked, "MCP-Protocol-Version: 2026-07-28\r\n");
  EXPECT_EQ(charged_, "mcp-c-hdr-method ");
}

TEST_F(SessionsOverHttp, AtEachPlaceSessionsAreTheirOwn) {
  open(1, "a", "/one");
  open(2, "a", "/two");
  post(1, kInitialized, in("a"), "/one");
  post(1, list(2), in("a"), "/one");
  post(1, kInitialized, in("a"), "/two");
  post(1, list(2), in("a"), "/two");
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, StreamThatItsClientLeavesTakesNothingFromTheSession) {
  begin(1, "a");
  feed(2, Side::client,
       "GET /mcp HTTP/1.1\r\nHost: a\r\nAccept: text/event-stream\r\n" + in("a") + "\r\n");
  feed(2, Side::server,
       "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
       "6\r\ndata: \r\n");
  taps_[2]->close(Side::client, now_, "");
  taps_[2]->close(Side::server, now_, "");
  ask(1, 2, "Mcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-version ");
}

TEST_F(SessionsOverHttp, ClientThatNeverBeginsASessionIsFoundWhereTheServerSaysSo) {
  post(1, list(1));
  answer(1, kNoSession, "", "400 Bad Request");
  EXPECT_EQ(charged_, "mcp-c-init-first ");
}

TEST_F(SessionsOverHttp, OrWhereTheServerGivesEachClientAnId) {
  post(1, list(1));
  answer(1, "", "", "400 Bad Request");
  EXPECT_EQ(charged_, "") << "it may be refused for whatever";
  open(2, "a");
  EXPECT_EQ(charged_, "mcp-c-init-first ");
  be_ready(2, "a");
  ask(2, 2, in("a"));
  EXPECT_EQ(charged_, "mcp-c-init-first ");
}

TEST_F(SessionsOverHttp, WhoMayHaveBegunASessionIsNotChargedWithNone) {
  open(1, "a");
  open(2, "b");
  post(3, list(2));
  answer(3, kNoSession, "", "400 Bad Request");
  be_ready(2, "b");
  be_ready(1, "a");
  ask(1, 2, in("a"));
  EXPECT_EQ(charged_, "") << "whoever has left the id out here may name it there";
  ask(1, 3, "MCP-Protocol-Version: 2025-11-25\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-session ") << "where the connection shows whose it is";
}

TEST_F(SessionsOverHttp, NorWhoDoesNotWaitForTheAnswerToInitialize) {
  post(1, kInitialize);
  post(2, list(2));
  answer(2, kNoSession, "", "400 Bad Request");
  EXPECT_EQ(charged_, "");
}

TEST_F(SessionsOverHttp, WhoIsRefusedOtherwiseMayHaveASession) {
  const std::string version = "MCP-Protocol-Version: 2025-11-25\r\n";
  // Older than what is seen here, at a server that gives no ids; or named in the query.
  open(2, "");
  post(1, list(2), version);
  answer(1, kNoSession, "", "400 Bad Request");
  post(1, list(3), version, "/messages?sessionId=7");
  answer(1, kNoSession, "", "400 Bad Request");
  post(1, list(4), version, "/other");
  answer(1, R"({"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no such cursor"}})", "",
         "400 Bad Request");
  post(1, list(5), version, "/other");
  answer(1, kNoSession, "", "404 Not Found");
  post(1, R"({"jsonrpc":"2.0","id":6,"method":"ping"})", version, "/other");
  answer(1, kNoSession, "", "400 Bad Request");
  post(1, R"({"jsonrpc":"2.0","id":1,"method":"server/discover"})", "", "/other");
  answer(1, kNoSession, "", "400 Bad Request");
  EXPECT_EQ(charged_.find("mcp-c-init-first"), std::string::npos) << charged_;
}

TEST_F(SessionsOverHttp, HeadOfAGetIsJudgedInItsSession) {
  const auto get = [this](const std::string& fields) {
    feed(1, Side::client, "GET /mcp HTTP/1.1\r\nHost: a\r\n" + fields + "\r\n");
    answer(1, "", "", "405 Method Not Allowed");
  };
  get("Accept: text/html\r\n");
  open(1, "a");
  get("Accept: application/json\r\nMcp-Session-Id: b\r\n");
  be_ready(1, "a");
  get("Accept: application/json;q=0.5, Text/Event-Stream\r\n" + in("a"));
  EXPECT_EQ(charged_, "");
  EXPECT_TRUE(exercised_.contains("mcp-c-http-accept-get"));
  get("Accept: application/json\r\n" + in("a"));
  EXPECT_EQ(charged_, "mcp-c-http-accept-get ");
  get("Accept: text/event-stream\r\nMcp-Session-Id: a\r\n");
  EXPECT_EQ(charged_, "mcp-c-http-accept-get mcp-c-http-version ");
}

TEST_F(SessionsOverHttp, WhatIsFoundNamesItsSession) {
  begin(1, "0123456789abcdef");
  ask(1, 2, in("0123456789abcdef"));
  ask(1, 2, in("0123456789abcdef"));
  EXPECT_EQ(charged_, "mcp-c-request-id-unique ");
  EXPECT_EQ(named_, "session 01234567...");
}

TEST_F(SessionsOverHttp, ArgumentThatIsRepeatedIsTheOneOfTheBody) {
  const std::string version = "MCP-Protocol-Version: 2026-07-28\r\n";
  post(1, list_without_handshake(), version + "Mcp-Method: tools/list\r\n");
  answer(
      1,
      R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}}]}})");
  const auto call = [&](const std::string& fields) {
    post(
        2,
        R"({"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t","arguments":{"region":"here"},)" +
            kMeta + "}}",
        version + "Mcp-Method: tools/call\r\nMcp-Name: t\r\n" + fields);
    answer(2, R"({"jsonrpc":"2.0","id":2,"result":{}})");
  };
  call("Mcp-Param-Region: here\r\n");
  EXPECT_TRUE(exercised_.contains("mcp-c-hdr-param"));
  call("");
  EXPECT_EQ(charged_, "") << "another client may not know the tool";
  call("Mcp-Param-Region: there\r\n");
  EXPECT_EQ(charged_, "mcp-c-hdr-param-types ");
}

}  // namespace http_sessions_test
}  // namespace jrpcheck::traffic
