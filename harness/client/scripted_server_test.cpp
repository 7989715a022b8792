#include "client/scripted_server.hpp"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>

#include "transport/tcp.hpp"

namespace jrpcheck::client {
namespace scripted_server_test {

using dialogue::Side;
using dialogue::TrafficEvent;
using transport::ByteStream;

constexpr const char* kEcho = "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[1],\"id\":1}";

/// The server of one trial behind a door, and clients of it that are streams of the test's.
class ScriptedServerTest : public testing::Test {
 protected:
  void open(std::string_view door) {
    transport::ignore_broken_pipes();
    const Door* found = door_named(door);
    ASSERT_NE(found, nullptr);
    auto guardian = transport::Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
    auto premises = Premises::for_door(*found, *guardian_);
    ASSERT_TRUE(premises);
    premises_ = *std::move(premises);
    auto server = ScriptedServer::start(*found, script_, *premises_);
    ASSERT_TRUE(server);
    server_ = *std::move(server);
  }
  std::unique_ptr<ByteStream> connect() const {
    const std::string url = server_->url();
    const auto port = url.substr(url.rfind(':') + 1);
    auto made = transport::connect_tcp({"127.0.0.1", port.substr(0, port.find('/'))},
                                       Deadline::in(std::chrono::seconds(5)));
    EXPECT_TRUE(made);
    return *std::move(made);
  }
  static void say(ByteStream& stream, std::string_view text, std::string& heard) {
    const auto deadline = Deadline::in(std::chrono::seconds(20));
    while (!text.empty() && !deadline.passed()) {
      text.remove_prefix(stream.transfer(text, heard, deadline).written);
    }
  }
  void say_and_leave(const std::string& text) const {
    const auto stream = connect();
    std::string unread;
    say(*stream, text, unread);
  }
  std::size_t heard_of_client() const {
    const auto events = server_->stop();
    return static_cast<std::size_t>(std::ranges::count_if(events, [](const TrafficEvent& each) {
      return each.side == Side::client && each.kind == TrafficEvent::Kind::message;
    }));
  }

  corpus::Scenario scenario_;
  Script script_{scenario_};
  std::unique_ptr<transport::Guardian> guardian_;
  std::unique_ptr<Premises> premises_;
  std::unique_ptr<ScriptedServer> server_;
};

TEST_F(ScriptedServerTest, WhatCameInTheLastMomentIsHeard) {
  open("tcp");
  constexpr std::size_t kClients = 50;
  for (std::size_t i = 0; i < kClients; ++i) say_and_leave(std::string(kEcho) + "\n");
  EXPECT_EQ(heard_of_client(), kClients);
}

// It stands behind the message, and may come when that has been answered.
TEST_F(ScriptedServerTest, LineFeedBehindAMessageIsHeard) {
  for (const bool is_ended : {false, true}) {
    open("tcp");
    {
      const auto stream = connect();
      std::string heard;
      say(*stream, kEcho, heard);
      EXPECT_TRUE(stream->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
      if (is_ended) say(*stream, "\n", heard);
    }
    EXPECT_EQ(heard_of_client(), 1U);
    EXPECT_EQ(server_->has_line_feed(), is_ended);
  }
}

TEST_F(ScriptedServerTest, WhatComesOnAnOpenConnectionInTheLastMomentIsHeard) {
  constexpr int kTimes = 20;
  for (int i = 0; i < kTimes; ++i) {
    open("tcp");
    const auto stream = connect();
    std::string heard;
    say(*stream, std::string(kEcho) + "\n", heard);
    EXPECT_TRUE(stream->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
    say(*stream, "{\"jsonrpc\":\"2.0\",\"result\":1,\"id\":\"jrpcheck\"}\n", heard);
    EXPECT_EQ(heard_of_client(), 2U);
    EXPECT_TRUE(script_.own_answer());
  }
}

TEST_F(ScriptedServerTest, WhatComesWhileItAnswersIsHeard) {
  // More than all buffers between the two take.
  const std::size_t size = 15U << 20;
  scenario_.answer = {"\"" + std::string(size, 'x') + "\""};
  open("tcp");
  const auto stream = connect();
  const std::string call = "{\"jsonrpc\":\"2.0\",\"method\":\"echo\",\"params\":[2],\"id\":1}\n";
  const auto begin = [&] { return ::send(stream->polled().writing, call.data(), call.size(), 0); };
  ASSERT_EQ(begin(), static_cast<ssize_t>(call.size()));
  pollfd answered{stream->polled().reading, POLLIN, 0};
  ASSERT_EQ(::poll(&answered, 1, 5000), 1);
  ASSERT_EQ(begin(), static_cast<ssize_t>(call.size()));
  const std::size_t both = 2 * (size + 3);  // with quotes and line feeds
  std::string heard;
  const auto deadline = Deadline::in(std::chrono::seconds(20));
  while (heard.size() < both && !deadline.passed()) stream->transfer({}, heard, deadline);
  EXPECT_EQ(heard.size(), both) << "each call is answered";
  EXPECT_EQ(heard_of_client(), 2U);
}

TEST_F(ScriptedServerTest, MoreConnectionsThanItServesWaitForOneToEnd) {
  open("tcp");
  std::vector<std::unique_ptr<ByteStream>> idle;
  while (idle.size() < ScriptedServer::kMostAtOnce) idle.push_back(connect());
  const auto late = connect();
  std::string heard;
  say(*late, std::string(kEcho) + "\n", heard);
  EXPECT_TRUE(late->transfer({}, heard, Deadline::in(milliseconds(300))).timed_out);
  idle.pop_back();
  EXPECT_TRUE(late->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
  EXPECT_EQ(heard, "{\"jsonrpc\":\"2.0\",\"result\":101,\"id\":1}\n");
  EXPECT_EQ(heard_of_client(), 1U);
}

TEST_F(ScriptedServerTest, WhatAClientThatIsKilledWasSayingIsNoMessage) {
  for (const bool is_killed : {false, true}) {
    open("tcp");
    {
      const auto stream = connect();
      std::string heard;
      say(*stream, std::string(kEcho) + "\n", heard);
      EXPECT_TRUE(stream->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
      say(*stream, "{\"jsonrpc\":", heard);
      if (is_killed) server_->expect_kill();
    }
    const auto events = server_->stop();
    const auto said = std::ranges::count_if(events, [](const TrafficEvent& each) {
      return each.side == Side::client && each.kind != TrafficEvent::Kind::closed;
    });
    EXPECT_EQ(said, is_killed ? 1 : 2);
  }
}

TEST_F(ScriptedServerTest, WhoeverWaitsToBeWavedOnIs) {
  open("http");
  const auto stream = connect();
  const std::string head =
      "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: " +
      std::to_string(std::string_view(kEcho).size()) + "\r\n\r\n";
  for (int i = 0; i < 2; ++i) {
    std::string heard;
    say(*stream, head, heard);
    EXPECT_TRUE(stream->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
    EXPECT_EQ(heard, "HTTP/1.1 100 Continue\r\n\r\n");
    say(*stream, kEcho, heard);
    EXPECT_TRUE(stream->transfer({}, heard, Deadline::in(std::chrono::seconds(5))).received);
    EXPECT_NE(heard.find("101"), std::string::npos) << heard;
  }
}

TEST(StateOfATrial, KeepsNoMoreThanAnybodySays) {
  TrialState state;
  dialogue::TrafficEvent event;
  event.message = std::string(100U << 20, 'x');
  for (int i = 0; i < 3; ++i) state.note(event);
  EXPECT_TRUE(state.is_flooded);
  EXPECT_EQ(state.traffic.size(), 2U);
}

}  // namespace scripted_server_test
}  // namespace jrpcheck::client
