// A Response under an id that no call has, on a stream: whose it is shows by what else comes.
#include <gtest/gtest.h>

#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace wrong_ids_test {

using namespace traffic_for_testing;

std::string call_of(const std::string& id) {
  return R"({"jsonrpc":"2.0","method":"a","id":)" + id + "}";
}
std::string result_of(const std::string& id) {
  return R"({"jsonrpc":"2.0","result":1,"id":)" + id + "}";
}

// JSON-RPC 2.0 §5: the id is that of the call, unchanged.
TEST(WrongIds, AreThoseOfTheOnlyCallThatWaitsAndHasNoOtherAnswer) {
  for (const auto* wrong : {R"("A")", "3", R"("nobody")", "-1"}) {
    for (const Side first : {Side::server, Side::client}) {
      Conversation talk;
      talk.client(call_of(R"("a")")).server(result_of(wrong));
      EXPECT_EQ(talk.found(), Texts()) << "its own answer may come";
      talk.client(kCall).server(kResult).closed(first).closed(dialogue::other(first));
      EXPECT_EQ(talk.found(), Texts{"server id-echo"}) << wrong;
    }
  }
  Conversation asks;
  asks.server(call_of("4294967297")).client(result_of("1")).closed(Side::client);
  asks.closed(Side::server);
  EXPECT_EQ(asks.found(), Texts{"client cl-response"});
}

TEST(WrongIds, OfEachAnswerAreThoseOfOneCallEach) {
  Conversation talk;
  for (int id = 1; id <= 100; ++id) {
    talk.client(call_of(std::to_string(id))).server(result_of(std::to_string(id + 1000)));
  }
  talk.closed(Side::server);
  EXPECT_EQ(talk.found(), Texts(20, "server id-echo")) << "further ones only repeat them";
}

TEST(WrongIds, AnswerNothingWhereTheCallIsAnsweredAsWell) {
  for (const auto* own : {R"("a")", R"("A")"}) {
    Conversation talk;
    talk.client(call_of(R"("a")")).server(result_of("3")).server(result_of(R"("a")"));
    talk.client(kCall).server(result_of(own)).server(kResult).closed(Side::server);
    EXPECT_EQ(talk.found(), (Texts{"server res-once", "server res-once"}));
  }
  Conversation alike;
  alike.client(kCall).server(result_of("3")).server(result_of(R"("1")")).closed(Side::server);
  EXPECT_EQ(alike.found(), (Texts{"server res-once", "server id-echo"}));
}

TEST(WrongIds, AreToldOfOnceALaterCallIsAnsweredAndTheEarlierOneHasWaitedLong) {
  Conversation talk;
  talk.client(call_of("7")).server(result_of("8")).after(std::chrono::seconds(4));
  talk.client(kCall).server(kResult);
  EXPECT_EQ(talk.found(), Texts()) << "it may be slow";
  talk.after(std::chrono::seconds(4)).client(kCall).server(kResult);
  EXPECT_EQ(talk.found(), Texts{"server id-echo"});
  talk.server(result_of("7")).closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"server id-echo"});
}

TEST(WrongIds, MayBeOfAnyCallWhereSeveralWait) {
  Conversation talk;
  talk.client(call_of(R"("a")")).client(kCall).server(result_of(R"("A")"));
  EXPECT_EQ(talk.found(), Texts{"server res-once"});
  Conversation broken;
  broken.client(kCall).server("null").server(result_of("3"));
  EXPECT_EQ(broken.found(), (Texts{"server res-object", "server res-once"}))
      << "what is no Response may have been the answer";
}

TEST(WrongIds, AnswerNothingWhereTheOnlyCallNeedNotBeAnswered) {
  Conversation talk;
  talk.client(kCall).client(R"({"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}})");
  EXPECT_EQ(talk.server(result_of("3")).found(), Texts{"server res-once"});
}

TEST(WrongIds, AreOfNoKnownCallWhereSomethingIsMissing) {
  Conversation talk;
  talk.client(call_of(R"("a")")).server(result_of(R"("A")")).lost().closed(Side::server);
  talk.closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server res-once"});
}

}  // namespace wrong_ids_test
}  // namespace jrpcheck::judge
