// Servers that serve one connection at a time.
#include "run/connections_served.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/run_for_testing.hpp"
#include "run/runner.hpp"

namespace jrpcheck::run {
namespace connections_served_test {

// Answers lines on one connection until it ends, then on the next.
class SerialServer {
 public:
  SerialServer() : listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0) {
      ::close(listener_);
      throw std::runtime_error("cannot listen");
    }
    ::getsockname(listener_, generic, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { serve_all(); });
  }
  ~SerialServer() {
    {
      const std::lock_guard lock(mutex_);
      is_over_ = true;
      ::shutdown(listener_, SHUT_RDWR);
      if (socket_ >= 0) ::shutdown(socket_, SHUT_RDWR);
    }
    thread_.join();
    ::close(listener_);
  }
  SerialServer(const SerialServer&) = delete;
  SerialServer& operator=(const SerialServer&) = delete;

  std::string url() const { return "tcp://127.0.0.1:" + std::to_string(port_); }

 private:
  void serve_all() {
    for (;;) {
      const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (socket < 0) return;
      {
        const std::lock_guard lock(mutex_);
        socket_ = socket;
        if (is_over_) ::shutdown(socket, SHUT_RDWR);
      }
      serve(socket);
      const std::lock_guard lock(mutex_);
      ::close(socket);
      socket_ = -1;
    }
  }

  static void serve(int socket) {
    const FakeServer answer = server_without_methods();
    std::string input;
    char buffer[16384];
    for (;;) {
      const ssize_t count = ::recv(socket, buffer, sizeof buffer, 0);
      if (count <= 0) return;
      input.append(buffer, static_cast<std::size_t>(count));
      for (std::size_t end = 0; (end = input.find('\n')) != std::string::npos;) {
        const auto reply = answer(input.substr(0, end));
        input.erase(0, end + 1);
        if (!reply) continue;
        const std::string line = *reply + "\n";
        if (::send(socket, line.data(), line.size(), MSG_NOSIGNAL) < 0) return;
      }
    }
  }

  int listener_;
  std::uint16_t port_ = 0;
  std::mutex mutex_;  // guards what follows
  int socket_ = -1;
  bool is_over_ = false;
  std::thread thread_;
};

class OneConnectionAtATime : public GuardedTest {};

TEST_F(OneConnectionAtATime, LeavesOutWhatNeedsSeveralAndFailsNothing) {
  const SerialServer server;
  Options options;
  options.target = *transport::parse_target(server.url());
  options.framing = wire::binding_named("lines");
  options.selection.select = {"tcp/call", "tcp/half-message-beside", "tcp/calls-side-by-side",
                              "tcp/http-request"};
  NoProgress progress;
  const auto run = run_corpus(corpus::corpus_for_testing(corpus::kDefaultProfile), options,
                              *guardian_, progress);
  EXPECT_EQ(run.unreached, "");
  EXPECT_EQ(run.counts.fail, 0U);
  for (const auto& one : run.cases) {
    const bool needs_several = one.id.starts_with("tcp/") && one.id != "tcp/call";
    if (one.id == "tcp/call") {
      EXPECT_EQ(one.verdict, result::Verdict::pass);
    }
    if (needs_several) {
      EXPECT_EQ(one.reason, "the server serves one connection at a time") << one.id;
    }
  }
}

TEST(FoundConnectionUsedUp, WhereOthersHadUsedItAndTheCaseToldNothing) {
  corpus::Case one;
  one.steps.resize(2);
  one.steps[1].same_connection = true;
  CaseRun run;
  run.exchanges.resize(2);
  run.exchanges[1].on_new_connection = true;
  run.result.verdict = result::Verdict::not_exercised;
  EXPECT_TRUE(found_connection_used_up(one, run));
  run.result.verdict = result::Verdict::warn;
  EXPECT_FALSE(found_connection_used_up(one, run));
  run.result.verdict = result::Verdict::not_exercised;
  run.exchanges[0].on_new_connection = true;
  EXPECT_FALSE(found_connection_used_up(one, run));
}

}  // namespace connections_served_test
}  // namespace jrpcheck::run
