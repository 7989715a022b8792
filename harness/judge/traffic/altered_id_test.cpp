#include "judge/traffic/altered_id.hpp"

#include <gtest/gtest.h>

#include "dialogue/id_key.hpp"
#include "json/parse.hpp"
#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace altered_id_test {

using namespace traffic_for_testing;

bool is_altered(const std::string& came, const std::string& asked) {
  const auto id = json::parse(asked);
  const auto other = json::parse(came);
  EXPECT_TRUE(id && other);
  CallInFlight call;
  call.key = dialogue::id_key(*id.value).value_or("");
  call.id = asked;
  return is_altered_id(*other.value, call);
}

TEST(AlteredIds, AreSeenToBeThoseOfTheirCalls) {
  EXPECT_TRUE(is_altered(R"("ABC")", R"("aBc")"));
  EXPECT_TRUE(is_altered(R"("a")", R"(" a\n")"));
  EXPECT_TRUE(is_altered(R"("a")", R"("a\u0000b")"));
  EXPECT_TRUE(is_altered("1", "4294967297"));
  EXPECT_TRUE(is_altered("-1", "4294967295"));
  EXPECT_TRUE(is_altered("4294967295", "-1"));
  EXPECT_TRUE(is_altered("1", "-1"));
  EXPECT_TRUE(is_altered("1", "1.5"));
}

TEST(AlteredIds, OthersAreOthers) {
  EXPECT_FALSE(is_altered(R"("b")", R"("a")"));
  EXPECT_FALSE(is_altered(R"("ab")", R"("a")"));
  EXPECT_FALSE(is_altered(R"("")", R"("a")"));
  EXPECT_FALSE(is_altered("2", "1"));
  EXPECT_FALSE(is_altered("2", "4294967297"));
  EXPECT_FALSE(is_altered("1", "1e300"));
  EXPECT_FALSE(is_altered("77", R"("a")"));
  EXPECT_FALSE(is_altered("null", "1"));
}

std::string call_of(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"a","id":)" + id + "}";
}
std::string result_of(const std::string& id) {
  return R"({"jsonrpc":"2.0","result":1,"id":)" + id + "}";
}

// JSON-RPC 2.0 §5: the id is that of the call, unchanged.
TEST(AlteredIds, AreWrongOnceTheOnlyCallInFlightHasNoOtherAnswer) {
  for (const Side first : {Side::server, Side::client}) {
    Conversation talk;
    talk.client(call_of(R"("a")")).server(result_of(R"("A")"));
    EXPECT_EQ(talk.found(), Texts()) << "its own answer may come";
    talk.client(kCall).server(kResult).closed(first).closed(dialogue::other(first));
    EXPECT_EQ(talk.found(), Texts{"server id-echo"});
  }
  Conversation asks;
  asks.server(call_of("4294967297")).client(result_of("1")).closed(Side::client);
  asks.closed(Side::server);
  EXPECT_EQ(asks.found(), Texts{"client cl-response"});
}

TEST(AlteredIds, AnswerNothingWhereTheCallIsAnsweredAsWell) {
  Conversation talk;
  talk.client(call_of(R"("a")")).server(result_of(R"("A")")).server(result_of(R"("a")"));
  EXPECT_EQ(talk.found(), Texts{"server res-once"});
}

TEST(AlteredIds, MayBeOfAnyCallWhereSeveralAreInFlight) {
  Conversation talk;
  talk.client(call_of(R"("a")")).client(kCall).server(result_of(R"("A")"));
  EXPECT_EQ(talk.found(), Texts{"server res-once"});
}

TEST(AlteredIds, AreOfNoKnownCallWhereSomethingIsMissing) {
  Conversation talk;
  talk.client(call_of(R"("a")")).server(result_of(R"("A")")).lost().closed(Side::server);
  talk.closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server res-once"});
}

}  // namespace altered_id_test
}  // namespace jrpcheck::judge
