#include "transport/unix_socket.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include "transport/descriptor.hpp"
#include "transport/guardian.hpp"
#include "transport/peer.hpp"
#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace unix_socket_test {

using testing::read_to_end;
using testing::soon;

class UnixSocketTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = (std::filesystem::temp_directory_path() / "jrpcheck-XXXXXX").string();
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
    listener_ = Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof address.sun_path - 1);
    const auto* generic = reinterpret_cast<const sockaddr*>(&address);
    ASSERT_EQ(::bind(listener_.get(), generic, sizeof address), 0);
    ASSERT_EQ(::listen(listener_.get(), 0), 0);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return folder_ + "/socket"; }
  std::unique_ptr<ByteStream> accept() const {
    return make_socket_stream(Descriptor(::accept(listener_.get(), nullptr, nullptr)));
  }
  void stop_listening() { listener_.reset(); }

 private:
  std::string folder_;
  Descriptor listener_;
};

std::string error_at(const std::string& path, Deadline deadline) {
  const auto connected = connect_unix(path, deadline);
  return connected ? "it connected" : connected.error().message;
}

TEST_F(UnixSocketTest, EverybodyMayConnectWhereTheSocketAndTheFoldersAboveItLetThem) {
  if (std::getenv("TMPDIR") != nullptr) GTEST_SKIP() << "who gets there is not known";
  using std::filesystem::perms;
  const auto folder = std::filesystem::path(path()).parent_path();
  const auto with = [&](int of_folder, int of_socket) {
    std::filesystem::permissions(folder, static_cast<perms>(of_folder));
    std::filesystem::permissions(path(), static_cast<perms>(of_socket));
    return lets_everybody_connect(path());
  };
  EXPECT_TRUE(with(0711, 0777));
  EXPECT_TRUE(with(0755, 0722));
  EXPECT_FALSE(with(0755, 0775)) << "only the owner and the group may write to it";
  EXPECT_FALSE(with(0700, 0777)) << "nobody else gets to it";
  EXPECT_FALSE(lets_everybody_connect(path() + "-that-is-not-there"));
}

TEST_F(UnixSocketTest, BytesPassInBothDirections) {
  const auto client = connect_unix(path(), soon());
  ASSERT_TRUE(client);
  const auto server = accept();
  std::string in;
  EXPECT_EQ((*client)->transfer("ping", in, soon()).written, 4U);
  EXPECT_TRUE(server->transfer({}, in, soon()).received);
  EXPECT_EQ(in, "ping");
}

TEST_F(UnixSocketTest, ClosedSendingDirectionCanStillBeAnswered) {
  const auto client = connect_unix(path(), soon());
  ASSERT_TRUE(client);
  auto server = accept();
  (*client)->close_write();
  EXPECT_EQ(read_to_end(*server), "");
  std::string in;
  server->transfer("late", in, soon());
  server.reset();
  EXPECT_EQ(read_to_end(**client), "late");
}

TEST_F(UnixSocketTest, SocketThatNobodyListensOnIsAnErrorThatNamesIt) {
  stop_listening();
  EXPECT_EQ(error_at(path(), soon()), "no connection to " + path() + ": Connection refused");
  EXPECT_EQ(error_at(path() + "x", soon()),
            "no connection to " + path() + "x: No such file or directory");
}

TEST_F(UnixSocketTest, FullQueueCostsTheDeadlineAndNoMore) {
  const auto first = connect_unix(path(), soon());
  ASSERT_TRUE(first);
  EXPECT_EQ(error_at(path(), Deadline::in(milliseconds(50))),
            "no connection to " + path() + ": Resource temporarily unavailable");
}

TEST(UnixSocket, PathThatIsTooLongIsAnErrorThatSaysSo) {
  EXPECT_EQ(error_at("/" + std::string(200, 'x'), soon()).find("the path of a socket has at most"),
            0U);
}

TEST_F(UnixSocketTest, OnlyASocketIsRemoved) {
  const std::string file = path() + ".txt";
  std::ofstream(file) << "no socket";
  remove_unix(file);
  EXPECT_TRUE(std::filesystem::exists(file));
  remove_unix(path());
  EXPECT_FALSE(std::filesystem::exists(path()));
  remove_unix(path());
}

// The socket stands there before the program is started, which is not told apart from its own.
class SocketOfAProgram : public UnixSocketTest {
 protected:
  void SetUp() override {
    UnixSocketTest::SetUp();
    auto guardian = Guardian::start();
    ASSERT_TRUE(guardian);
    guardian_ = *std::move(guardian);
    const auto dial =
        [this, is_first = true](Deadline deadline) mutable -> Result<std::unique_ptr<ByteStream>> {
      if (std::exchange(is_first, false)) return Error{"nobody listens yet"};
      return connect_unix(path(), deadline);
    };
    peer_ = make_server_peer({.dial = dial, .address = path(), .shown = {}, .socket_file = path()},
                             {"sleep", "1000"}, *guardian_);
  }
  void TearDown() override {
    peer_.reset();
    UnixSocketTest::TearDown();
  }
  void start() {
    ASSERT_TRUE(peer_->start(soon()));
    accept();
  }
  bool is_there() const { return std::filesystem::exists(path()); }

  std::unique_ptr<Guardian> guardian_;
  std::unique_ptr<Peer> peer_;
};

TEST_F(SocketOfAProgram, IsRemovedBeforeItIsStartedAgain) {
  start();
  stop_listening();
  EXPECT_FALSE(peer_->revive(peer_->generation(), Deadline::in(milliseconds(30))));
  EXPECT_FALSE(is_there());
}

TEST_F(SocketOfAProgram, IsRemovedWithIt) {
  start();
  stop_listening();
  peer_.reset();
  EXPECT_FALSE(is_there());
}

TEST_F(SocketOfAProgram, StaysWhereSomebodyListens) {
  start();
  peer_.reset();
  EXPECT_TRUE(is_there());
}

TEST_F(SocketOfAProgram, IsSomebodyElsesWhereItNeverListened) {
  stop_listening();
  EXPECT_FALSE(peer_->start(Deadline::in(milliseconds(30))));
  peer_.reset();
  EXPECT_TRUE(is_there());
}

}  // namespace unix_socket_test
}  // namespace jrpcheck::transport
