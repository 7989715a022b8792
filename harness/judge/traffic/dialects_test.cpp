// Calls that do not say "jsonrpc": "2.0", by the profile that is chosen.
#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"
#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace traffic_dialects_test {

using namespace traffic_for_testing;

constexpr const char* kOldCall = R"({"jsonrpc":"1.0","id":"old","method":"a","params":[]})";
constexpr const char* kOldResult = R"({"result":5,"error":null,"id":"old"})";
constexpr const char* kOldResultOfNobody = R"({"result":5,"error":null,"id":null})";
constexpr const char* kOldNotification = R"({"id":null,"method":"a","params":[]})";
constexpr const char* kWithoutId = R"({"method":"a","params":[]})";

Conversation by(OldCalls old_calls, std::string_view binding = "lines") {
  return Conversation(binding, true, old_calls);
}

TEST(DialectsOfTraffic, ProfileSaysWhatOldCallsAre) {
  const auto of = [](const char* profile) {
    return old_calls_of(corpus::corpus_for_testing(profile).profile);
  };
  EXPECT_EQ(of("jsonrpc-2.0"), OldCalls::wrong);
  EXPECT_EQ(of("ethereum"), OldCalls::wrong);
  EXPECT_EQ(of("jsonrpc-1.0"), OldCalls::of_1_0);
  EXPECT_EQ(of("bitcoin-2.0"), OldCalls::of_bitcoin);
  EXPECT_EQ(of("bitcoin-1.1"), OldCalls::of_old_bitcoin);
  EXPECT_EQ(of("bitcoin"), OldCalls::of_old_bitcoin) << "nobody knows which";
}

TEST(DialectsOfTraffic, CallsInEitherDialectAreRight) {
  for (const auto old_calls : {OldCalls::of_1_0, OldCalls::of_bitcoin, OldCalls::of_old_bitcoin}) {
    Conversation talk = by(old_calls);
    talk.client(kOldCall).server(kOldResult).client(kCall).server(kResult);
    talk.client(R"({"version":"1.1","id":1,"method":"b","params":[]})");
    talk.server(R"({"result":null,"error":{"code":-32601,"message":"no"},"id":1})");
    talk.client("[" + std::string(kOldCall) + "]").server("[" + std::string(kOldResult) + "]");
    talk.client(kWithoutId).server(kOldResultOfNobody);
    EXPECT_EQ(talk.found(), Texts());
    EXPECT_EQ(by(old_calls, "http").post(kWithoutId, 200, kOldResultOfNobody).found(), Texts());
    EXPECT_EQ(by(old_calls).client(kOldCall).server(kOldResult).server(kOldResult).found().size(),
              1U)
        << "answered twice";
  }
}

TEST(DialectsOfTraffic, IdNullIsANotificationInOnePointZeroAlone) {
  Conversation silent = by(OldCalls::of_1_0);
  silent.client(kOldNotification).client(kOldCall).server(kOldResult).closed(Side::server);
  EXPECT_EQ(silent.found(), Texts());
  EXPECT_EQ(silent.judge().counts(Side::client).notifications, 1U);
  EXPECT_EQ(by(OldCalls::of_1_0).client(kOldNotification).server(kOldResultOfNobody).found(),
            Texts{"server v1-notification"});
  EXPECT_EQ(by(OldCalls::of_bitcoin).client(kOldNotification).server(kOldResultOfNobody).found(),
            Texts());
}

TEST(DialectsOfTraffic, ServerOfOnePointZeroIsHeldToIt) {
  const auto answered = [](const char* answer) {
    Conversation talk = by(OldCalls::of_1_0);
    return talk.client(kOldCall).server(answer).closed(Side::server).found();
  };
  EXPECT_EQ(answered(R"({"result":5,"id":"old"})"), Texts{"server v1-both-members"});
  EXPECT_EQ(answered(R"({"result":5,"error":null,"id":"young"})"), Texts{"server v1-id-any"});
  EXPECT_EQ(by(OldCalls::of_1_0).client(kOldCall).closed(Side::server).found(),
            Texts{"server v1-response"});
}

TEST(DialectsOfTraffic, OnlyAnOldNodeMayTakeACallInTwoPointZeroForAnOldOne) {
  constexpr const char* kOldAnswer = R"({"result":[1],"error":null,"id":1})";
  constexpr const char* kNewNotification = R"({"jsonrpc":"2.0","method":"a"})";
  EXPECT_EQ(by(OldCalls::of_old_bitcoin).client(kCall).server(kOldAnswer).found(), Texts());
  EXPECT_EQ(
      by(OldCalls::of_old_bitcoin).client(kNewNotification).server(kOldResultOfNobody).found(),
      Texts());
  EXPECT_EQ(by(OldCalls::of_bitcoin).client(kCall).server(kOldAnswer).found(),
            (Texts{"server res-version", "server res-exclusive"}));
}

}  // namespace traffic_dialects_test
}  // namespace jrpcheck::judge
