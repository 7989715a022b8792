#include "judge/traffic.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace traffic_test {

using dialogue::Side;
using dialogue::TrafficEvent;
using Kind = TrafficEvent::Kind;
using Texts = std::vector<std::string>;

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"echo","params":[1],"id":1})";
constexpr const char* kResult = R"({"jsonrpc":"2.0","result":[1],"id":1})";
constexpr const char* kNotification = R"({"jsonrpc":"2.0","method":"note"})";
constexpr const char* kErrorOfNobody =
    R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":null})";

/// Tells "server res-once" for each finding, in the order in which they are made.
class Conversation {
 public:
  explicit Conversation(std::string_view binding = "lines", bool from_the_beginning = true)
      : judge_({&real_ledger(), &wire::known_binding(binding), from_the_beginning}) {}

  Conversation& client(const std::string& text) { return say(Side::client, text); }
  Conversation& server(const std::string& text) { return say(Side::server, text); }
  Conversation& after(milliseconds pause) {
    now_ += pause;
    return *this;
  }
  Conversation& closed(Side side) { return take({Kind::closed, side}); }
  Conversation& lost() { return take({Kind::lost, Side::client}); }
  Conversation& post(const std::string& request, std::size_t status, const std::string& response,
                     const std::string& type = "application/json") {
    TrafficEvent event{Kind::message, Side::client};
    event.message = request;
    event.exchange = ++exchange_;
    take(event);
    event.side = Side::server;
    event.message = response;
    event.http_status = status;
    event.content_type = type;
    return take(event);
  }
  Conversation& take(TrafficEvent event) {
    now_ += milliseconds(1);
    event.at = now_;
    auto shown = judge_.take(event);
    for (const auto& each : shown.findings) {
      found_.push_back(std::string(name_of(each.side)) + " " + each.finding.requirement);
    }
    for (auto& each : shown.answered) answered_.push_back(each.method);
    return *this;
  }

  const Texts& found() const { return found_; }
  const Texts& answered() const { return answered_; }
  TrafficJudge& judge() { return judge_; }

 private:
  Conversation& say(Side side, const std::string& text) {
    TrafficEvent event{Kind::message, side};
    event.message = text;
    return take(event);
  }

  TrafficJudge judge_;
  microseconds now_{0};
  std::size_t exchange_ = 0;
  Texts found_;
  Texts answered_;
};

TEST(Traffic, WhatIsRightIsNotCharged) {
  Conversation talk;
  talk.client(kCall).server(kResult).client(kNotification);
  talk.client(R"([{"jsonrpc":"2.0","method":"a","id":"x"},{"jsonrpc":"2.0","method":"b"}])");
  talk.server(R"([{"jsonrpc":"2.0","result":1,"id":"x"}])");
  talk.server(R"({"jsonrpc":"2.0","method":"ask","id":1})");
  talk.client(R"({"jsonrpc":"2.0","result":null,"id":1})");
  talk.client(kCall).server(kResult);  // an id may be used again once it is answered
  talk.closed(Side::client).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.answered(), (Texts{"echo", "a", "ask", "echo"}));
  EXPECT_EQ(talk.judge().counts(Side::client).calls, 3U);
  EXPECT_EQ(talk.judge().counts(Side::client).notifications, 2U);
  EXPECT_EQ(talk.judge().counts(Side::client).batches, 1U);
}

TEST(Traffic, EnvelopesOfBothSidesAreJudged) {
  EXPECT_EQ(Conversation().client(R"({"method":"a","id":1})").found(),
            Texts{"client cl-req-version"});
  EXPECT_EQ(Conversation().client(kCall).server(R"({"result":1,"id":1})").found(),
            Texts{"server res-version"});
  EXPECT_EQ(Conversation().client(kCall).server("nonsense").found(), Texts{"server res-json"});
  EXPECT_EQ(Conversation().client("{").found(), Texts{"client cl-req-json"});
}

TEST(Traffic, AnswerInOnePointZeroToACallInOnePointZeroIsRight) {
  Conversation talk;
  talk.client(R"({"method":"a","params":[],"id":1})").server(R"({"result":1,"error":null,"id":1})");
  EXPECT_EQ(talk.found(), Texts{"client cl-req-version"});
}

TEST(Traffic, ResponsesOfAClientAreChargedToTheClient) {
  Conversation talk;
  talk.server(R"({"jsonrpc":"2.0","method":"ask","id":1})").client(R"({"result":1,"id":1})");
  EXPECT_EQ(talk.found(), Texts{"client cl-response"});
}

TEST(Traffic, AnswersThatAreLetGoAreCounted) {
  const auto let_go = [](Conversation& talk) { return talk.judge().counts(Side::client).let_go; };
  Conversation talk;
  talk.server("nonsense").server(kNotification).client(kErrorOfNobody);
  EXPECT_EQ(talk.found(), Texts{"server res-json"});
  EXPECT_EQ(let_go(talk), 1U);
  talk.client(kErrorOfNobody);
  EXPECT_EQ(talk.found().back(), "client cl-response") << "one excuse is for one answer";
  EXPECT_EQ(let_go(talk), 1U);
  Conversation with_an_id;
  with_an_id.server("nonsense").client(R"({"jsonrpc":"2.0","result":1,"id":7})");
  EXPECT_EQ(let_go(with_an_id), 1U);
  Conversation lossy;
  lossy.lost().client(kErrorOfNobody).client(R"({"jsonrpc":"2.0","result":1,"id":7})");
  EXPECT_EQ(let_go(lossy), 2U);
}

TEST(Traffic, ResponseIsNotAnswered) {
  constexpr const char* kThanks = R"({"jsonrpc":"2.0","result":"thanks","id":7})";
  constexpr const char* kRefusal =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
  for (const auto* answer : {kThanks, kRefusal}) {
    EXPECT_EQ(Conversation().client(kCall).server(kResult).client(answer).found(),
              Texts{"client cl-no-answer-to-answer"});
    EXPECT_EQ(Conversation().client(answer).found(), Texts{"client cl-response"}) << "to nothing";
  }
  // What else has come may be what is answered.
  Conversation told;
  told.client(kCall).server(kResult).server(R"({"jsonrpc":"2.0","method":"told"})");
  EXPECT_EQ(told.client(kThanks).found(), Texts{"client cl-response"});
}

TEST(Traffic, CallsInFlightHaveDistinctIds) {
  EXPECT_EQ(Conversation().client(kCall).client(kCall).found(), Texts{"client cl-id-unique"});
  EXPECT_EQ(Conversation().client(kCall).server(kResult).client(kCall).found(), Texts());
}

TEST(Traffic, SecondAnswerIsToldFromAnAnswerToNobody) {
  Conversation twice;
  EXPECT_EQ(twice.client(kCall).server(kResult).server(kResult).found(), Texts{"server res-once"});
  EXPECT_EQ(Conversation().client(kNotification).server(kResult).found(), Texts{"server res-once"});
}

TEST(Traffic, IdOfAnotherTypeIsAWrongId) {
  Conversation talk;
  talk.client(kCall).server(R"({"jsonrpc":"2.0","result":[1],"id":"1"})");
  EXPECT_EQ(talk.found(), Texts{"server id-echo"});
  EXPECT_EQ(talk.answered(), Texts{"echo"});
}

TEST(Traffic, AnsweredNotificationIsFoundOnceNoCallCanBeMeant) {
  EXPECT_EQ(Conversation().client(kNotification).server(kErrorOfNobody).found(),
            Texts{"server ntf-silent-unknown-method"});
  Conversation talk;
  talk.client(kCall).client(kNotification).server(kErrorOfNobody);
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.server(kResult).found(), Texts{"server ntf-silent-unknown-method"});
}

TEST(Traffic, ErrorWithNullIdMayAnswerWhatIsWrong) {
  EXPECT_EQ(Conversation().client(kNotification).client("{").server(kErrorOfNobody).found(),
            Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().client(kNotification).client("[]").server(kErrorOfNobody).found(),
            Texts{"client cl-bat-not-empty"});
}

TEST(Traffic, EmptyLineIsNoFaultAndMayHaveItsError) {
  const auto empty_line = [](Side side, const char* blanks) {
    TrafficEvent event{Kind::noise, side};
    event.message = blanks;
    return event;
  };
  for (const auto* blanks : {"\n", "\r\n", " \t\n", " "}) {
    Conversation talk;
    talk.take(empty_line(Side::client, blanks)).client(kCall).server(kErrorOfNobody);
    EXPECT_EQ(talk.server(kResult).found(), Texts());
    EXPECT_EQ(talk.client(kCall).server(kErrorOfNobody).found(), Texts{"server id-echo"})
        << "one line has one error";
    Conversation skipped;
    skipped.take(empty_line(Side::client, blanks)).client(kCall).server(kResult);
    EXPECT_EQ(skipped.closed(Side::client).found(), Texts());
  }
  EXPECT_EQ(Conversation().client("").found(), Texts{"client cl-req-json"})
      << "where it is a message, as in the body of a POST";
}

TEST(Traffic, WhatParsersMayReadOtherwiseMayBeAnsweredOtherwise) {
  const char* refused = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null})";
  const char* surrogate = R"({"jsonrpc":"2.0","method":"a","id":"\ud800"})";
  EXPECT_EQ(Conversation("http").post(surrogate, 200, refused).found(), Texts());
  const std::string with_mark = "\xEF\xBB\xBF" + std::string(kCall);
  EXPECT_EQ(Conversation("http").post(with_mark, 200, kResult).found(),
            Texts{"client cl-req-json"});
}

// RFC 8259 §8.1, §9: parsers may take what is no JSON, and let a byte order mark pass.
TEST(Traffic, LenientServerMayAnswerWhatIsNoMessage) {
  TrafficEvent with_mark{Kind::noise, Side::client};
  with_mark.message = "\xEF\xBB\xBF" + std::string(kCall);
  EXPECT_EQ(Conversation().take(with_mark).server(kResult).found(), Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().take(with_mark).server(kResult).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}));
  TrafficEvent words{Kind::noise, Side::client};
  words.message = "hello";
  EXPECT_EQ(Conversation().take(words).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}));
  TrafficEvent framed{Kind::violation, Side::client};
  framed.message = "Content-Length : 40";
  EXPECT_EQ(Conversation("content-length").take(framed).server(kResult).found(),
            Texts{"client cl-req-json"});
}

TEST(Traffic, WhatIsNoJsonMayHaveAnIdThatWasAnswered) {
  const std::string lax = R"({"jsonrpc":"2.0","method":"a","params":[NaN],"id":1})";
  const char* refused = R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null})";
  EXPECT_EQ(Conversation().client(kCall).server(kResult).client(lax).server(kResult).found(),
            Texts{"client cl-req-json"});
  Conversation talk;
  talk.client(kCall).server(kResult).client(lax).server(refused).server(kResult);
  EXPECT_EQ(talk.found(), (Texts{"client cl-req-json", "server res-once"}))
      << "it has had its answer";
}

TEST(Traffic, LenientServerMayAnswerABatchThatIsNoJsonAtOnce) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2,}])";
  const std::string answers =
      "[" + std::string(kResult) + R"(,{"jsonrpc":"2.0","result":2,"id":2}])";
  EXPECT_EQ(Conversation().client(batch).server(answers).found(), Texts{"client cl-req-json"});
  EXPECT_EQ(Conversation().client(batch).server(answers).server(kResult).found(),
            (Texts{"client cl-req-json", "server res-once"}))
      << "once";
}

TEST(Traffic, CallAnsweredWithNullIdHasAWrongId) {
  EXPECT_EQ(Conversation().client(kCall).server(kErrorOfNobody).found(), Texts{"server id-echo"});
}

TEST(Traffic, ResponseWithoutIdIsChargedWithThatAlone) {
  constexpr const char* kWithoutId = R"({"jsonrpc":"2.0","result":[1]})";
  Conversation talk;
  talk.client(kCall).server(kWithoutId).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"server res-id-present"}) << "the call has had its answer";
  EXPECT_EQ(talk.judge().exercised(Side::server).count("id-echo"), 0U);
  Conversation stray;
  stray.client(kCall).client(kNotification).server(kWithoutId).closed(Side::server);
  EXPECT_EQ(stray.found(), (Texts{"server res-id-present", "server res-always"}));
  EXPECT_EQ(Conversation("http").post(kCall, 200, kWithoutId).found(),
            Texts{"server res-id-present"});
}

TEST(Traffic, WhoClosesFirstOwesItsAnswers) {
  EXPECT_EQ(Conversation().client(kCall).closed(Side::server).found(), Texts{"server res-always"});
  EXPECT_EQ(Conversation().client(kCall).closed(Side::client).closed(Side::server).found(),
            Texts());
}

TEST(Traffic, CallThatWaitedLongWhileOthersWereAnsweredWarns) {
  Conversation talk;
  talk.client(R"({"jsonrpc":"2.0","method":"lost","id":7})").client(kCall).server(kResult);
  talk.after(milliseconds(6000)).closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server res-always"});
}

TEST(Traffic, CallThatWasGivenUpNeedsNoAnswer) {
  Conversation talk;
  talk.client(kCall).client(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(talk.closed(Side::server).found(), Texts());
}

TEST(Traffic, NothingIsSaidOfAnswersWhereAPartIsLost) {
  EXPECT_EQ(Conversation().lost().server(kResult).server(kErrorOfNobody).found(), Texts());
  EXPECT_EQ(Conversation().client(kCall).lost().closed(Side::server).found(), Texts());
  EXPECT_EQ(Conversation("lines", false).server(kResult).found(), Texts());
}

TEST(Traffic, BatchIsAnsweredByOneArrayThatHasEachOfItsCalls) {
  const std::string batch =
      R"([{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2}])";
  EXPECT_EQ(Conversation().client(batch).server("[" + std::string(kResult) + "]").found(),
            Texts{"server bat-each"});
  EXPECT_EQ(Conversation().client(batch).server(kResult).found(), Texts{"server bat-array"});
  EXPECT_EQ(Conversation()
                .client(batch)
                .server("[" + std::string(kResult) + R"(,{"jsonrpc":"2.0","result":2,"id":2},)" +
                        kErrorOfNobody + "]")
                .found(),
            Texts{"server bat-each"});
  EXPECT_EQ(Conversation().client(kCall).server("[" + std::string(kResult) + "]").found(),
            Texts{"server res-object"});
}

TEST(Traffic, ElementThatIsNoRequestMayHaveItsError) {
  Conversation talk;
  talk.client("[1," + std::string(kCall) + "]");
  talk.server("[" + std::string(kErrorOfNobody) + "," + kResult + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-bat-flat"});
}

TEST(Traffic, InvalidCallOfABatchMayHaveItsErrorWithNullId) {
  Conversation talk;
  talk.client(R"([{"jsonrpc":"2.1","method":"a","id":7},)" + std::string(kCall) + "]");
  talk.server("[" + std::string(kErrorOfNobody) + "," + kResult + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-req-version"});
}

TEST(Traffic, BatchOfNotificationsIsNotAnswered) {
  const std::string batch = "[" + std::string(kNotification) + "]";
  EXPECT_EQ(Conversation().client(batch).server("[]").found(),
            Texts{"server bat-all-notifications"});
}

TEST(Traffic, BatchOfNothingButInvalidElementsHasErrors) {
  Conversation talk;
  talk.client("[" + std::string(kNotification) + "]").client("[1]");
  talk.server("[" + std::string(kErrorOfNobody) + "]");
  EXPECT_EQ(talk.found(), Texts{"client cl-bat-flat"});
}

TEST(Traffic, ServerMayLeaveAClientThatBreaksTheFraming) {
  Conversation talk;
  talk.client(kCall).take({Kind::violation, Side::client}).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"client cl-req-json"});
}

TEST(Traffic, ServerThatIsToldToEndOwesNothingMore) {
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
  Conversation as_a_call;
  as_a_call.client(kCall)
      .client(R"({"jsonrpc":"2.0","method":"exit","id":2})")
      .server(R"({"jsonrpc":"2.0","result":null,"id":2})")
      .closed(Side::server);
  EXPECT_EQ(as_a_call.found(), Texts{"server res-always"});
}

TEST(TrafficOverHttp, ResponseAnswersItsRequest) {
  EXPECT_EQ(Conversation("http").post(kCall, 200, kResult).post(kNotification, 204, "").found(),
            Texts());
  EXPECT_EQ(Conversation("http").post(kCall, 200, R"({"jsonrpc":"2.0","result":1,"id":9})").found(),
            Texts{"server id-echo"});
  EXPECT_EQ(Conversation("http").post(kCall, 204, "").found(), Texts{"server res-always"});
  EXPECT_EQ(Conversation("http").post(kNotification, 200, kErrorOfNobody).found(),
            Texts{"server ntf-silent-unknown-method"});
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

TEST(TrafficOverHttp, StatusAndTypeAreJudged) {
  EXPECT_EQ(Conversation("http").post(kCall, 200, kResult, "text/html").found(),
            Texts{"server http-response-type"});
  EXPECT_EQ(Conversation("http").post(kCall, 500, kResult).found(),
            Texts{"server http-error-status-of-result"});
}

TEST(Traffic, MemoryStaysBoundedWhateverIsLeftUnanswered) {
  Conversation talk;
  for (int i = 0; i < 30'000; ++i) {
    talk.client(R"({"jsonrpc":"2.0","method":"a","id":)" + std::to_string(i) + "}");
  }
  // Whose the answer is cannot be said any more.
  EXPECT_EQ(talk.server(R"({"jsonrpc":"2.0","result":1,"id":0})").found(), Texts());
}

TEST(Traffic, ConnectionThatWasForgottenForWantOfRoomIsChargedWithNothing) {
  const auto of_connection = [](std::size_t number, Side side, const char* text) {
    TrafficEvent event{Kind::message, side};
    event.connection = number;
    event.message = std::string(text);
    return event;
  };
  Conversation talk;
  constexpr std::size_t kMany = 10'010;
  for (std::size_t i = 1; i <= kMany; ++i) talk.take(of_connection(i, Side::client, kCall));
  EXPECT_EQ(talk.take(of_connection(1, Side::server, kResult)).found(), Texts());
  EXPECT_EQ(talk.take(of_connection(kMany, Side::server, kResult)).found(), Texts());
  EXPECT_EQ(talk.answered(), Texts{"echo"});
}

TEST(Traffic, ConnectionThatIsForgottenCountsItsCallsAsUnanswered) {
  Conversation talk;
  talk.client(kCall);
  talk.judge().forget(1);
  EXPECT_EQ(talk.judge().counts(Side::client).unanswered, 1U);
  talk.judge().end();
  EXPECT_EQ(talk.judge().counts(Side::client).unanswered, 1U);
}

}  // namespace traffic_test
}  // namespace jrpcheck::judge
