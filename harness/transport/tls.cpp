#include "transport/tls.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

namespace jrpcheck::transport {
namespace {

using Context = std::shared_ptr<SSL_CTX>;
using Session = std::unique_ptr<SSL, decltype(&::SSL_free)>;

// What is encrypted at a time: one record holds no more (RFC 8446 §5.1).
constexpr std::size_t kRecord = 16U << 10;

// In TLS 1.3 a server looks at the client's certificate when the handshake has ended for the client
// (RFC 8446 §4.4.2.4): so long it may take to refuse.
constexpr milliseconds kForRefusal{1000};

// How long what closes the stream may take to leave.
constexpr milliseconds kForClosing{200};

/// What OpenSSL says of what failed in this thread: of the system's refusal, where that is at the
/// bottom of it.
std::string reason() {
  const auto first = ::ERR_peek_error();
  const auto last = ::ERR_peek_last_error();
  ::ERR_clear_error();
  if (first == 0) return "the connection was closed";
  if (ERR_SYSTEM_ERROR(first)) return std::strerror(ERR_GET_REASON(first));
  const char* text = ::ERR_reason_error_string(last);
  return text == nullptr ? "no reason is given" : text;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

/// The bytes between OpenSSL and the stream below.
class Wire {
 public:
  Wire(std::unique_ptr<ByteStream> below, const Context& context)
      : below_(std::move(below)), session_(::SSL_new(context.get()), &::SSL_free) {
    ::SSL_set_bio(session_.get(), ::BIO_new(::BIO_s_mem()), ::BIO_new(::BIO_s_mem()));
  }

  SSL* session() const { return session_.get(); }
  ByteStream& below() const { return *below_; }
  bool has_ended() const { return ended_; }
  bool was_reset() const { return reset_; }
  bool has_pending() {
    collect();
    return !pending_.empty();
  }

  /// Carries bytes both ways.
  Transfer carry(Deadline deadline) {
    collect();
    std::string in;
    const Transfer done = below_->transfer(pending_, in, deadline);
    pending_.erase(0, done.written);
    if (done.broken) pending_.clear();
    BIO* reading = ::SSL_get_rbio(session_.get());
    if (!in.empty()) ::BIO_write(reading, in.data(), static_cast<int>(in.size()));
    ended_ = ended_ || done.ended;
    reset_ = reset_ || done.reset;
    return done;
  }

 private:
  // What OpenSSL has written.
  void collect() {
    std::array<char, kRecord> buffer{};
    BIO* writing = ::SSL_get_wbio(session_.get());
    for (int size = 0; (size = ::BIO_read(writing, buffer.data(), buffer.size())) > 0;) {
      pending_.append(buffer.data(), static_cast<std::size_t>(size));
    }
  }

  std::unique_ptr<ByteStream> below_;
  Session session_;
  std::string pending_;
  bool ended_ = false;
  bool reset_ = false;
};

class TlsStream : public ByteStream {
 public:
  explicit TlsStream(std::unique_ptr<Wire> wire) : wire_(std::move(wire)) {}

  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    Transfer done;
    for (;;) {
      decrypt(in, done);
      if (!out.empty() && done.written == 0 && !wire_->has_pending()) encrypt(out, done);
      const bool has_moved = done.written > 0 || done.received || done.ended || done.broken;
      if (has_moved && !wire_->has_pending()) return done;
      const auto carried = wire_->carry(has_moved ? Deadline::in(microseconds(0)) : deadline);
      if (carried.broken && !out.empty() && done.written == 0) done.broken = true;
      if (has_moved) return done;
      if (carried.timed_out) {
        done.timed_out = true;
        return done;
      }
    }
  }

  // close_notify ends one direction alone (RFC 8446 §6.1).
  void close_write() override {
    ::ERR_clear_error();
    ::SSL_shutdown(wire_->session());
    const Deadline deadline = Deadline::in(kForClosing);
    while (wire_->has_pending() && !deadline.passed()) wire_->carry(deadline);
    wire_->below().close_write();
  }

  void reset() override { wire_->below().reset(); }

 private:
  void decrypt(std::string& in, Transfer& done) {
    std::array<char, kRecord> buffer{};
    for (;;) {
      ::ERR_clear_error();
      const int size = ::SSL_read(wire_->session(), buffer.data(), buffer.size());
      if (size > 0) {
        in.append(buffer.data(), static_cast<std::size_t>(size));
        done.received = true;
        continue;
      }
      const int why = ::SSL_get_error(wire_->session(), size);
      const bool wants_more = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
      if (!wants_more || wire_->has_ended()) {
        done.ended = true;
        done.reset = wire_->was_reset();
      }
      ::ERR_clear_error();
      return;
    }
  }

  void encrypt(std::string_view out, Transfer& done) {
    ::ERR_clear_error();
    const int size =
        ::SSL_write(wire_->session(), out.data(), static_cast<int>(std::min(out.size(), kRecord)));
    if (size > 0) {
      done.written = static_cast<std::size_t>(size);
      return;
    }
    const int why = ::SSL_get_error(wire_->session(), size);
    done.broken = why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE;
    ::ERR_clear_error();
  }

  std::unique_ptr<Wire> wire_;
};

constexpr std::string_view kTrust =
    "; --cacert FILE names whom to trust, --insecure trusts whoever answers";

// What to do about a certificate that is not believed.
std::string advice_for(long verdict) {
  switch (verdict) {
    case X509_V_ERR_HOSTNAME_MISMATCH:
    case X509_V_ERR_IP_ADDRESS_MISMATCH:
      return "; --servername NAME says which name it is to have, --insecure takes any";
    case X509_V_ERR_CERT_HAS_EXPIRED:
    case X509_V_ERR_CERT_NOT_YET_VALID:
      return "; --insecure takes it all the same";
    default:
      return std::string(kTrust);
  }
}

bool asks_for_certificate(const std::string& said) {
  return said.find("certificate required") != said.npos ||
         said.find("handshake failure") != said.npos || said.find("bad certificate") != said.npos;
}

// It was no TLS that came back.
bool is_plain(const std::string& said) {
  return said.find("wrong version number") != said.npos ||
         said.find("packet length") != said.npos || said.find("http request") != said.npos ||
         said.find("unexpected message") != said.npos;
}

class Handshake {
 public:
  Handshake(Wire& wire, std::string host, bool has_certificate)
      : wire_(wire), host_(std::move(host)), has_certificate_(has_certificate) {}

  Result<bool> run(Deadline deadline) {
    for (;;) {
      ::ERR_clear_error();
      const int done = ::SSL_do_handshake(wire_.session());
      if (done == 1) break;
      const int why = ::SSL_get_error(wire_.session(), done);
      if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) return failure();
      if (wire_.has_ended()) {
        return Error{"no TLS with " + host_ +
                     ": the server closed the connection in the handshake"};
      }
      if (wire_.carry(deadline).timed_out) {
        return Error{"no TLS with " + host_ + ": the handshake is not answered"};
      }
    }
    while (wire_.has_pending() && !deadline.passed()) wire_.carry(deadline);
    return is_asked_in_vain() ? await_refusal(deadline) : true;
  }

 private:
  bool is_asked_in_vain() const {
    return !has_certificate_ && SSL_get_app_data(wire_.session()) != nullptr;
  }

  // Session tickets, or an alert.
  Result<bool> await_refusal(Deadline deadline) {
    const Deadline until = Deadline::earlier(deadline, Deadline::in(kForRefusal));
    while (!until.passed() && !wire_.has_ended()) {
      const bool came = wire_.carry(until).received;
      std::array<char, 1> nothing{};
      ::ERR_clear_error();
      const int size = ::SSL_peek(wire_.session(), nothing.data(), nothing.size());
      const int why = ::SSL_get_error(wire_.session(), size);
      if (size <= 0 && why != SSL_ERROR_WANT_READ) return failure();
      if (came) break;
    }
    ::ERR_clear_error();
    return true;
  }

  Error failure() const {
    const long verdict = ::SSL_get_verify_result(wire_.session());
    const std::string said = reason();
    const std::string begin = "no TLS with " + host_ + ": ";
    if (verdict != X509_V_OK) {
      return Error{begin + "its certificate is not believed (" +
                   ::X509_verify_cert_error_string(verdict) + ")" + advice_for(verdict)};
    }
    if (!has_certificate_ && asks_for_certificate(said)) {
      return Error{begin + "it refuses a client without a certificate (" + said +
                   "); --cert FILE and --key FILE give one"};
    }
    if (is_plain(said)) {
      return Error{begin + "what comes back is no TLS (" + said +
                   "); http:// and tcp:// speak without"};
    }
    return Error{begin + said};
  }

  Wire& wire_;
  std::string host_;
  bool has_certificate_;
};

// Called where the server asks for a certificate and there is none; it gets none.
int note_request(SSL* session, X509**, EVP_PKEY**) {
  SSL_set_app_data(session, session);
  return 0;
}

Error unusable(const std::string& option, const std::string& file) {
  return Error{option + " '" + file + "' cannot be used: " + reason()};
}

Result<Context> context_for(const TlsOptions& options) {
  Context context(::SSL_CTX_new(::TLS_client_method()), &::SSL_CTX_free);
  ::SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  ::SSL_CTX_set_verify(context.get(), options.is_insecure ? SSL_VERIFY_NONE : SSL_VERIFY_PEER,
                       nullptr);
  ::SSL_CTX_set_client_cert_cb(context.get(), note_request);
  // Moving buffers, and parts of what was to be written, are what a stream is made of.
  ::SSL_CTX_set_mode(context.get(),
                     SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (options.authorities.empty()) {
    ::SSL_CTX_set_default_verify_paths(context.get());
  } else if (::SSL_CTX_load_verify_file(context.get(), options.authorities.c_str()) != 1) {
    return unusable("--cacert", options.authorities);
  }
  if (!options.certificate.empty() &&
      ::SSL_CTX_use_certificate_chain_file(context.get(), options.certificate.c_str()) != 1) {
    return unusable("--cert", options.certificate);
  }
  const std::string& key = options.key.empty() ? options.certificate : options.key;
  if (!key.empty() &&
      ::SSL_CTX_use_PrivateKey_file(context.get(), key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return unusable("--key", key);
  }
  return context;
}

void expect_name(SSL* session, const std::string& name) {
  if (is_address(name)) {
    ::X509_VERIFY_PARAM_set1_ip_asc(::SSL_get0_param(session), name.c_str());
    return;
  }
  ::SSL_set1_host(session, name.c_str());
  ::SSL_set_tlsext_host_name(session, name.c_str());  // RFC 6066 §3: no addresses
}

}  // namespace

Result<Dial> tls_over(Dial below, const std::string& host, const TlsOptions& options) {
  auto made = context_for(options);
  if (!made) return made.error();
  const std::string name = options.server_name.empty() ? host : options.server_name;
  const bool has_certificate = !options.certificate.empty();
  return Dial([below = std::move(below), context = *made, name,
               has_certificate](Deadline deadline) -> Result<std::unique_ptr<ByteStream>> {
    auto connected = below(deadline);
    if (!connected) return connected.error();
    auto wire = std::make_unique<Wire>(*std::move(connected), context);
    expect_name(wire->session(), name);
    ::SSL_set_connect_state(wire->session());
    if (auto ok = Handshake(*wire, name, has_certificate).run(deadline); !ok) return ok.error();
    return std::unique_ptr<ByteStream>(std::make_unique<TlsStream>(std::move(wire)));
  });
}

}  // namespace jrpcheck::transport
