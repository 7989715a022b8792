// Servers that close connections at once which are too many for them.
#include "session/turned_away.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "session/one_connection.hpp"
#include "session/socket_conversation.hpp"
#include "session/stream_for_testing.hpp"

namespace jrpcheck::session {
namespace turned_away_test {

using OneMore = transport::Peer::OneMore;
using testing::answer;
using testing::answer_calls;
using testing::call;
using testing::Pieces;
using testing::Script;
using testing::ScriptedStream;
using testing::step;

// Which of its connections count: those that are open, and those that were a moment ago.
struct Places {
  std::size_t open = 0;
  std::vector<Clock::time_point> left = {};
  microseconds until_noticed{0};

  std::size_t taken() const {
    const auto counts = [this](auto each) { return Clock::now() - each < until_noticed; };
    return open + static_cast<std::size_t>(std::ranges::count_if(left, counts));
  }
};

class PlacedStream : public ScriptedStream {
 public:
  PlacedStream(Script script, std::shared_ptr<Places> places)
      : ScriptedStream(std::move(script)), places_(std::move(places)) {
    ++places_->open;
  }
  ~PlacedStream() override {
    --places_->open;
    places_->left.push_back(Clock::now());
  }
  PlacedStream(const PlacedStream&) = delete;
  PlacedStream& operator=(const PlacedStream&) = delete;

 private:
  std::shared_ptr<Places> places_;
};

// Serves so many connections at a time, and closes further ones.
class LimitedPeer : public transport::Peer {
 public:
  LimitedPeer(std::size_t most, Script script, microseconds until_noticed = microseconds(0))
      : most_(most), script_(std::move(script)) {
    places_->until_noticed = until_noticed;
  }

  Result<bool> start(Deadline) override { return true; }
  Result<transport::Connection> connect(Deadline) override {
    if (places_->taken() < most_) {
      return transport::Connection{std::make_unique<PlacedStream>(script_, places_)};
    }
    auto closed = std::make_unique<ScriptedStream>(script_);
    closed->say({testing::kEnd});
    return transport::Connection{std::move(closed)};
  }
  Result<bool> revive(transport::Generation, Deadline) override { return true; }
  transport::Generation generation() const override { return 0; }
  bool is_shared() const override { return true; }

 private:
  std::size_t most_;
  Script script_;
  std::shared_ptr<Places> places_ = std::make_shared<Places>();
};

class TurnedAwayTest : public ::testing::Test {
 protected:
  static StreamSettings settings() {
    StreamSettings settings;
    settings.binding = &wire::on_sockets(wire::known_binding("lines"));
    settings.control = {"control", ""};
    return settings;
  }
  std::unique_ptr<Conversation> converse_with(std::shared_ptr<LimitedPeer> peer) {
    patience_.note_first_answer();
    auto conversation = make_socket_conversation(std::move(peer), settings(), patience_);
    conversation->begin_case(testing::kFirstControlId);
    return conversation;
  }

  Patience patience_{milliseconds(400)};
  dialogue::Transcript transcript_;
};

TEST_F(TurnedAwayTest, SecondConnectionIsKnownToBeWhereItIsClosedAtOnce) {
  LimitedPeer peer(1, answer_calls);
  EXPECT_TRUE(is_known_to_turn_others_away(peer, settings(), patience_));
  EXPECT_TRUE(peer.turns_others_away());
}

TEST_F(TurnedAwayTest, NoneIsWhereSeveralAreServed) {
  LimitedPeer peer(3, answer_calls);
  EXPECT_FALSE(is_known_to_turn_others_away(peer, settings(), patience_));
  EXPECT_EQ(peer.one_more(), OneMore::not_turned_away);
}

TEST_F(TurnedAwayTest, NothingIsKnownOfAServerThatClosesEveryConnection) {
  LimitedPeer peer(0, answer_calls);
  EXPECT_FALSE(is_known_to_turn_others_away(peer, settings(), patience_));
  EXPECT_EQ(peer.one_more(), OneMore::unknown);
}

TEST_F(TurnedAwayTest, LimitIsFoundBesideOneThatIsHeld) {
  LimitedPeer peer(4, answer_calls);
  const auto held = peer.connect(Deadline::in(milliseconds(100)));
  const auto is_served = [] { return true; };
  EXPECT_TRUE(turns_others_away(peer, settings(), patience_, 6, is_served));
  EXPECT_FALSE(turns_others_away(peer, settings(), patience_, 3, is_served));
  EXPECT_FALSE(turns_others_away(peer, settings(), patience_, 6, [] { return false; }));
}

TEST_F(TurnedAwayTest, CallOnAConnectionThatWasOneTooManyIsMadeAgain) {
  auto peer = std::make_shared<LimitedPeer>(1, answer_calls, milliseconds(60));
  { const auto before = peer->connect(Deadline::in(milliseconds(100))); }
  const auto conversation = converse_with(peer);
  ASSERT_TRUE(conversation->open(transcript_));
  const auto got = conversation->exchange(step({call("7")}), transcript_);
  EXPECT_EQ(got.ending, dialogue::Ending::settled);
  EXPECT_EQ(testing::texts_of(got.replies), std::vector<std::string>{answer("7")});
}

TEST_F(TurnedAwayTest, WhatClosesAConnectionThatIsServedIsChargedAllTheSame) {
  auto peer = std::make_shared<LimitedPeer>(
      1,
      [](const std::string& line) {
        return line == call("7") ? Pieces{testing::kEnd} : answer_calls(line);
      },
      milliseconds(20));
  const auto conversation = converse_with(peer);
  ASSERT_TRUE(conversation->open(transcript_));
  const auto got = conversation->exchange(step({call("7")}), transcript_);
  EXPECT_EQ(got.ending, dialogue::Ending::closed);
  EXPECT_TRUE(got.replies.empty());
  EXPECT_TRUE(conversation->usable());
}

TEST_F(TurnedAwayTest, ServerIsAliveWhereANewConnectionIsServedOnceTheFormerIsSeenToBeClosed) {
  auto peer = std::make_shared<LimitedPeer>(1, answer_calls, milliseconds(60));
  const auto conversation = converse_with(peer);
  ASSERT_TRUE(conversation->open(transcript_));
  auto last = step({call("7")});
  last.end_of_input = true;
  conversation->exchange(last, transcript_);
  EXPECT_EQ(conversation->check_survival(transcript_).survival, dialogue::Survival::alive);
}

// As those of a campaign, which repeats with one what another has shown.
TEST_F(TurnedAwayTest, ConversationsThatShareTheOneConnectionAreServedInTurn) {
  auto peer = std::make_shared<LimitedPeer>(1, answer_calls, milliseconds(20));
  peer->note_one_more(OneMore::turned_away);
  const auto connection = std::make_shared<OneConnection>();
  std::unique_ptr<Conversation> sharing[2];
  for (auto& each : sharing) {
    each = make_conversation_by_turns(converse_with(peer), connection);
    EXPECT_TRUE(each->open(transcript_));
  }
  for (int round = 0; round < 2; ++round) {
    for (auto& each : sharing) {
      const auto got = each->exchange(step({call("7")}), transcript_);
      EXPECT_EQ(testing::texts_of(got.replies), std::vector<std::string>{answer("7")}) << round;
    }
  }
  // Nothing asks one to step aside that is no more.
  sharing[1].reset();
  EXPECT_EQ(sharing[0]->check_survival(transcript_).survival, dialogue::Survival::alive);
}

}  // namespace turned_away_test
}  // namespace jrpcheck::session
