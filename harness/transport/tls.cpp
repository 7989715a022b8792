#include "transport/tls.hpp"

#include <arpa/inet.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>
#include <memory>
#include <utility>

#include "base/contains.hpp"
#include "transport/tls_stream.hpp"

namespace jrpcheck::transport {
namespace {

using Context = TlsContext;
using Wire = TlsWire;

// In TLS 1.3 a server looks at the client's certificate when the handshake has ended for the client
// (RFC 8446 §4.4.2.4): so long it may take to refuse.
constexpr milliseconds kForRefusal{1000};

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

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
      // Asked before, because what is ignored in a handshake may come without end (RFC 5246
      // §7.4.1.1).
      if (deadline.passed() || wire_.carry(deadline).timed_out) {
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
    const std::string said = reason_of_openssl();
    const std::string begin = "no TLS with " + host_ + ": ";
    const bool is_asked = ::SSL_get_verify_mode(wire_.session()) != SSL_VERIFY_NONE;
    if (is_asked && verdict != X509_V_OK) {
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
  return Error{option + " '" + file + "' cannot be used (" + reason_of_openssl() +
               "): name a file in PEM"};
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
    // There are some hundred, and reading them takes longer than many a run.
    if (!options.is_insecure) ::SSL_CTX_set_default_verify_paths(context.get());
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
    if (!options.key.empty()) return unusable("--key", key);
    return Error{"--cert: '" + key +
                 "' holds no key that can be used: name the file of its key by --key"};
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

using Version = wire::TlsDetails::Version;

void depart(const wire::TlsDetails& details, SSL* session) {
  if (details.highest == Version::tls_1_2) ::SSL_set_max_proto_version(session, TLS1_2_VERSION);
  if (details.highest == Version::tls_1_1) {
    // Not spoken any more (RFC 8996), and so has to be asked for in so many words.
    ::SSL_set_min_proto_version(session, TLS1_VERSION);
    ::SSL_set_max_proto_version(session, TLS1_1_VERSION);
    ::SSL_set_security_level(session, 0);
    ::SSL_set_cipher_list(session, "ALL:@SECLEVEL=0");
  }
  if (details.server_name) {
    const char* name = details.server_name->empty() ? nullptr : details.server_name->c_str();
    ::SSL_set_tlsext_host_name(session, name);
  }
  std::string protocols;
  for (const auto& protocol : details.protocols) {
    protocols.push_back(static_cast<char>(protocol.size()));
    protocols += protocol;
  }
  if (protocols.empty()) return;
  ::SSL_set_alpn_protos(session, reinterpret_cast<const unsigned char*>(protocols.data()),
                        static_cast<unsigned>(protocols.size()));
}

// RFC 7301 §3.2: one of those that were offered, or none.
void note_protocol(const wire::TlsDetails& details, SSL* session, TlsNotes& notes) {
  const unsigned char* chosen = nullptr;
  unsigned size = 0;
  ::SSL_get0_alpn_selected(session, &chosen, &size);
  const std::string name(reinterpret_cast<const char*>(chosen), size);
  const auto& offered = details.protocols;
  if (size == 0 || contains(offered, name)) return;
  notes.complaint = "the protocol " + name + " was chosen by ALPN, which was not offered";
}

// What the server does without, nobody has to offer.
std::string why_not_asked(const wire::TlsDetails& details, SSL* session) {
  // RFC 8446 §4.6.3: TLS 1.2 knows no KeyUpdate.
  if (details.key_update && ::SSL_version(session) < TLS1_3_VERSION) {
    return "the server speaks no TLS 1.3, in which keys are changed";
  }
  // RFC 8446 §6.1: in TLS 1.2 a close_notify ends both directions, and what is due is discarded
  // (RFC 5246 §7.2.1).
  if (details.half_closes && ::SSL_version(session) < TLS1_3_VERSION) {
    return "the server speaks no TLS 1.3, in which one direction is closed alone";
  }
  if (details.without_certificate && SSL_get_app_data(session) == nullptr) {
    return "the server asks for no certificate";
  }
  return {};
}

}  // namespace

Result<Dial> tls_over(Dial below, const std::string& host, TlsOptions options,
                      const wire::TlsDetails& details, std::shared_ptr<TlsNotes> notes) {
  options.is_insecure = true;  // who it is has been seen before
  if (details.without_certificate) options.certificate = options.key = "";
  auto made = context_for(options);
  if (!made) return made.error();
  const std::string name = options.server_name.empty() ? host : options.server_name;
  const bool has_certificate = !options.certificate.empty();
  return Dial([below = std::move(below), context = *made, name, has_certificate, details,
               notes](Deadline deadline) -> Result<std::unique_ptr<ByteStream>> {
    auto connected = below(deadline);
    if (!connected) return connected.error();
    auto wire = std::make_unique<Wire>(*std::move(connected), context);
    SSL* session = wire->session();
    expect_name(session, name);
    depart(details, session);
    ::SSL_set_connect_state(session);
    if (auto ok = Handshake(*wire, name, has_certificate).run(deadline); !ok) {
      // So OpenSSL says it, which gives up where the choice is none of those offered.
      const bool is_chosen_wrong = !details.protocols.empty() &&
                                   ok.error().message.find("bad extension") != std::string::npos;
      if (is_chosen_wrong) notes->complaint = "by ALPN a protocol was chosen that was not offered";
      return ok.error();
    }
    note_protocol(details, session, *notes);
    notes->not_asked = why_not_asked(details, session);
    if (details.key_update) ::SSL_key_update(session, SSL_KEY_UPDATE_REQUESTED);
    if (details.renegotiates) {
      ::SSL_renegotiate(session);
      if (auto ok = Handshake(*wire, name, true).run(deadline); !ok) return ok.error();
    }
    const std::size_t record = details.record_bytes == 0 ? kRecord : details.record_bytes;
    return std::unique_ptr<ByteStream>(std::make_unique<TlsStream>(std::move(wire), record, notes));
  });
}

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
