// What one side sends that may be refused or read otherwise excuses what may come of it, and no
// more.
#include <gtest/gtest.h>

#include "judge/traffic/calls.hpp"
#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace traffic_excuses_test {

using namespace traffic_for_testing;

constexpr const char* kRefused =
    R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null})";
constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"other","id":2})";
constexpr const char* kResultOfOther = R"({"jsonrpc":"2.0","result":2,"id":2})";
constexpr const char* kResultOfNobody = R"({"jsonrpc":"2.0","result":[1],"id":77})";

std::string call_with(const std::string& value) {
  return R"({"jsonrpc":"2.0","method":"echo","params":[)" + value + R"(],"id":1})";
}

std::string notification_with(const std::string& value) {
  return R"({"jsonrpc":"2.0","method":"note","params":[)" + value + "]}";
}

// Two members of one name, a lone surrogate, a Number beyond a double, and great size.
Texts what_may_be_refused() {
  return {R"({"a":1,"a":2})", R"("\ud800")", "1e400", "\"" + std::string(100'000, 'x') + "\""};
}

TEST(ExcusesOfTraffic, LongTextsAndManyDigitsExcuseNothing) {
  for (const std::string& value :
       {"\"" + std::string(20'000, 'x') + "\"", std::string("1732621000123456789"),
        std::string("3.141592653589793")}) {
    const std::string note = notification_with(value);
    EXPECT_EQ(Conversation().client(note).server(kErrorOfNobody).found(),
              Texts{"server ntf-silent-unknown-method"});
    EXPECT_EQ(Conversation().client(note).client(kCall).closed(Side::server).found(),
              Texts{"server res-always"});
    Conversation twice;
    twice.client(note).client(kCall).server(kResult).server(kResult);
    EXPECT_EQ(twice.found(), Texts{"server res-once"});
    Conversation wrong;
    wrong.client(call_with(value)).server(kResultOfNobody).closed(Side::server);
    EXPECT_EQ(wrong.found(), Texts{"server id-echo"});
  }
}

TEST(ExcusesOfTraffic, WhatParsersRefuseMayBeRefusedOnce) {
  for (const auto& value : what_may_be_refused()) {
    Conversation called;
    called.client(call_with(value)).server(kRefused);
    EXPECT_EQ(called.found(), Texts()) << value.substr(0, 80);
    EXPECT_EQ(called.client(kOther).server(kRefused).found(), Texts{"server id-echo"});
    Conversation notified;
    notified.client(notification_with(value)).server(kRefused);
    EXPECT_EQ(notified.found(), Texts()) << value.substr(0, 80);
    EXPECT_EQ(notified.server(kRefused).found().size(), 1U);
  }
}

TEST(ExcusesOfTraffic, ServerMayRefuseACallAndLeaveItAtThat) {
  for (const auto& value : what_may_be_refused()) {
    Conversation talk;
    talk.client(call_with(value)).server(kRefused).client(kOther).server(kResultOfOther);
    talk.after(std::chrono::seconds(6)).closed(Side::server);
    EXPECT_EQ(talk.found(), Texts()) << value.substr(0, 80);
    EXPECT_EQ(Conversation().client(call_with(value)).closed(Side::server).found(), Texts())
        << value.substr(0, 80);
  }
}

TEST(ExcusesOfTraffic, CallThatWasAnsweredUnderItsOwnIdExcusesNothingMore) {
  for (const auto& value : what_may_be_refused()) {
    const auto answered = [&] {
      Conversation talk;
      talk.client(call_with(value)).server(kResult);
      return talk;
    };
    EXPECT_EQ(answered().server(kResult).found(), Texts{"server res-once"});
    EXPECT_EQ(answered().client(kOther).server(kRefused).found(), Texts{"server id-echo"});
    EXPECT_EQ(answered().client(kOther).closed(Side::server).found(), Texts{"server res-always"});
    EXPECT_EQ(answered().client(kNotification).server(kErrorOfNobody).found(),
              Texts{"server ntf-silent-unknown-method"});
  }
  Conversation invalid;
  invalid.client(R"({"method":"echo","id":1})").server(kResult);
  EXPECT_EQ(invalid.client(kOther).server(kRefused).found(),
            (Texts{"client cl-req-version", "server id-echo"}));
}

TEST(ExcusesOfTraffic, AnErrorThatSpeaksOfTheMethodRefusesNothingUnread) {
  for (const auto& value : what_may_be_refused()) {
    EXPECT_EQ(Conversation().client(notification_with(value)).server(kErrorOfNobody).found(),
              Texts{"server ntf-silent-unknown-method"});
  }
}

TEST(ExcusesOfTraffic, WhoAnswersALaterCallHasNotEndedTheConnection) {
  const auto provoked = [] {
    Conversation talk;
    talk.client(kCall).take({Kind::violation, Side::client});
    return talk;
  };
  EXPECT_EQ(provoked().client(kOther).server(kResult).closed(Side::server).found(),
            Texts{"client cl-req-json"})
      << "that call came before";
  EXPECT_EQ(provoked().client(kOther).server(kResultOfOther).closed(Side::server).found(),
            (Texts{"client cl-req-json", "server res-always"}));
  Conversation refused = provoked();
  refused.client(kOther).server(kResultOfOther).server(kRefused).closed(Side::server);
  EXPECT_EQ(refused.found(), Texts{"client cl-req-json"}) << "the refusal came late";
}

TEST(ExcusesOfTraffic, IdThatADoubleRoundsMayComeBackRounded) {
  constexpr const char* kGreat = R"({"jsonrpc":"2.0","method":"echo","id":9007199254740993})";
  constexpr const char* kRounded = R"({"jsonrpc":"2.0","result":[1],"id":9007199254740992})";
  Conversation talk;
  talk.client(kGreat).server(kRounded).client(kOther).server(kResultOfOther).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"client cl-id-no-fraction"});
  Conversation exact;
  exact.client(kGreat).server(R"({"jsonrpc":"2.0","result":[1],"id":9007199254740993})");
  exact.client(kOther).server(kResultOfNobody).closed(Side::server);
  EXPECT_EQ(exact.found(), (Texts{"client cl-id-no-fraction", "server id-echo"}));
}

Texts of_the_client(const Conversation& talk) {
  Texts found = talk.found();
  std::erase_if(found, [](const std::string& each) { return !each.starts_with("client "); });
  return found;
}

TEST(ExcusesOfTraffic, ClientMayRefuseWhatIsNeitherARequestNorAResponse) {
  constexpr const char* kInvalid =
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";
  for (const auto* told :
       {"{}", R"({"foo":"boo"})", R"({"jsonrpc":"2.0","id":2})", "[]", "[[]]", "42", "null",
        R"({"jsonrpc":"2.0","method":"p","result":3})", R"({"jsonrpc":"2.0","method":1})"}) {
    Conversation talk;
    talk.client(kCall).server(kResult).server(told).client(kInvalid);
    EXPECT_EQ(of_the_client(talk), Texts()) << told;
    talk.client(kInvalid);
    EXPECT_EQ(of_the_client(talk), Texts{"client cl-response"}) << "once alone: " << told;
  }
  Conversation by_its_id;
  by_its_id.client(kCall).server(R"({"jsonrpc":"2.0","id":2})");
  by_its_id.client(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid"},"id":2})");
  EXPECT_EQ(of_the_client(by_its_id), Texts());
}

TEST(ExcusesOfTraffic, ClientMayNotRefuseAResponseThatIsBroken) {
  Conversation talk;
  talk.client(kCall).server(R"({"result":9,"id":1})").client(kRefused);
  EXPECT_EQ(of_the_client(talk), Texts{"client cl-no-answer-to-answer"});
}

// A client that waits for one call at a time may use one id for all of them.
TEST(ExcusesOfTraffic, IdMayComeAgainOnceItsCallMayHaveBeenAnswered) {
  EXPECT_EQ(Conversation().client(kCall).lost().client(kCall).found(), Texts());
  EXPECT_EQ(Conversation().client(kCall).server("{").client(kCall).found(),
            Texts{"server res-json"});
  Conversation refused;
  refused.client(R"({"jsonrpc":"2.0","method":"echo","params":5,"id":1})").server(kErrorOfNobody);
  EXPECT_EQ(refused.client(kCall).server(kResult).found(), Texts{"client cl-req-params"});
  EXPECT_EQ(refused.client(kCall).client(kCall).found().back(), "client cl-id-unique");
  Conversation cancelled;
  cancelled.client(kCall).client(
      R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(cancelled.client(kCall).found(), Texts());
  EXPECT_EQ(cancelled.client(kCall).found(), Texts{"client cl-id-unique"});
}

TEST(ExcusesOfTraffic, AnswerBehindALossMayBeToACallThatWasNotSeen) {
  EXPECT_EQ(Conversation().client(kCall).server(kResult).lost().server(kResult).found(), Texts());
}

TEST(ExcusesOfTraffic, LossOfWhateverConnectionIsOneOfEach) {
  const TrafficEvent lost{Kind::lost, Side::client, microseconds(0), dialogue::kAnyConnection};
  TrafficEvent answer{Kind::message, Side::server, microseconds(0), 2};
  answer.message = kResultOfNobody;
  EXPECT_EQ(Conversation().take(answer).found(), Texts{"server res-once"});
  EXPECT_EQ(Conversation().take(lost).take(answer).found(), Texts());
  answer.exchange = 1;
  answer.http_status = 200;
  answer.content_type = "application/json";
  EXPECT_EQ(Conversation("http").take(answer).found(), Texts{"server res-once"});
  EXPECT_EQ(Conversation("http").take(lost).take(answer).found(), Texts());
}

TEST(ExcusesOfTraffic, AnsweredIdIsRememberedHoweverOftenItComes) {
  CallsInFlight calls;
  constexpr std::size_t kMany = 10'000;
  for (std::size_t i = 1; i <= kMany; ++i) {
    CallInFlight call;
    call.serial = i;
    call.key = "1";
    EXPECT_TRUE(calls.add(std::move(call)));
    EXPECT_TRUE(calls.settle("1"));
  }
  EXPECT_TRUE(calls.was_settled("1"));
}

}  // namespace traffic_excuses_test
}  // namespace jrpcheck::judge
