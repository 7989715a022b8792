#include "transport/tcp.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <vector>

#include "transport/descriptor.hpp"
#include "transport/process_for_testing.hpp"

namespace jrpcheck::transport {
namespace tcp_test {

using testing::read_to_end;
using testing::soon;

// A listening socket on a free port of the loopback interface; closed when there is no such.
class Listener {
 public:
  explicit Listener(int family, int backlog = 8)
      : socket_(::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_addr = in6addr_loopback;
    sockaddr_in four{};
    four.sin_family = AF_INET;
    four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const bool is_six = family == AF_INET6;
    auto* address = is_six ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
    socklen_t size = is_six ? sizeof six : sizeof four;
    if (::bind(socket_.get(), address, size) != 0 || ::listen(socket_.get(), backlog) != 0) {
      socket_.reset();
      return;
    }
    ::getsockname(socket_.get(), address, &size);
    port_ = std::to_string(ntohs(is_six ? six.sin6_port : four.sin_port));
  }

  bool is_open() const { return socket_.is_open(); }
  void close() { socket_.reset(); }
  const std::string& port() const { return port_; }
  std::unique_ptr<ByteStream> accept() const {
    return make_socket_stream(Descriptor(::accept(socket_.get(), nullptr, nullptr)));
  }

 private:
  Descriptor socket_;
  std::string port_;
};

std::string error_of(const TcpAddress& address, Deadline deadline) {
  const auto connected = connect_tcp(address, deadline);
  return connected ? "it connected" : connected.error().message;
}

TEST(Tcp, BytesPassInBothDirections) {
  const Listener listener(AF_INET);
  auto client = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(client);
  const auto server = listener.accept();
  std::string in;
  EXPECT_EQ((*client)->transfer("ping", in, soon()).written, 4U);
  EXPECT_TRUE(server->transfer({}, in, soon()).received);
  EXPECT_EQ(in, "ping");
  in.clear();
  server->transfer("pong", in, soon());
  EXPECT_TRUE((*client)->transfer({}, in, soon()).received);
  EXPECT_EQ(in, "pong");
}

// Of what this end has sent, how much the other has not acknowledged.
std::uint32_t unacknowledged(ByteStream& stream) {
  tcp_info info{};
  socklen_t size = sizeof info;
  ::getsockopt(stream.polled().reading, IPPROTO_TCP, TCP_INFO, &info, &size);
  return info.tcpi_unacked;
}

// A peer without TCP_NODELAY holds its second short message back until the first is acknowledged.
// However long calls and answers have taken turns, that is done once the client waits in this way.
template <typename Wait>
void expect_acknowledged_once(Wait client_waits) {
  const Listener listener(AF_INET);
  auto client = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(client);
  const auto server = listener.accept();
  for (int call = 0; call < 20; ++call) {
    std::string in;
    (*client)->transfer("?", in, soon());
    server->transfer({}, in, soon());
    server->transfer("1", in, soon());
    ASSERT_TRUE((*client)->transfer({}, in, soon()).received);
    client_waits(**client);
    EXPECT_EQ(unacknowledged(*server), 0U) << call;
  }
}

TEST(Tcp, WhatHasComeIsAcknowledgedBeforeMoreIsWaitedFor) {
  expect_acknowledged_once([](ByteStream& client) {
    std::string in;
    client.transfer({}, in, Deadline::firmly_in(milliseconds(1)));
  });
}

TEST(Tcp, WhatHasComeIsAcknowledgedBeforeOthersAreWaitedForAsWell) {
  expect_acknowledged_once([](ByteStream& client) { client.polled(); });
}

TEST(Tcp, ClosedSendingDirectionIsEndOfInputAndCanStillBeAnswered) {
  const Listener listener(AF_INET);
  auto client = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(client);
  auto server = listener.accept();
  (*client)->close_write();
  EXPECT_EQ(read_to_end(*server), "");
  std::string in;
  server->transfer("late", in, soon());
  server.reset();
  EXPECT_EQ(read_to_end(**client), "late");
}

TEST(Tcp, PeerThatIsGoneEndsTheStream) {
  const Listener listener(AF_INET);
  auto client = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(client);
  listener.accept().reset();
  std::string in;
  EXPECT_TRUE((*client)->transfer({}, in, soon()).ended);
}

TEST(Tcp, ResetIsToldFromAClose) {
  const Listener listener(AF_INET);
  auto client = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(client);
  listener.accept()->reset();
  std::string in;
  const auto seen = (*client)->transfer({}, in, soon());
  EXPECT_TRUE(seen.ended);
  EXPECT_TRUE(seen.reset);
  auto second = connect_tcp({"127.0.0.1", listener.port()}, soon());
  ASSERT_TRUE(second);
  listener.accept().reset();
  EXPECT_FALSE((*second)->transfer({}, in, soon()).reset);
}

TEST(Tcp, RefusedPortIsAnErrorThatNamesIt) {
  Listener listener(AF_INET);
  listener.close();
  EXPECT_EQ(error_of({"127.0.0.1", listener.port()}, soon()),
            "no connection to 127.0.0.1:" + listener.port() + ": Connection refused");
}

TEST(Tcp, EachAddressOfANameIsTried) {
  const Listener listener(AF_INET);  // on 127.0.0.1 only, while localhost may be ::1 first
  EXPECT_EQ(error_of({"localhost", listener.port()}, soon()), "it connected");
}

TEST(Tcp, AddressOfVersionSixIsReached) {
  const Listener listener(AF_INET6);
  if (!listener.is_open()) GTEST_SKIP() << "this machine has no IPv6 loopback";
  EXPECT_EQ(error_of({"::1", listener.port()}, soon()), "it connected");
}

TEST(Tcp, AddressOfVersionSixIsBracketedBeforeItsPort) {
  EXPECT_EQ((TcpAddress{"::1", "8545"}).text(), "[::1]:8545");
  EXPECT_EQ((TcpAddress{"example.org", "80"}).text(), "example.org:80");
}

TEST(Tcp, NameThatDoesNotResolveIsAnErrorThatNamesIt) {
  const std::string name(300, 'x');  // longer than any name may be, so nobody is asked
  EXPECT_EQ(error_of({name, "80"}, soon()).find("the host name '" + name + "' cannot be resolved"),
            0U);
}

TEST(Tcp, HostThatDoesNotAnswerCostsTheDeadlineAndNoMore) {
  const Listener listener(AF_INET, 0);
  std::vector<std::unique_ptr<ByteStream>> queue;  // until the backlog is full
  std::string error;
  while (error.empty() && queue.size() < 64) {
    auto connected = connect_tcp({"127.0.0.1", listener.port()}, Deadline::in(milliseconds(100)));
    if (connected) {
      queue.push_back(*std::move(connected));
    } else {
      error = connected.error().message;
    }
  }
  EXPECT_EQ(error, "no connection to 127.0.0.1:" + listener.port() + ": Connection timed out");
}

}  // namespace tcp_test
}  // namespace jrpcheck::transport
