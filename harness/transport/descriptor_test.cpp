#include "transport/descriptor.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <string>

#include "transport/byte_stream.hpp"

namespace jrpcheck::transport {
namespace descriptor_test {

// One who waits for a processor, and answers as soon as it has one: after the last look of who
// waits for it, and before it is asked whether it still wants one.
class AnswersInItsTurn : public Deferral {
 public:
  AnswersInItsTurn(int socket, int looks_before) : socket_(socket), looks_left_(looks_before) {}

  bool defers() override {
    if (looks_left_-- > 0) return true;
    EXPECT_EQ(::write(socket_, "late", 4), 4);
    return false;
  }

 private:
  int socket_;
  int looks_left_;
};

class WhatComesAsTheWaitEnds : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    other_ = Descriptor(ends[0]);
    stream_ = make_socket_stream(Descriptor(ends[1]));
  }
  Transfer wait(Deadline deadline) { return stream_->transfer({}, in_, deadline); }

  Descriptor other_;
  std::unique_ptr<ByteStream> stream_;
  std::string in_;
};

TEST_F(WhatComesAsTheWaitEnds, IsTakenOfWhomTheDeadlineWaitedFor) {
  for (const int looks : {0, 1, 3}) {
    in_.clear();
    const auto done =
        wait(Deadline::in(microseconds(0))
                 .held_back_by(std::make_shared<AnswersInItsTurn>(other_.get(), looks)));
    EXPECT_TRUE(done.received) << looks;
    EXPECT_FALSE(done.timed_out) << looks;
    EXPECT_EQ(in_, "late") << looks;
  }
}

TEST_F(WhatComesAsTheWaitEnds, IsNothingOfWhoSaysNothing) {
  const auto done = wait(Deadline::in(milliseconds(1)));
  EXPECT_TRUE(done.timed_out);
  EXPECT_FALSE(done.received || done.ended);
}

TEST_F(WhatComesAsTheWaitEnds, MayBeTheEnd) {
  class Leaves : public Deferral {
   public:
    explicit Leaves(Descriptor& socket) : socket_(socket) {}
    bool defers() override {
      socket_.reset();
      return false;
    }

   private:
    Descriptor& socket_;
  };
  const auto done =
      wait(Deadline::in(microseconds(0)).held_back_by(std::make_shared<Leaves>(other_)));
  EXPECT_TRUE(done.ended);
  EXPECT_FALSE(done.timed_out);
}

}  // namespace descriptor_test
}  // namespace jrpcheck::transport
