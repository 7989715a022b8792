#include "transport/listener.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "transport/unix_socket.hpp"

namespace jrpcheck::transport {
namespace listener_test {

Deadline soon() { return Deadline::in(milliseconds(2000)); }

std::string said_through(ByteStream& from, ByteStream& to) {
  std::string in;
  std::string_view out = "hello";
  std::string unused;
  while (!out.empty()) out.remove_prefix(from.transfer(out, unused, soon()).written);
  while (in.size() < 5 && to.transfer({}, in, soon()).received) {
  }
  return in;
}

TEST(Listener, ConnectionsOverTcpAreAccepted) {
  auto listener = Listener::on_tcp({"127.0.0.1", "0"});
  ASSERT_TRUE(listener) << listener.error().message;
  ASSERT_GT(listener->port(), 0);
  auto client = connect_tcp({"127.0.0.1", std::to_string(listener->port())}, soon());
  ASSERT_TRUE(client);
  const auto server = listener->accept(soon());
  ASSERT_NE(server, nullptr);
  EXPECT_EQ(said_through(**client, *server), "hello");
  EXPECT_EQ(said_through(*server, **client), "hello");
}

TEST(Listener, WhereNobodyComesTheWaitEnds) {
  auto listener = Listener::on_tcp({"127.0.0.1", "0"});
  ASSERT_TRUE(listener);
  EXPECT_EQ(listener->accept(Deadline::in(milliseconds(1))), nullptr);
}

TEST(Listener, PortThatIsTakenIsAnError) {
  auto first = Listener::on_tcp({"127.0.0.1", "0"});
  ASSERT_TRUE(first);
  auto second = Listener::on_tcp({"127.0.0.1", std::to_string(first->port())});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("cannot listen on 127.0.0.1:"), std::string::npos);
}

TEST(Listener, PathGoesWithItsListener) {
  const std::string path = "/tmp/jrpcheck-listener-" + std::to_string(::getpid());
  struct stat found {};
  {
    auto listener = Listener::on_unix(path);
    ASSERT_TRUE(listener) << listener.error().message;
    auto client = connect_unix(path, soon());
    ASSERT_TRUE(client);
    EXPECT_NE(listener->accept(soon()), nullptr);
    EXPECT_FALSE(Listener::on_unix(path));
  }
  EXPECT_NE(::stat(path.c_str(), &found), 0);
}

}  // namespace listener_test
}  // namespace jrpcheck::transport
