// Servers that serve one connection at a time.
#include "run/connections_served.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
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

// Answers lines until the connection ends.
void serve(int socket) {
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

// On one connection until it ends, then on the next. Those that come meanwhile are kept waiting, or
// closed at once; and so are those that come a moment later.
class SerialServer {
 public:
  explicit SerialServer(bool closes_others = false)
      : closes_others_(closes_others), listener_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
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
      is_busy_ = closes_others_;
      {
        std::jthread others([this] { close_others(); });
        serve(socket);
        if (closes_others_) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        is_busy_ = false;
      }
      const std::lock_guard lock(mutex_);
      ::close(socket);
      socket_ = -1;
    }
  }

  // Until the one that is served has ended.
  void close_others() {
    while (is_busy_) {
      pollfd one{listener_, POLLIN, 0};
      if (::poll(&one, 1, 2) <= 0) continue;
      const int other = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
      if (other < 0) return;
      ::close(other);
    }
  }

  bool closes_others_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> is_busy_{false};
  std::mutex mutex_;  // guards what follows
  int socket_ = -1;
  bool is_over_ = false;
  std::thread thread_;
};

class OneConnectionAtATime : public GuardedTest {
 protected:
  static result::Run run(const SerialServer& server) {
    Options options;
    options.target = *transport::parse_target(server.url());
    options.framing = wire::binding_named("lines");
    options.selection.select = {"tcp/call", "tcp/half-message-beside", "tcp/calls-side-by-side",
                                "tcp/http-request", "tcp/half-close"};
    NoProgress progress;
    return run_corpus(corpus::corpus_for_testing(corpus::kDefaultProfile), options, *guardian_,
                      progress);
  }

  static void expect_several_left_out(const result::Run& run, const std::string& reason) {
    EXPECT_EQ(run.unreached, "");
    EXPECT_EQ(run.counts.fail, 0U);
    for (const auto& one : run.cases) {
      const bool is_served_alone = one.id == "tcp/call" || one.id == "tcp/half-close";
      if (one.id == "tcp/call") {
        EXPECT_EQ(one.verdict, result::Verdict::pass);
      }
      if (one.id.starts_with("tcp/") && !is_served_alone) {
        EXPECT_EQ(one.reason, reason) << one.id;
      }
    }
  }
};

TEST_F(OneConnectionAtATime, LeavesOutWhatNeedsSeveralAndFailsNothing) {
  const SerialServer server;
  expect_several_left_out(run(server), "the server serves one connection at a time");
}

TEST_F(OneConnectionAtATime, SoDoesOneThatClosesASecondOneAtOnce) {
  const SerialServer server(true);
  const auto run = OneConnectionAtATime::run(server);
  expect_several_left_out(run, "the server limits how many connections are open at a time");
  for (const auto& note : run.notes) {
    EXPECT_EQ(note.find("went away"), std::string::npos) << note;
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
