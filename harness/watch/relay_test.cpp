#include "watch/relay.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <thread>

#include "transport/descriptor.hpp"
#include "transport/listener.hpp"

namespace jrpcheck::watch {
namespace relay_test {

using dialogue::Side;
using transport::ByteStream;
using transport::Descriptor;

Deadline soon() { return Deadline::in(milliseconds(5000)); }

std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>> pair_of_streams() {
  std::array<int, 2> ends{};
  EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  return {transport::make_socket_stream(Descriptor(ends[0])),
          transport::make_socket_stream(Descriptor(ends[1]))};
}

void say(ByteStream& stream, std::string_view text) {
  std::string unused;
  while (!text.empty() && !soon().passed()) {
    const auto done = stream.transfer(text, unused, soon());
    text.remove_prefix(done.written);
    if (done.broken) return;
  }
}

std::string hear(ByteStream& stream, std::size_t size) {
  std::string in;
  while (in.size() < size) {
    const auto done = stream.transfer({}, in, soon());
    if (!done.received) break;
  }
  return in;
}

bool hears_end(ByteStream& stream) {
  std::string in;
  return stream.transfer({}, in, soon()).ended && in.empty();
}

// A client and a server with a relay between them.
class RelayTest : public ::testing::Test {
 protected:
  void SetUp() override {
    transport::ignore_broken_pipes();
    std::tie(client_, client_end_) = pair_of_streams();
    std::tie(server_, server_end_) = pair_of_streams();
    auto [reading, writing] = transport::make_pipe();
    journal_.emplace(std::move(reading));
    thread_ = std::thread([this, pipe = std::move(writing)]() mutable {
      JournalWriter writer(std::move(pipe));
      relay({*client_end_, *server_end_}, 1, writer);
      client_end_.reset();
      server_end_.reset();
    });
  }
  void TearDown() override {
    client_.reset();
    server_.reset();
    thread_.join();
  }

  std::unique_ptr<ByteStream> client_;
  std::unique_ptr<ByteStream> server_;
  std::unique_ptr<ByteStream> client_end_;
  std::unique_ptr<ByteStream> server_end_;
  std::optional<JournalReader> journal_;
  std::thread thread_;
};

TEST_F(RelayTest, BytesPassUnchangedBothWays) {
  const std::string bytes("\0\xFF\r\n{}", 6);
  say(*client_, bytes);
  EXPECT_EQ(hear(*server_, bytes.size()), bytes);
  say(*server_, "back");
  EXPECT_EQ(hear(*client_, 4), "back");
  const auto first = journal_->next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->bytes, bytes);
  const auto second = journal_->next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->side, Side::server);
}

TEST_F(RelayTest, HalfCloseIsPassedOnAndTheOtherDirectionStands) {
  say(*client_, "x");
  client_->close_write();
  EXPECT_EQ(hear(*server_, 1), "x");
  EXPECT_TRUE(hears_end(*server_));
  say(*server_, "late");
  EXPECT_EQ(hear(*client_, 4), "late");
  server_->close_write();
  EXPECT_TRUE(hears_end(*client_));
}

TEST_F(RelayTest, SlowReaderHoldsItsPeerBackAndLosesNothing) {
  const std::string large(8U << 20, 'y');
  std::thread sender([&] { say(*client_, large); });
  std::thread drain([&] {
    while (journal_->next()) {
    }
  });
  EXPECT_EQ(hear(*server_, large.size()).size(), large.size());
  sender.join();
  client_.reset();
  server_.reset();
  drain.join();
}

TEST(RelayOverTcp, ResetIsPassedOn) {
  transport::ignore_broken_pipes();
  const auto connected = [] {
    auto listener = transport::Listener::on_tcp({"127.0.0.1", "0"});
    auto made = transport::connect_tcp({"127.0.0.1", std::to_string(listener->port())}, soon());
    return std::pair(*std::move(made), listener->accept(soon()));
  };
  auto [client, client_end] = connected();
  auto [server, server_end] = connected();
  auto [reading, writing] = transport::make_pipe();
  JournalWriter writer(std::move(writing));
  std::thread thread([&, a = std::move(client_end), b = std::move(server_end)] {
    relay({*a, *b}, 1, writer);
  });
  say(*server, "x");
  EXPECT_EQ(hear(*client, 1), "x");
  client->reset();
  std::string in;
  EXPECT_TRUE(server->transfer({}, in, soon()).reset);
  thread.join();
}

}  // namespace relay_test
}  // namespace jrpcheck::watch
