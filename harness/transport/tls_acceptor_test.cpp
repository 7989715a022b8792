#include "transport/tls_acceptor.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "transport/listener.hpp"
#include "transport/tls.hpp"

namespace jrpcheck::transport {
namespace tls_acceptor_test {

constexpr std::chrono::seconds kEnough{10};
constexpr std::string_view kHello = "hello";

class AcceptedTls : public ::testing::Test {
 protected:
  AcceptedTls() {
    auto made = TlsAcceptor::for_this_machine();
    EXPECT_TRUE(made) << made.error().message;
    acceptor_ = std::make_unique<TlsAcceptor>(*std::move(made));
    file_ = std::filesystem::temp_directory_path() /
            ("jrpcheck-acceptor-" + std::to_string(::getpid()) + ".pem");
    std::ofstream(file_) << acceptor_->authority();
  }
  ~AcceptedTls() override { std::filesystem::remove(file_); }

  // One byte at a time, in both directions.
  class Trickle : public ByteStream {
   public:
    explicit Trickle(std::unique_ptr<ByteStream> below) : below_(std::move(below)) {}

    Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
      const bool is_there = !waiting_.empty();
      Transfer done = below_->transfer(out.substr(0, 1), waiting_,
                                       is_there ? Deadline::in(milliseconds(0)) : deadline);
      has_ended_ = has_ended_ || done.ended;
      done.received = !waiting_.empty();
      if (done.received) {
        in += waiting_.front();
        waiting_.erase(0, 1);
        done.timed_out = false;
      }
      done.ended = has_ended_ && waiting_.empty();
      return done;
    }
    void close_write() override { below_->close_write(); }

   private:
    std::unique_ptr<ByteStream> below_;
    std::string waiting_;
    bool has_ended_ = false;
  };

  std::unique_ptr<ByteStream> as_it_comes(std::unique_ptr<ByteStream> stream) const {
    if (!trickles_) return stream;
    return std::make_unique<Trickle>(std::move(stream));
  }

  // Who connects believes the authorities of that file; what the server has heard.
  std::string heard_from(const std::string& authorities, std::string* complaint) {
    auto listener = Listener::on_tcp({"127.0.0.1", "0"});
    std::string heard;
    std::atomic<bool> has_heard = false;
    std::jthread server([&] {
      auto stream = listener->accept(Deadline::in(kEnough));
      auto secure = acceptor_->accept(as_it_comes(std::move(stream)), Deadline::in(kEnough));
      const auto until = Deadline::in(kEnough);
      while (secure && heard.size() < kHello.size() && !until.passed()) {
        if ((*secure)->transfer({}, heard, until).ended) break;
      }
      has_heard = true;
    });
    TlsOptions options;
    options.authorities = authorities;
    const TcpAddress address{"127.0.0.1", std::to_string(listener->port())};
    const auto dial = tls_over(
        [&](Deadline until) -> Result<std::unique_ptr<ByteStream>> {
          auto stream = connect_tcp(address, until);
          return stream ? Result(as_it_comes(*std::move(stream))) : stream.error();
        },
        "127.0.0.1", options);
    auto stream = dial ? (*dial)(Deadline::in(kEnough)) : dial.error();
    if (!stream) {
      *complaint = stream.error().message;
      return {};
    }
    std::string in;
    std::string_view out = kHello;
    const auto until = Deadline::in(kEnough);
    while (!out.empty() && !until.passed()) {
      out.remove_prefix((*stream)->transfer(out, in, until).written);
    }
    // What is encrypted may leave in several turns.
    while (trickles_ && !has_heard && !until.passed()) {
      (*stream)->transfer({}, in, Deadline::in(milliseconds(1)));
    }
    server.join();
    return heard;
  }

  std::unique_ptr<TlsAcceptor> acceptor_;
  std::filesystem::path file_;
  bool trickles_ = false;
};

TEST_F(AcceptedTls, IsBelievedByWhoeverBelievesItsAuthority) {
  std::string complaint;
  EXPECT_EQ(heard_from(file_, &complaint), "hello") << complaint;
}

TEST_F(AcceptedTls, IsReadHoweverItsBytesAreCut) {
  trickles_ = true;
  std::string complaint;
  EXPECT_EQ(heard_from(file_, &complaint), "hello") << complaint;
}

TEST_F(AcceptedTls, IsBelievedByNobodyElse) {
  std::string complaint;
  EXPECT_EQ(heard_from("", &complaint), "");
  EXPECT_NE(complaint.find("not believed"), std::string::npos) << complaint;
}

}  // namespace tls_acceptor_test
}  // namespace jrpcheck::transport
