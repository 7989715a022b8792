#include <gtest/gtest.h>

#include "judge/traffic/traffic_for_testing.hpp"
#include "judge/traffic/traffic_judge.hpp"

namespace jrpcheck::judge {
namespace traffic_memory_test {

using namespace traffic_for_testing;

TEST(MemoryOfTraffic, MemoryStaysBoundedWhateverIsLeftUnanswered) {
  Conversation talk;
  for (int i = 0; i < 30'000; ++i) {
    talk.client(R"({"jsonrpc":"2.0","method":"a","id":)" + std::to_string(i) + "}");
  }
  // Whose the answer is cannot be said any more.
  EXPECT_EQ(talk.server(R"({"jsonrpc":"2.0","result":1,"id":0})").found(), Texts());
}

TEST(MemoryOfTraffic, ConnectionThatWasForgottenForWantOfRoomIsChargedWithNothing) {
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

TEST(MemoryOfTraffic, ConnectionThatIsForgottenCountsItsCallsAsUnanswered) {
  Conversation talk;
  talk.client(kCall);
  talk.judge().forget(1);
  EXPECT_EQ(talk.judge().counts(Side::client).unanswered, 1U);
  talk.judge().end();
  EXPECT_EQ(talk.judge().counts(Side::client).unanswered, 1U);
}

}  // namespace traffic_memory_test
}  // namespace jrpcheck::judge
