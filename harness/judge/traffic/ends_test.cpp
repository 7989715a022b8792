// What ends a call in watched traffic: a close, an order to end, or a response of HTTP.
#include <gtest/gtest.h>

#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace traffic_ends_test {

using namespace traffic_for_testing;

TEST(EndsOfTraffic, WhoClosesFirstOwesItsAnswers) {
  EXPECT_EQ(Conversation().client(kCall).closed(Side::server).found(), Texts{"server res-always"});
  EXPECT_EQ(Conversation().client(kCall).closed(Side::client).closed(Side::server).found(),
            Texts());
}

TEST(EndsOfTraffic, CallThatWaitedLongWhileOthersWereAnsweredWarns) {
  Conversation talk;
  talk.client(R"({"jsonrpc":"2.0","method":"lost","id":7})").client(kCall).server(kResult);
  talk.after(milliseconds(6000)).closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server res-always"});
}

TEST(EndsOfTraffic, CallOfTheServerThatWaitedLongWarnsWhoeverLeaves) {
  const auto asked = [](const char* method) {
    Conversation talk;
    talk.client(kCall).server(R"({"jsonrpc":"2.0","method":")" + std::string(method) +
                              R"(","id":"q"})");
    talk.server(kResult);
    return talk;
  };
  const auto after = [&](milliseconds pause, Side leaving, const char* method = "ask") {
    return asked(method).after(pause).client(kCall).server(kResult).closed(leaving).found();
  };
  for (const Side leaving : {Side::client, Side::server}) {
    EXPECT_EQ(after(milliseconds(6000), leaving), Texts{"client cl-server-call"});
    EXPECT_EQ(after(milliseconds(1000), leaving), Texts());
    EXPECT_EQ(after(milliseconds(6000), leaving, "elicitation/create"), Texts());
  }
  Conversation told = asked("ask");
  told.after(milliseconds(6000)).client(R"({"jsonrpc":"2.0","method":"exit"})");
  EXPECT_EQ(told.closed(Side::client).found(), Texts{"client cl-server-call"}) << "once";
}

TEST(EndsOfTraffic, ClientThatAnswersOthersWarnsForTheCallThatTheyOvertook) {
  constexpr const char* kAsk = R"({"jsonrpc":"2.0","method":"ask","id":"q"})";
  constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"other","id":"r"})";
  constexpr const char* kAnswerToOther = R"({"jsonrpc":"2.0","result":1,"id":"r"})";
  for (const Side leaving : {Side::client, Side::server}) {
    Conversation overtaken;
    overtaken.server(kAsk).server(kOther).client(kAnswerToOther).after(milliseconds(6000));
    EXPECT_EQ(overtaken.closed(leaving).found(), Texts{"client cl-server-call"});
    Conversation last;
    last.server(kOther).client(kAnswerToOther).server(kAsk).after(milliseconds(6000));
    EXPECT_EQ(last.closed(leaving).found(), Texts()) << "it may be at work";
  }
}

TEST(EndsOfTraffic, CallThatWasGivenUpNeedsNoAnswer) {
  const auto after = [](const char* notification) {
    return Conversation().client(kCall).client(notification).closed(Side::server).found();
  };
  for (const auto* given_up :
       {R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})",
        R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})"}) {
    EXPECT_EQ(after(given_up), Texts()) << given_up;
  }
  for (const auto* other : {R"({"jsonrpc":"2.0","method":"unsubscribe","params":{"id":1}})",
                            R"({"jsonrpc":"2.0","method":"told","params":{"requestId":1}})",
                            R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":[1]})"}) {
    EXPECT_EQ(after(other), Texts{"server res-always"}) << other;
  }
}

TEST(EndsOfTraffic, ServerMayLeaveAClientThatBreaksTheFraming) {
  Conversation talk;
  talk.client(kCall).take({Kind::violation, Side::client}).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"client cl-req-json"});
}

TEST(EndsOfTraffic, ServerThatIsToldToEndOwesNothingMore) {
  constexpr const char* kExit = R"({"jsonrpc":"2.0","method":"exit"})";
  Conversation in_time;
  in_time.client(kCall).client(kExit).closed(Side::server).closed(Side::client);
  EXPECT_EQ(in_time.found(), Texts{});
  Conversation late;
  late.client(kCall)
      .client(R"({"jsonrpc":"2.0","method":"echo","id":2})")
      .server(R"({"jsonrpc":"2.0","result":[],"id":2})")
      .after(std::chrono::seconds(6))
      .client(kExit)
      .closed(Side::client);
  EXPECT_EQ(late.found(), Texts{"server res-always"}) << "it had its time, and is told of once";
  Conversation with_params;
  with_params.client(kCall)
      .client(R"({"jsonrpc":"2.0","method":"exit","params":{"room":5}})")
      .closed(Side::server);
  EXPECT_EQ(with_params.found(), Texts{"server res-always"}) << "that is no exit of LSP";
  Conversation as_a_call;
  as_a_call.client(kCall)
      .client(R"({"jsonrpc":"2.0","method":"exit","id":2})")
      .server(R"({"jsonrpc":"2.0","result":null,"id":2})")
      .closed(Side::server);
  EXPECT_EQ(as_a_call.found(), Texts{"server res-always"});
}

TEST(TrafficOverHttp, ResponseAnswersItsRequest) {
  // White space is no message (RFC 8259 §2).
  EXPECT_EQ(Conversation("http").post(kNotification, 200, "\n").found(), Texts());
  EXPECT_EQ(Conversation("http").post(kCall, 200, kResult).post(kNotification, 204, "").found(),
            Texts());
  EXPECT_EQ(Conversation("http").post(kCall, 200, R"({"jsonrpc":"2.0","result":1,"id":9})").found(),
            Texts{"server id-echo"});
  EXPECT_EQ(Conversation("http").post(kCall, 204, "").found(), Texts{"server res-always"});
  EXPECT_EQ(Conversation("http").post(kNotification, 200, kErrorOfNobody).found(),
            Texts{"server ntf-silent-unknown-method"});
}

// RFC 9112 §9.5.
TEST(TrafficOverHttp, ServerThatClosesItsKeptConnectionAsACallComesIsWarnedOf) {
  for (const auto verdict : {corpus::Verdict::warn, corpus::Verdict::fail}) {
    TrafficJudge judge({&real_ledger(), &wire::known_binding("http")});
    dialogue::TrafficEvent event{Kind::message, Side::client};
    event.exchange = 2;
    event.message = std::string(kCall);
    judge.take(event);
    dialogue::TrafficEvent end{Kind::closed, Side::server};
    end.exchange = 2;
    if (verdict == corpus::Verdict::warn) end.note = dialogue::kClosedAsItCame;
    const auto found = judge.take(end).findings;
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].finding.requirement, "res-always");
    EXPECT_EQ(found[0].finding.severity, verdict);
  }
}

TEST(TrafficOverHttp, CallsOnSeveralConnectionsMayHaveOneId) {
  Conversation talk("http");
  for (int i = 0; i < 3; ++i) talk.post(kCall, 200, kResult);
  EXPECT_EQ(talk.found(), Texts());
}

TEST(TrafficOverHttp, RefusalOfAProxyIsNoAnswer) {
  EXPECT_EQ(Conversation("http").post(kCall, 502, "<html>", "text/html").found(), Texts());
  EXPECT_EQ(Conversation("http").post(kCall, 401, R"({"error":"who?"})").found(), Texts());
}

TEST(TrafficOverHttp, RefusalByTheHeadAloneNeedsNoId) {
  const auto error = [](const std::string& code) {
    return R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":null})";
  };
  for (const std::size_t status : {400U, 404U, 429U}) {
    EXPECT_EQ(Conversation("http").post(kCall, status, error("-32001")).found(), Texts());
  }
  EXPECT_EQ(
      Conversation("http").post(kCall, 429, R"({"jsonrpc":"2.0","result":1,"id":null})").found(),
      (Texts{"server http-error-status-of-result", "server id-echo"}));
  const Texts wrong_id = {"server id-echo"};
  for (const std::size_t status : {200U, 500U}) {
    EXPECT_EQ(Conversation("http").post(kCall, status, error("-32001")).found(), wrong_id);
  }
  for (const auto* of_what_was_read : {"-32601", "-32602", "-32700"}) {
    EXPECT_EQ(Conversation("http").post(kCall, 404, error(of_what_was_read)).found(), wrong_id);
  }
}

TEST(TrafficOverHttp, HeadThatStrictClientsRefuseWarns) {
  const auto found_with = [](std::string_view note) {
    Conversation talk("http");
    TrafficEvent event{Kind::message, Side::client};
    event.message = std::string(kCall);
    event.exchange = 1;
    talk.take(event);
    event.side = Side::server;
    event.message = std::string(kResult);
    event.http_status = 200;
    event.content_type = "application/json";
    event.note = note;
    return talk.take(event).found();
  };
  for (const auto note :
       {dialogue::kBareLineFeed, dialogue::kFoldedLine, dialogue::kLengthBesideCoding,
        dialogue::kLengthOf204, dialogue::kTwoTypes}) {
    EXPECT_EQ(found_with(note), Texts{"server http-response-head"});
  }
  EXPECT_EQ(found_with("remark of whoever has recorded it"), Texts());
}

TEST(TrafficOverHttp, StatusAndTypeAreJudged) {
  EXPECT_EQ(Conversation("http").post(kCall, 200, kResult, "text/html").found(),
            Texts{"server http-response-type"});
  EXPECT_EQ(Conversation("http").post(kCall, 500, kResult).found(),
            Texts{"server http-error-status-of-result"});
}

}  // namespace traffic_ends_test
}  // namespace jrpcheck::judge
