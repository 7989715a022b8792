#include "run/await_start.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus.hpp"
#include "run/control_call.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace await_start_test {

session::ControlCall call_of(std::string_view profile_name) {
  for (const auto& profile : corpus::embedded_profiles()) {
    if (profile.name == profile_name) return control_call_of(profile);
  }
  return {};
}

/// Answers so many calls that it starts, and then that it has no such method.
FakeServer starting(int calls) {
  return [left = calls](const std::string&) mutable -> std::optional<std::string> {
    const bool starts = left-- > 0;
    return R"({"result":null,"error":{"code":)" + std::string(starts ? "-28" : "-32601") +
           R"(,"message":"Loading block index"},"id":1})";
  };
}

TEST(AwaitStart, AServerThatSaysThatItStartsIsAskedUntilItSaysSomethingElse) {
  for (const char* name : {"bitcoin", "bitcoin-1.1", "bitcoin-2.0"}) {
    FakeConversation conversation(starting(3));
    EXPECT_TRUE(await_start(conversation, call_of(name), Deadline::in(std::chrono::seconds(60))));
    EXPECT_EQ(conversation.sent.size(), 4U) << name;
  }
}

TEST(AwaitStart, OneThatStillStartsInTheEndIsToldWithWhatItSays) {
  FakeConversation conversation(starting(1'000'000));
  const auto started = await_start(conversation, call_of("bitcoin"), Deadline::in(milliseconds(1)));
  ASSERT_FALSE(started);
  EXPECT_NE(started.error().message.find("the server still starts ("), std::string::npos);
  EXPECT_NE(started.error().message.find("Loading block index"), std::string::npos);
  EXPECT_NE(started.error().message.find("--start-timeout"), std::string::npos);
}

TEST(AwaitStart, NothingIsAskedWhereNoAnswerTellsIt) {
  FakeConversation conversation(starting(3));
  EXPECT_TRUE(await_start(conversation, call_of("ethereum"), Deadline::in(milliseconds(1))));
  EXPECT_TRUE(conversation.sent.empty());
}

/// Answers so many calls with this status, or 0: closes the connection, and then that it has no
/// such method.
class LoadingConversation : public FakeConversation {
 public:
  explicit LoadingConversation(int calls, int status = 503)
      : FakeConversation(server_without_methods()), left_(calls), status_(status) {}
  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    auto exchange = FakeConversation::exchange(step, transcript);
    if (left_-- <= 0) return exchange;
    exchange.replies.clear();
    exchange.limited = status_ == 503;
    exchange.http_status = status_;
    if (status_ == 0) exchange.ending = dialogue::Ending::closed;
    return exchange;
  }

 private:
  int left_;
  int status_;
};

UntilServed until(microseconds refused, microseconds closed, bool has_ended = false) {
  return {Deadline::in(refused), Deadline::in(closed), [has_ended] { return has_ended; }};
}

constexpr auto kLong = std::chrono::seconds(60);
constexpr auto kNoTime = milliseconds(1);

TEST(AwaitService, AServerThatIsUnavailableIsAskedUntilItAnswers) {
  for (const int status : {502, 503, 504}) {
    LoadingConversation conversation(3, status);
    EXPECT_TRUE(await_service(conversation, unknown_control_call(), until(kLong, kNoTime)));
    EXPECT_EQ(conversation.sent.size(), 4U) << status;
  }
}

TEST(AwaitService, OneThatIsUnavailableForGoodAnswersInVain) {
  LoadingConversation conversation(1'000'000);
  EXPECT_FALSE(await_service(conversation, unknown_control_call(), until(kNoTime, kLong)));
}

TEST(AwaitService, OneThatClosesConnectionsIsAskedAgainWhileItsProgramRuns) {
  LoadingConversation conversation(3, 0);
  EXPECT_TRUE(await_service(conversation, unknown_control_call(), until(kNoTime, kLong)));
  EXPECT_EQ(conversation.sent.size(), 4U);
  LoadingConversation always(1'000'000, 0);
  EXPECT_FALSE(await_service(always, unknown_control_call(), until(kLong, kNoTime)));
  LoadingConversation dying(3, 0);
  EXPECT_FALSE(await_service(dying, unknown_control_call(), until(kLong, kLong, true)));
  EXPECT_EQ(dying.sent.size(), 1U);
}

TEST(AwaitService, OneThatFailsIsAskedOnce) {
  LoadingConversation conversation(3, 500);
  EXPECT_FALSE(await_service(conversation, unknown_control_call(), until(kLong, kLong)));
  EXPECT_EQ(conversation.sent.size(), 1U);
}

TEST(SaysItStarts, WhoRefusesACallWithWordsThatTellSo) {
  const auto says = [](const std::string& reply) {
    dialogue::Exchange exchange;
    exchange.replies.push_back({dialogue::Message(reply), 0});
    return says_it_starts({exchange});
  };
  const auto refused = [](const char* code, const char* words) {
    return std::string(R"({"jsonrpc":"2.0","id":1,"error":{"code":)") + code + R"(,"message":")" +
           words + R"("}})";
  };
  EXPECT_TRUE(says(refused("-32800", "Server not connected; can't handle request")));
  EXPECT_TRUE(says(refused("-32000", "The index is still loading")));
  EXPECT_FALSE(says(refused("-32002", "Server not initialized"))) << "it waits for a handshake";
  EXPECT_FALSE(says(refused("-32000", "Method not found"))) << "nothing tells that it starts";
  EXPECT_FALSE(says(refused("-32601", "Not yet implemented"))) << "so an unknown method is refused";
  EXPECT_FALSE(says(R"({"jsonrpc":"2.0","id":1,"result":"loading"})"));
  EXPECT_FALSE(says("[]"));
  EXPECT_FALSE(says_it_starts({}));
}

}  // namespace await_start_test
}  // namespace jrpcheck::run
