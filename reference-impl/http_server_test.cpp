#include "reference-impl/http_server.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <array>
#include <csignal>
#include <thread>
#include <vector>

#include "reference-impl/methods.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {
namespace http_server_test {

constexpr std::string_view kCall = R"({"jsonrpc":"2.0","method":"subtract","params":[3,2],"id":1})";
constexpr std::string_view kReply = R"({"jsonrpc":"2.0","result":1,"id":1})";

/// A client that writes what it is told and reads responses.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(port);
    EXPECT_EQ(::connect(socket_.number(), reinterpret_cast<sockaddr*>(&address), sizeof address),
              0);
    const timeval patience{.tv_sec = 10, .tv_usec = 0};
    ::setsockopt(socket_.number(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }

  void write(std::string_view bytes) { write_all(socket_.number(), bytes); }
  void end_input() { ::shutdown(socket_.number(), SHUT_WR); }

  void post(std::string_view body, wire::HttpFields fields = {}) {
    fields.emplace_back("Host", "localhost");
    fields.emplace_back("Content-Length", std::to_string(body.size()));
    write(wire::http_request("POST", "/", fields, body));
  }

  /// The next response; one of status 0 when the connection ends instead.
  wire::HttpMessage response() {
    while (true) {
      if (auto message = reader_.next()) return std::move(*message);
      const std::size_t count = read();
      if (count == 0) return {};
      reader_.feed({buffer_.data(), count});
    }
  }

  /// Bytes as they come, responses or not.
  std::string bytes(std::size_t size) {
    std::string out;
    while (out.size() < size) {
      const std::size_t count = read();
      if (count == 0) break;
      out.append(buffer_.data(), count);
    }
    return out;
  }

  bool is_closed_by_server() { return read() == 0; }

 private:
  std::size_t read() {
    // Not read_some: that would wait again after the time allowed.
    const ssize_t count = ::recv(socket_.number(), buffer_.data(), buffer_.size(), 0);
    return count > 0 ? static_cast<std::size_t>(count) : 0;
  }

  Descriptor socket_;
  wire::HttpReader reader_{wire::HttpReader::Role::client};
  std::array<char, 4096> buffer_;
};

class HttpServerTest : public ::testing::Test {
 protected:
  static HttpServer listen() {
    std::signal(SIGPIPE, SIG_IGN);
    auto server = HttpServer::listen(0);
    EXPECT_TRUE(server) << server.error().message;
    return std::move(*server);
  }

  ~HttpServerTest() override {
    server_.stop();
    thread_.join();
  }

  Client connect() { return Client(server_.port()); }

  HttpServer server_ = listen();
  const Dispatcher dispatcher_ = make_reference_dispatcher({.max_bytes = 1U << 20});
  std::jthread thread_{[this] { server_.serve(dispatcher_); }};
};

TEST_F(HttpServerTest, SaysWhereItListens) {
  EXPECT_NE(server_.port(), 0);
  EXPECT_EQ(server_.url(), "http://127.0.0.1:" + std::to_string(server_.port()) + "/");
}

TEST_F(HttpServerTest, RefusesAPortThatIsTaken) {
  const auto second = HttpServer::listen(server_.port());
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find(std::to_string(server_.port())), std::string::npos);
}

TEST_F(HttpServerTest, ServesManyCallsOnOneConnectionAlsoAfterErrors) {
  Client client = connect();
  for (const char* body : {"{", "[]", R"({"jsonrpc":"2.0","method":"unknown","id":1})"}) {
    client.post(body);
    EXPECT_EQ(client.response().status, 200);
    client.post(kCall);
    EXPECT_EQ(client.response().body, kReply);
  }
}

TEST_F(HttpServerTest, AnswersPipelinedRequestsInOrder) {
  Client client = connect();
  client.post(R"({"jsonrpc":"2.0","method":"update"})");
  client.post(kCall);
  client.post("[]");
  EXPECT_EQ(client.response().status, 204);
  EXPECT_EQ(client.response().body, kReply);
  EXPECT_NE(client.response().body.find("-32600"), std::string::npos);
}

TEST_F(HttpServerTest, ReadsARequestByteByByte) {
  Client client = connect();
  const std::string request = wire::http_request(
      "POST", "/", {{"Host", "a"}, {"Content-Length", std::to_string(kCall.size())}}, kCall);
  for (const char byte : request) client.write({&byte, 1});
  EXPECT_EQ(client.response().body, kReply);
}

TEST_F(HttpServerTest, ReadsAChunkedBody) {
  Client client = connect();
  client.write(wire::http_request("POST", "/", {{"Host", "a"}, {"Transfer-Encoding", "chunked"}},
                                  wire::http_chunked(kCall, 7)));
  EXPECT_EQ(client.response().body, kReply);
}

TEST_F(HttpServerTest, ClosesWhenTheClientAsks) {
  Client client = connect();
  client.post(kCall, {{"Connection", "close"}});
  EXPECT_EQ(client.response().body, kReply);
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, RefusesWhatIsNotHttpAndCloses) {
  Client client = connect();
  client.write("nonsense\r\n\r\n");
  EXPECT_EQ(client.response().status, 400);
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, AnswersARequestCutShortByEndOfInput) {
  Client client = connect();
  client.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n[");
  client.end_input();
  EXPECT_EQ(client.response().status, 400);
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, RefusesABodyBeyondTheLimitWithoutLosingTheResponse) {
  Client client = connect();
  client.post(std::string((1U << 20) + 1, ' '));
  EXPECT_EQ(client.response().status, 413);
  EXPECT_TRUE(client.is_closed_by_server());
}

TEST_F(HttpServerTest, InvitesABodyThatIsHeldBackOncePerRequest) {
  const std::string head =
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: " +
      std::to_string(kCall.size()) + "\r\n\r\n";
  const std::string invitation = "HTTP/1.1 100 Continue\r\n\r\n";
  Client client = connect();
  for (int i = 0; i < 2; ++i) {
    client.write(head);
    EXPECT_EQ(client.bytes(invitation.size()), invitation);
    client.write(kCall.substr(0, 5));
    client.write(kCall.substr(5));
    EXPECT_EQ(client.response().body, kReply);
  }
}

TEST_F(HttpServerTest, RefusesABodyThatIsHeldBackWhenItIsNotWanted) {
  Client client = connect();
  client.write(
      "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: text/plain\r\n"
      "Content-Length: 5\r\n\r\n");
  EXPECT_EQ(client.response().status, 415);
}

TEST_F(HttpServerTest, SlowCallDoesNotHoldUpOtherConnections) {
  Client slow = connect();
  Client quick = connect();
  slow.post(R"({"jsonrpc":"2.0","method":"slow","params":[300],"id":1})");
  quick.post(R"({"jsonrpc":"2.0","method":"state-set","params":["quick was first"],"id":1})");
  EXPECT_EQ(quick.response().status, 200);
  slow.post(R"({"jsonrpc":"2.0","method":"state-get","id":2})");
  EXPECT_EQ(slow.response().body, R"({"jsonrpc":"2.0","result":300,"id":1})");
  EXPECT_EQ(slow.response().body, R"({"jsonrpc":"2.0","result":"quick was first","id":2})");
}

TEST_F(HttpServerTest, ServesManyConnectionsAtOnceAndOneAfterAnother) {
  std::vector<std::jthread> clients;
  std::array<int, 8> answered{};
  for (int& count : answered) {
    clients.emplace_back([this, &count] {
      for (int i = 0; i < 20; ++i) {
        Client client = connect();
        client.post(kCall);
        count += client.response().body == kReply ? 1 : 0;
      }
    });
  }
  clients.clear();
  for (const int count : answered) EXPECT_EQ(count, 20);
}

TEST_F(HttpServerTest, StopEndsOpenConnections) {
  Client client = connect();
  client.post(kCall);
  EXPECT_EQ(client.response().status, 200);
  server_.stop();
  EXPECT_TRUE(client.is_closed_by_server());
}

}  // namespace http_server_test
}  // namespace jrpcheck::reference
