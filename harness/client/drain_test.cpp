#include "client/drain.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <string>
#include <thread>

#include "transport/descriptor.hpp"

namespace jrpcheck::client {
namespace drain_test {

using transport::Descriptor;

class DrainTest : public testing::Test {
 protected:
  void SetUp() override {
    transport::ignore_broken_pipes();
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    server_ = transport::make_socket_stream(Descriptor(ends[0]));
    client_ = Descriptor(ends[1]);
  }
  bool drained(microseconds most) {
    return drain(*server_, most, [this](std::string_view in) { heard_ += in; }) == "";
  }
  void say(std::string_view text) const {
    ASSERT_EQ(::send(client_.get(), text.data(), text.size(), 0),
              static_cast<ssize_t>(text.size()));
  }

  std::unique_ptr<transport::ByteStream> server_;
  Descriptor client_;
  std::string heard_;
};

TEST_F(DrainTest, HearsWhatIsSaidUntilTheClientSeesTheEndAndCloses) {
  say("before");
  std::thread client([this] {
    char byte = 0;
    EXPECT_EQ(::recv(client_.get(), &byte, 1, 0), 0) << "it sees the end of what the server says";
    say(", behind");
    client_.reset();
  });
  EXPECT_TRUE(drained(std::chrono::seconds(20)));
  client.join();
  EXPECT_EQ(heard_, "before, behind");
}

TEST_F(DrainTest, WaitsNoLongerForAClientThatNeverCloses) {
  say("before");
  EXPECT_FALSE(drained(milliseconds(30)));
  EXPECT_EQ(heard_, "before");
}

TEST_F(DrainTest, HearsNoMoreThanAnybodySays) {
  std::thread client([this] {
    const std::string much(1U << 20, 'x');
    while (::send(client_.get(), much.data(), much.size(), MSG_NOSIGNAL) > 0) {
    }
  });
  EXPECT_FALSE(drained(std::chrono::seconds(60)));
  server_.reset();
  client.join();
  EXPECT_GE(heard_.size(), std::size_t{16} << 20);
  EXPECT_LT(heard_.size(), std::size_t{18} << 20);
}

}  // namespace drain_test
}  // namespace jrpcheck::client
