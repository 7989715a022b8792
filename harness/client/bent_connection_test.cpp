#include "client/bent_connection.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <thread>

#include "transport/descriptor.hpp"
#include "transport/listener.hpp"

namespace jrpcheck::client {
namespace bent_connection_test {

using transport::ByteStream;

constexpr std::chrono::seconds kPatience{20};

// What comes on a stream, line by line.
class Lines {
 public:
  explicit Lines(ByteStream& stream) : stream_(stream) {}

  // Empty once nothing more comes.
  std::string next() {
    const auto deadline = Deadline::in(kPatience);
    while (read_.find('\n') == std::string::npos) {
      const auto done = stream_.transfer({}, read_, deadline);
      if (done.ended || done.timed_out) return {};
    }
    const auto line = read_.substr(0, read_.find('\n'));
    read_.erase(0, line.size() + 1);
    return line;
  }
  void say(const std::string& line) {
    const std::string bytes = line + "\n";
    std::string_view rest = bytes;
    const auto deadline = Deadline::in(kPatience);
    while (!rest.empty() && !deadline.passed()) {
      rest.remove_prefix(stream_.transfer(rest, read_, deadline).written);
    }
  }

 private:
  ByteStream& stream_;
  std::string read_;
};

constexpr const char* kInvalid =
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Invalid Request"},"id":null})";

std::string result_for(int id) {
  return R"({"jsonrpc":"2.0","result":"done","id":)" + std::to_string(id) + "}";
}
std::string call_with(int id) {
  return R"({"jsonrpc":"2.0","method":"do","id":)" + std::to_string(id) + "}";
}

/// A client that is a stream of the test's, and a real server to which a Response is no Request.
class BentConnectionTest : public testing::Test {
 protected:
  void SetUp() override {
    transport::ignore_broken_pipes();
    auto listener = transport::Listener::on_tcp({"127.0.0.1", "0"});
    ASSERT_TRUE(listener);
    const auto port = std::to_string(listener->port());
    serving_ = std::thread([this, listener = *std::move(listener)]() mutable { serve(listener); });
    peer_ =
        transport::make_server_peer({[port](Deadline deadline) {
                                       return transport::connect_tcp({"127.0.0.1", port}, deadline);
                                     },
                                     port, port});
    std::array<int, 2> ends{};
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    client_ = transport::make_socket_stream(transport::Descriptor(ends[0]));
    carried_ = transport::make_socket_stream(transport::Descriptor(ends[1]));
  }
  void TearDown() override {
    client_->close_write();
    if (carrying_.joinable()) carrying_.join();
    if (serving_.joinable()) serving_.join();
  }

  void bend_first(std::vector<std::string> answer) {
    scenario_.answer = std::move(answer);
    carrying_ = std::thread([this] {
      BentConnection(*door_named("tcp"), {peer_.get()}, bend_, state_, *carried_, 1).run();
    });
  }

  void serve(transport::Listener& listener) {
    const auto stream = listener.accept(Deadline::in(kPatience));
    if (!stream) return;
    Lines lines(*stream);
    for (auto line = lines.next(); !line.empty(); line = lines.next()) {
      heard_by_server_.push_back(line);
      const bool is_call = line.find("\"method\"") != std::string::npos;
      lines.say(is_call ? result_for(++answered_) : kInvalid);
    }
  }

  corpus::Scenario scenario_;
  Bend bend_{scenario_, 1};
  TrialState state_;
  std::unique_ptr<transport::Peer> peer_;
  std::unique_ptr<ByteStream> client_;
  std::unique_ptr<ByteStream> carried_;
  std::vector<std::string> heard_by_server_;
  int answered_ = 0;
  std::thread serving_;
  std::thread carrying_;
};

TEST_F(BentConnectionTest, AnswerToACallThatTheServerHasNotMadeDoesNotReachIt) {
  const std::string ask = R"({"jsonrpc":"2.0","method":"ask","id":"jrpcheck"})";
  bend_first({ask, "${good}"});
  Lines client(*client_);
  client.say(call_with(1));
  EXPECT_EQ(client.next(), ask);
  client.say(R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"x"},"id":"jrpcheck"})");
  EXPECT_EQ(client.next(), result_for(1));
  client.say(call_with(2));
  EXPECT_EQ(client.next(), result_for(2)) << "and nothing of what the server makes of an answer";
  TearDown();
  EXPECT_EQ(heard_by_server_, (std::vector<std::string>{call_with(1), call_with(2)}));
  EXPECT_TRUE(bend_.notes().own_answer) << "it is heard all the same";
}

TEST_F(BentConnectionTest, NorDoesItWhereTheCallHasTheIdOfTheClientsOwn) {
  bend_first({R"({"jsonrpc":"2.0","method":"ask","params":[],"id":${id}})", "${good}"});
  Lines client(*client_);
  client.say(call_with(1));
  EXPECT_EQ(client.next(), R"({"jsonrpc":"2.0","method":"ask","params":[],"id":1})");
  client.say(R"({"jsonrpc":"2.0","result":null,"id":1})");
  EXPECT_EQ(client.next(), result_for(1));
  client.say(call_with(2));
  EXPECT_EQ(client.next(), result_for(2));
}

TEST_F(BentConnectionTest, OtherResponsesReachTheServer) {
  bend_first({"${good}"});
  Lines client(*client_);
  client.say(call_with(1));
  EXPECT_EQ(client.next(), result_for(1));
  client.say(R"({"jsonrpc":"2.0","result":null,"id":"jrpcheck"})");
  EXPECT_EQ(client.next(), kInvalid);
}

}  // namespace bent_connection_test
}  // namespace jrpcheck::client
