#include "transport/tls_acceptor.hpp"

#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "transport/tls_stream.hpp"

namespace jrpcheck::transport {
namespace {

using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

constexpr long kDay = 24L * 60 * 60;
constexpr long kDays = 30;

void extend(X509* certificate, X509* issuer, int what, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  ::X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* made = ::X509V3_EXT_conf_nid(nullptr, &context, what, value);
  ::X509_add_ext(certificate, made, -1);
  ::X509_EXTENSION_free(made);
}

Certificate blank_certificate(EVP_PKEY* key, long serial, const std::string& name) {
  Certificate made(::X509_new(), &::X509_free);
  ::X509_set_version(made.get(), X509_VERSION_3);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(made.get()), serial);
  ::X509_gmtime_adj(::X509_getm_notBefore(made.get()), -kDay);
  ::X509_gmtime_adj(::X509_getm_notAfter(made.get()), kDays * kDay);
  ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made.get()), "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(name.data()),
                               static_cast<int>(name.size()), -1, 0);
  ::X509_set_pubkey(made.get(), key);
  return made;
}

// Some clients refuse an authority's own certificate as that of a server: so there are two.
Certificate authority_certificate(EVP_PKEY* key) {
  auto made = blank_certificate(key, 1, "jrpcheck, for one run");
  ::X509_set_issuer_name(made.get(), ::X509_get_subject_name(made.get()));
  extend(made.get(), made.get(), NID_basic_constraints, "critical,CA:TRUE");
  extend(made.get(), made.get(), NID_key_usage, "critical,keyCertSign,cRLSign");
  extend(made.get(), made.get(), NID_subject_key_identifier, "hash");
  ::X509_sign(made.get(), key, ::EVP_sha256());
  return made;
}

Certificate server_certificate(EVP_PKEY* key, X509* authority, EVP_PKEY* authority_key) {
  auto made = blank_certificate(key, 2, "localhost");
  ::X509_set_issuer_name(made.get(), ::X509_get_subject_name(authority));
  extend(made.get(), authority, NID_basic_constraints, "critical,CA:FALSE");
  extend(made.get(), authority, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:::1");
  extend(made.get(), authority, NID_key_usage, "critical,digitalSignature");
  extend(made.get(), authority, NID_ext_key_usage, "serverAuth");
  extend(made.get(), authority, NID_authority_key_identifier, "keyid");
  ::X509_sign(made.get(), authority_key, ::EVP_sha256());
  return made;
}

std::string pem_of(X509* certificate) {
  const std::unique_ptr<BIO, decltype(&::BIO_free)> memory(::BIO_new(::BIO_s_mem()), &::BIO_free);
  ::PEM_write_bio_X509(memory.get(), certificate);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return {text, static_cast<std::size_t>(size)};
}

}  // namespace

class TlsAcceptor::Settings {
 public:
  TlsContext context{::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free};
};

Result<TlsAcceptor> TlsAcceptor::for_this_machine() {
  const Key authority_key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
  const Key key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
  if (!authority_key || !key) return Error{"no key can be made: " + reason_of_openssl()};
  const auto authority = authority_certificate(authority_key.get());
  const auto certificate = server_certificate(key.get(), authority.get(), authority_key.get());
  auto settings = std::make_shared<Settings>();
  SSL_CTX* context = settings->context.get();
  ::SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  ::SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  if (::SSL_CTX_use_certificate(context, certificate.get()) != 1 ||
      ::SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return Error{"no certificate can be made: " + reason_of_openssl()};
  }
  return TlsAcceptor(std::move(settings), pem_of(authority.get()));
}

Result<std::unique_ptr<ByteStream>> TlsAcceptor::accept(std::unique_ptr<ByteStream> below,
                                                        Deadline deadline) const {
  auto wire = std::make_unique<TlsWire>(std::move(below), settings_->context);
  ::SSL_set_accept_state(wire->session());
  for (;;) {
    ::ERR_clear_error();
    const int done = ::SSL_do_handshake(wire->session());
    if (done == 1) break;
    const int why = ::SSL_get_error(wire->session(), done);
    const bool goes_on = why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE;
    if (!goes_on || wire->has_ended()) {
      auto failure = Error{"no TLS with the client: " + reason_of_openssl()};
      if (wire->has_pending()) wire->carry(deadline);  // the alert
      return failure;
    }
    if (deadline.passed() || wire->carry(deadline).timed_out) {
      return Error{"no TLS with the client: it does not go on with the handshake"};
    }
  }
  while (wire->has_pending() && !deadline.passed()) wire->carry(deadline);
  return std::unique_ptr<ByteStream>(std::make_unique<TlsStream>(std::move(wire)));
}

}  // namespace jrpcheck::transport
