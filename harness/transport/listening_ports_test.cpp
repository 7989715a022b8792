#include "transport/listening_ports.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/contains.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::transport {
namespace listening_ports_test {

TEST(ListeningPorts, AreThoseOnWhichTheGroupListensAndNoOthers) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  socklen_t size = sizeof address;
  ASSERT_EQ(::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
  const int port = ntohs(address.sin_port);
  const auto has_port = [port] {
    const auto ports = listening_ports(::getpgrp());
    return contains(ports, port);
  };
  EXPECT_FALSE(has_port()) << "bound, and nobody listens";
  EXPECT_TRUE(listeners_at(port).empty());
  ASSERT_EQ(::listen(socket.get(), 1), 0);
  EXPECT_TRUE(has_port());
  EXPECT_EQ(listeners_at(port), std::vector<pid_t>{::getpid()});
}

TEST(ListeningPorts, OfAGroupThatIsGoneAreNone) {
  EXPECT_TRUE(listening_ports(0x3FFFFFFF).empty());
}

}  // namespace listening_ports_test
}  // namespace jrpcheck::transport
