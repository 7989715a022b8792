#include "transport/tls.hpp"

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <memory>
#include <string>

#include "transport/tls_stream.hpp"

namespace jrpcheck::transport {
namespace tls_test {

// Says the same again and again, whatever it is sent.
class Repeating : public ByteStream {
 public:
  explicit Repeating(std::string said) : said_(std::move(said)) {}

  Transfer transfer(std::string_view out, std::string& in, Deadline) override {
    in += said_;
    Transfer done;
    done.written = out.size();
    done.received = true;
    return done;
  }
  void close_write() override {}

 private:
  std::string said_;
};

TEST(Tls, AHandshakeOfWhatIsIgnoredInItEndsWithItsTime) {
  // A HelloRequest (RFC 5246 §7.4.1.1).
  const std::string ignored("\x16\x03\x03\x00\x04\x00\x00\x00\x00", 9);
  TlsOptions options;
  options.is_insecure = true;
  const auto dial = tls_over(
      [&](Deadline) -> Result<std::unique_ptr<ByteStream>> {
        return std::unique_ptr<ByteStream>(std::make_unique<Repeating>(ignored));
      },
      "localhost", options);
  ASSERT_TRUE(dial);
  const auto stream = (*dial)(Deadline::in(milliseconds(50)));
  ASSERT_FALSE(stream);
  EXPECT_NE(stream.error().message.find("the handshake is not answered"), std::string::npos)
      << stream.error().message;
}

TlsContext server_context() {
  const std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key(::EVP_EC_gen("P-256"),
                                                                  &::EVP_PKEY_free);
  const std::unique_ptr<X509, decltype(&::X509_free)> certificate(::X509_new(), &::X509_free);
  ::X509_gmtime_adj(X509_getm_notBefore(certificate.get()), 0);
  ::X509_gmtime_adj(X509_getm_notAfter(certificate.get()), 3600);
  ::X509_set_pubkey(certificate.get(), key.get());
  ::X509_sign(certificate.get(), key.get(), ::EVP_sha256());
  TlsContext context(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free);
  ::SSL_CTX_use_certificate(context.get(), certificate.get());
  ::SSL_CTX_use_PrivateKey(context.get(), key.get());
  return context;
}

// A server that shakes hands, and then changes its keys again and again (RFC 8446 §4.6.3).
class ChangingKeys : public ByteStream {
 public:
  ChangingKeys() : context_(server_context()), session_(::SSL_new(context_.get()), &::SSL_free) {
    ::SSL_set_bio(session_.get(), ::BIO_new(::BIO_s_mem()), ::BIO_new(::BIO_s_mem()));
    ::SSL_set_accept_state(session_.get());
  }

  Transfer transfer(std::string_view out, std::string& in, Deadline) override {
    ::BIO_write(::SSL_get_rbio(session_.get()), out.data(), static_cast<int>(out.size()));
    if (::SSL_is_init_finished(session_.get()) == 1) {
      ::SSL_key_update(session_.get(), SSL_KEY_UPDATE_NOT_REQUESTED);
    }
    ::SSL_do_handshake(session_.get());
    Transfer done;
    done.written = out.size();
    std::string said(kRecord, '\0');
    const int size = ::BIO_read(::SSL_get_wbio(session_.get()), said.data(), kRecord);
    if (size > 0) in.append(said, 0, static_cast<std::size_t>(size));
    done.received = size > 0;
    done.timed_out = out.empty() && size <= 0;
    return done;
  }
  void close_write() override {}

 private:
  TlsContext context_;
  TlsSession session_;
};

TEST(Tls, RecordsThatHoldNothingAreNotListenedToForEver) {
  TlsOptions options;
  options.is_insecure = true;
  const auto dial = tls_over(
      [](Deadline) -> Result<std::unique_ptr<ByteStream>> {
        return std::unique_ptr<ByteStream>(std::make_unique<ChangingKeys>());
      },
      "localhost", options);
  ASSERT_TRUE(dial);
  const auto stream = (*dial)(Deadline::in(std::chrono::seconds(20)));
  ASSERT_TRUE(stream) << stream.error().message;
  std::string in;
  const auto done = (*stream)->transfer({}, in, Deadline::in(milliseconds(50)));
  EXPECT_TRUE(done.timed_out);
  EXPECT_TRUE(in.empty());
}

}  // namespace tls_test
}  // namespace jrpcheck::transport
