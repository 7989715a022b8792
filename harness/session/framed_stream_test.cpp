#include "session/framed_stream.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace jrpcheck::session {
namespace framed_stream_test {

using transport::Transfer;
using Offsets = std::vector<std::size_t>;

Deadline soon() { return Deadline::in(std::chrono::seconds(20)); }
Deadline now() { return Deadline::in(microseconds(0)); }

// Takes so many bytes a transfer and gives what the test puts into it.
class FakeStream : public transport::ByteStream {
 public:
  Transfer transfer(std::string_view out, std::string& in, Deadline) override {
    Transfer done;
    done.broken = broken && !out.empty();
    if (!done.broken) {
      const auto taken = out.substr(0, takes);
      if (!taken.empty()) writes.emplace_back(taken);
      done.written = taken.size();
    }
    if (!output.empty()) {
      in += output.front();
      done.received = true;
      if (!endless) output.pop_front();
    } else {
      done.ended = ended;
      done.timed_out = done.written == 0 && !ended && !done.broken;
    }
    return done;
  }
  void close_write() override { write_closed = true; }

  std::size_t takes = static_cast<std::size_t>(-1);
  bool broken = false;
  bool ended = false;
  bool endless = false;
  bool write_closed = false;
  std::deque<std::string> output;
  std::vector<std::string> writes;
};

class FramedStreamTest : public ::testing::Test {
 protected:
  FakeStream fake_;
  FramedStream stream_{fake_, wire::known_binding("lines")};

  std::string next() {
    const auto frame = stream_.receive(soon());
    if (!frame) return "<nothing>";
    return frame->is_message() ? frame->payload : "<" + frame->violation + ">";
  }
};

TEST_F(FramedStreamTest, AllIsWrittenHoweverLittleThePeerTakesAtATime) {
  fake_.takes = 3;
  EXPECT_TRUE(stream_.send("abcdefgh", soon()));
  EXPECT_EQ(fake_.writes, (std::vector<std::string>{"abc", "def", "gh"}));
}

TEST_F(FramedStreamTest, WhatArrivesWhileWritingIsKept) {
  fake_.takes = 1;
  fake_.output = {"on", "e\ntwo\n"};
  EXPECT_TRUE(stream_.send("abcd", soon()));
  EXPECT_EQ(next(), "one");
  EXPECT_EQ(next(), "two");
}

// What they are owed stands before what is sent, and would go on growing.
TEST(FramedStreamOfWebSocket, SendingGivesUpBeforeAPeerThatPingsWithoutEnd) {
  FakeStream fake;
  fake.takes = 0;
  fake.endless = true;
  std::string pings;
  for (int i = 0; i < 5000; ++i) pings += std::string("\x89\0", 2);
  fake.output = {pings};
  FramedStream stream(fake, wire::known_binding("websocket"));
  EXPECT_TRUE(stream.receive(soon()));
  EXPECT_FALSE(stream.send("abc", soon()));
  EXPECT_LT(stream.received().frames, 50'000U);
  // Nor is each of them answered, once it takes something.
  fake.takes = static_cast<std::size_t>(-1);
  fake.endless = false;
  while (stream.receive(soon())) {
  }
  std::size_t written = 0;
  for (const auto& each : fake.writes) written += each.size();
  EXPECT_GT(written, 0U);
  EXPECT_LT(written, 200'000U);
}

TEST_F(FramedStreamTest, SendingGivesUpWhenNothingMovesUntilTheDeadline) {
  fake_.takes = 0;
  EXPECT_FALSE(stream_.send("abc", soon()));
  EXPECT_TRUE(stream_.can_write());
}

TEST_F(FramedStreamTest, SendingGivesUpAtTheDeadlineThoughThePeerNeverStopsTalking) {
  fake_.takes = 0;
  fake_.endless = true;
  fake_.output = {"."};
  EXPECT_FALSE(stream_.send("abc", Deadline::in(milliseconds(10))));
}

TEST_F(FramedStreamTest, SendingGivesUpWhenThePeerFloodsMeanwhile) {
  fake_.takes = 0;
  fake_.endless = true;
  fake_.output = {"x\n"};
  const Volume before = stream_.received();
  EXPECT_FALSE(stream_.send("abc", soon()));
  EXPECT_TRUE(is_flood(before, stream_.received()));
  EXPECT_LT(stream_.received().frames, 20'000U);
}

TEST_F(FramedStreamTest, AwaitingTheEndGivesUpBeforeAFlood) {
  fake_.endless = true;
  fake_.output = {"{}\n"};
  stream_.await_end(soon());
  EXPECT_FALSE(stream_.ended());
  EXPECT_LT(stream_.received().frames, 11'000U);
}

TEST_F(FramedStreamTest, BrokenPeerIsWrittenToNoMoreAndStillRead) {
  fake_.broken = true;
  fake_.output = {"last\n"};
  EXPECT_FALSE(stream_.send("abc", soon()));
  EXPECT_FALSE(stream_.can_write());
  EXPECT_FALSE(stream_.closed_by_us());
  EXPECT_EQ(next(), "last");
}

TEST_F(FramedStreamTest, EndIsToldAfterTheLastFrame) {
  fake_.output = {"one\nrest"};
  fake_.ended = true;
  EXPECT_EQ(next(), "one");
  EXPECT_EQ(next(), "<the last line is not ended by a line feed>");
  EXPECT_EQ(next(), "<nothing>");
  EXPECT_TRUE(stream_.ended());
}

TEST_F(FramedStreamTest, NothingIsReceivedAtTheDeadline) {
  EXPECT_EQ(next(), "<nothing>");
  EXPECT_FALSE(stream_.ended());
}

TEST_F(FramedStreamTest, PeerThatNeverEndsALineIsNotReadBeyondTheDeadline) {
  fake_.endless = true;
  fake_.output = {"x"};
  EXPECT_FALSE(stream_.receive(Deadline::in(milliseconds(10))));
}

TEST_F(FramedStreamTest, FramesThatHaveComeAreGivenOutAfterTheDeadlineToo) {
  fake_.output = {"one\ntwo\n"};
  EXPECT_EQ(next(), "one");
  const auto second = stream_.receive(now());
  ASSERT_TRUE(second);
  EXPECT_EQ(second->payload, "two");
}

TEST_F(FramedStreamTest, WhatHasArrivedIsReceivedWithoutWaiting) {
  EXPECT_FALSE(stream_.receive_arrived());
  fake_.output = {"one\n"};
  ASSERT_TRUE(stream_.receive_arrived());
  EXPECT_FALSE(stream_.receive_arrived());
}

TEST_F(FramedStreamTest, CloseIsPassedOnAndNothingIsSentAfterIt) {
  stream_.close_write();
  EXPECT_TRUE(fake_.write_closed);
  EXPECT_TRUE(stream_.closed_by_us());
  EXPECT_FALSE(stream_.send("abc", soon()));
  EXPECT_TRUE(fake_.writes.empty());
}

// What it says last comes to who waits.
class LateStream : public FakeStream {
 public:
  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    if (output.empty() && !late.empty() && !deadline.passed()) {
      output.push_back(std::exchange(late, {}));
      ended = true;
    }
    return FakeStream::transfer(out, in, deadline);
  }

  std::string late;
};

// Frames that come when a Close has been answered, by whoever has closed first.
std::size_t frames_behind_close(bool is_ours_first) {
  LateStream late;
  FramedStream stream(late, wire::known_binding("websocket"));
  if (is_ours_first) stream.send(stream.encode_frame({.opcode = wire::kClose}, "\x03\xE8"), soon());
  late.output = {"\x88\x02\x03\xE8"};
  late.late = "\x81\x02{}";
  std::size_t frames = 0;
  while (stream.receive(soon())) ++frames;
  return frames - 1;  // that Close
}

TEST(BehindAClose, WhatComesLateFromWhoHasAnsweredOursIsRead) {
  EXPECT_EQ(frames_behind_close(true), 2U);  // itself, and what is wrong with it
}

TEST(BehindAClose, WhoHasClosedFirstIsNotWaitedFor) { EXPECT_EQ(frames_behind_close(false), 0U); }

// Whether the connection is held open by a peer that answers our Close, and ends it or not; and
// when it is asked again, where it ends it later.
std::vector<bool> held_open_behind_close(bool is_ours_first, bool ends) {
  FakeStream peer;
  FramedStream stream(peer, wire::known_binding("websocket"));
  if (is_ours_first) stream.send(stream.encode_frame({.opcode = wire::kClose}, "\x03\xE8"), soon());
  peer.output = {"\x88\x02\x03\xE8"};
  peer.ended = ends;
  while (stream.receive(soon())) {
  }
  std::vector<bool> held = {stream.is_held_open(soon())};
  peer.ended = true;
  held.push_back(stream.is_held_open(soon()));
  return held;
}

TEST(BehindAClose, WhoHasAnsweredOursEndsTheConnection) {
  EXPECT_EQ(held_open_behind_close(true, true), (std::vector<bool>{false, false}));
  EXPECT_EQ(held_open_behind_close(true, false), (std::vector<bool>{true, false}));
  EXPECT_EQ(held_open_behind_close(false, false), (std::vector<bool>{false, false}));
}

TEST_F(FramedStreamTest, PiecesAreWrittenOneByOne) {
  EXPECT_TRUE(stream_.send_in_pieces("abcdefg", {3, {1}}, soon()));
  EXPECT_EQ(fake_.writes, (std::vector<std::string>{"a", "bc", "def", "g"}));
}

// Notes how much was still to come when something was written.
class NotingStream : public FakeStream {
 public:
  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    if (!out.empty()) to_come.push_back(output.size());
    return FakeStream::transfer(out, in, deadline);
  }

  std::vector<std::size_t> to_come;
};

TEST(Pieces, TheRestLeavesWhenSoManyMessagesHaveComeBack) {
  NotingStream noting;
  FramedStream stream(noting, wire::known_binding("lines"));
  noting.output = {"a\n", "b\n", "c\n"};
  EXPECT_TRUE(stream.send_in_pieces("xyz", {0, {1}, microseconds(0), 2}, soon()));
  EXPECT_EQ(noting.to_come, (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(noting.writes, (std::vector<std::string>{"x", "yz"}));
}

TEST(Pieces, TheRestLeavesAllTheSameWhereNothingComesBack) {
  NotingStream noting;
  FramedStream stream(noting, wire::known_binding("lines"));
  EXPECT_TRUE(stream.send_in_pieces("xyz", {0, {1}, microseconds(0), 2}, soon()));
  EXPECT_EQ(noting.writes, (std::vector<std::string>{"x", "yz"}));
}

TEST_F(FramedStreamTest, NothingFollowsAPieceThatCouldNotBeWritten) {
  fake_.takes = 0;
  EXPECT_FALSE(stream_.send_in_pieces("abcdef", {2}, soon()));
  fake_.takes = 9;
  EXPECT_TRUE(fake_.writes.empty());
}

TEST(Flood, IsToldByBytesAndByFrames) {
  EXPECT_FALSE(is_flood({}, {16U << 20, 10'000}));
  EXPECT_TRUE(is_flood({}, {(16U << 20) + 1, 1}));
  EXPECT_TRUE(is_flood({}, {20'002, 10'001}));
  EXPECT_FALSE(is_flood({16U << 20, 10'000}, {16U << 20, 10'000}));
}

TEST(CutOffsets, AreAscendingAndWithinTheMessage) {
  EXPECT_EQ(cut_offsets(10, 0, {}), Offsets());
  EXPECT_EQ(cut_offsets(10, 4, {}), (Offsets{4, 8}));
  EXPECT_EQ(cut_offsets(10, 0, {7, 3, 3, 0, 10, 11}), (Offsets{3, 7}));
  EXPECT_EQ(cut_offsets(0, 1, {1}), Offsets());
}

RC_GTEST_PROP(CutOffsetsProperty, PiecesTogetherAreTheMessage,
              (const std::string& message, const std::vector<std::size_t>& offsets)) {
  FakeStream fake;
  FramedStream stream(fake, wire::known_binding("lines"));
  const auto every = *rc::gen::inRange<std::size_t>(0, 5);
  RC_ASSERT(stream.send_in_pieces(message, {every, offsets}, soon()));
  RC_ASSERT(std::accumulate(fake.writes.begin(), fake.writes.end(), std::string()) == message);
}

// As WebSocket's pong is owed for a ping.
class OwingFraming : public wire::Framing {
 public:
  std::string encode(std::string_view payload) override { return std::string(payload) + "\n"; }
  void feed(std::string_view bytes) override {
    for (const char byte : bytes) owed_ += byte == '?' ? "!" : "";
  }
  void end_of_input() override {}
  std::string owed() override { return std::exchange(owed_, {}); }
  std::optional<wire::Frame> next() override { return std::nullopt; }

 private:
  std::string owed_;
};

class OwedBytesTest : public FramedStreamTest {
 protected:
  static std::unique_ptr<wire::Framing> make(wire::FrameLimits) {
    return std::make_unique<OwingFraming>();
  }
  const wire::Binding binding_{.name = "owing", .requirement_class = {}, .framing = make};
  FramedStream owing_{fake_, binding_};
};

TEST_F(OwedBytesTest, LeaveBeforeTheNextMessage) {
  fake_.output = {"?"};
  owing_.receive_arrived();
  EXPECT_TRUE(owing_.send("{}", soon()));
  EXPECT_EQ(fake_.writes, (std::vector<std::string>{"!", "{}"}));
}

// RFC 6455 §5.4
TEST_F(OwedBytesTest, NeverStandWithinAMessageThatIsSentInPieces) {
  fake_.output = {"?"};
  EXPECT_TRUE(owing_.send_in_pieces("{}", {.offsets = {1}, .apart = milliseconds(1)}, soon()));
  EXPECT_TRUE(owing_.send("[]", soon()));
  EXPECT_EQ(fake_.writes, (std::vector<std::string>{"{", "}", "!", "[]"}));
}

TEST_F(OwedBytesTest, LeaveAlsoWhileNothingIsSent) {
  fake_.output = {"?"};
  owing_.receive_arrived();
  owing_.receive_arrived();
  EXPECT_EQ(fake_.writes, std::vector<std::string>{"!"});
}

}  // namespace framed_stream_test
}  // namespace jrpcheck::session
