#include "transport/tls_acceptor.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "transport/listener.hpp"
#include "transport/tls.hpp"

namespace jrpcheck::transport {
namespace tls_acceptor_test {

constexpr std::chrono::seconds kEnough{10};

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

  // Who connects believes the authorities of that file; what the server has heard.
  std::string heard_from(const std::string& authorities, std::string* complaint) {
    auto listener = Listener::on_tcp({"127.0.0.1", "0"});
    std::string heard;
    std::jthread server([&] {
      auto stream = listener->accept(Deadline::in(kEnough));
      auto secure = acceptor_->accept(std::move(stream), Deadline::in(kEnough));
      if (secure) (*secure)->transfer({}, heard, Deadline::in(kEnough));
    });
    TlsOptions options;
    options.authorities = authorities;
    const TcpAddress address{"127.0.0.1", std::to_string(listener->port())};
    const auto dial =
        tls_over([&](Deadline until) { return connect_tcp(address, until); }, "127.0.0.1", options);
    auto stream = dial ? (*dial)(Deadline::in(kEnough)) : dial.error();
    if (!stream) {
      *complaint = stream.error().message;
      return {};
    }
    std::string in;
    (*stream)->transfer("hello", in, Deadline::in(kEnough));
    server.join();
    return heard;
  }

  std::unique_ptr<TlsAcceptor> acceptor_;
  std::filesystem::path file_;
};

TEST_F(AcceptedTls, IsBelievedByWhoeverBelievesItsAuthority) {
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
