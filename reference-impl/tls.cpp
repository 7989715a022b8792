#include "reference-impl/tls.hpp"

#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

#include "reference-impl/descriptor.hpp"

namespace jrpcheck::reference {

namespace {

using Context = std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)>;
using Session = std::unique_ptr<SSL, decltype(&::SSL_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)>;
using Certificate = std::unique_ptr<X509, decltype(&::X509_free)>;

constexpr std::size_t kRecord = 16U << 10;
constexpr unsigned char kHandshakeRecord = 22;  // RFC 8446 §5.1
constexpr int kHandshakeMs = 5000;
constexpr int kCloseNotifyMs = 50;  // behind a call
constexpr long kDay = 24L * 60 * 60;

Error openssl_error(const std::string& attempt) {
  const char* reason = ::ERR_reason_error_string(::ERR_peek_last_error());
  return Error{attempt + ": " + (reason != nullptr ? reason : "no reason is given")};
}

Certificate certificate_for(EVP_PKEY* key) {
  Certificate certificate(::X509_new(), &::X509_free);
  ::X509_set_version(certificate.get(), X509_VERSION_3);
  ::ASN1_INTEGER_set(::X509_get_serialNumber(certificate.get()), 1);
  ::X509_gmtime_adj(::X509_getm_notBefore(certificate.get()), -kDay);
  ::X509_gmtime_adj(::X509_getm_notAfter(certificate.get()), 365 * kDay);
  X509_NAME* name = ::X509_get_subject_name(certificate.get());
  const std::string text = "jrpcheck-reference";
  ::X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(text.data()),
                               static_cast<int>(text.size()), -1, 0);
  ::X509_set_issuer_name(certificate.get(), name);
  ::X509_set_pubkey(certificate.get(), key);
  X509_EXTENSION* names =
      ::X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  ::X509_add_ext(certificate.get(), names, -1);
  ::X509_EXTENSION_free(names);
  ::X509_sign(certificate.get(), key, ::EVP_sha256());
  return certificate;
}

bool offers(const unsigned char* offered, unsigned size, std::string_view protocol) {
  for (unsigned at = 0; at < size; at += 1U + offered[at]) {
    const std::string_view each(reinterpret_cast<const char*>(offered + at + 1), offered[at]);
    if (each == protocol) return true;
  }
  return false;
}

// RFC 7301 §3.2: http/1.1 is what is spoken, where a client asks.
int choose_protocol(SSL*, const unsigned char** chosen, unsigned char* size,
                    const unsigned char* offered, unsigned offered_size, void* habits) {
  constexpr std::string_view kOurs = "http/1.1";
  constexpr std::string_view kForeign = "h2";
  const bool any = static_cast<const TlsHabits*>(habits)->chooses_any_protocol;
  const std::string_view protocol = any ? kForeign : kOurs;
  if (!any && !offers(offered, offered_size, protocol)) return SSL_TLSEXT_ERR_NOACK;
  *chosen = reinterpret_cast<const unsigned char*>(protocol.data());
  *size = static_cast<unsigned char>(protocol.size());
  return SSL_TLSEXT_ERR_OK;
}

int take_name(SSL* session, int*, void*) {
  const char* name = ::SSL_get_servername(session, TLSEXT_NAMETYPE_host_name);
  const std::string_view text = name != nullptr ? name : "";
  while (text.ends_with(".invalid")) ::poll(nullptr, 0, -1);
  return SSL_TLSEXT_ERR_OK;
}

void set_blocking(int socket, bool blocks) {
  const int flags = ::fcntl(socket, F_GETFL);
  ::fcntl(socket, F_SETFL, blocks ? flags & ~O_NONBLOCK : flags | O_NONBLOCK);
}

}  // namespace

class TlsServer::Settings {
 public:
  explicit Settings(const TlsHabits& habits)
      : habits_(habits), context_(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free) {
    SSL_CTX* context = context_.get();
    ::SSL_CTX_set_min_proto_version(context,
                                    habits.speaks_old_versions ? TLS1_VERSION : TLS1_2_VERSION);
    if (habits.speaks_old_versions) {
      ::SSL_CTX_set_security_level(context, 0);
      ::SSL_CTX_set_cipher_list(context, "ALL:@SECLEVEL=0");
    }
    if (habits.speaks_no_1_3) ::SSL_CTX_set_max_proto_version(context, TLS1_2_VERSION);
    if (habits.sends_no_tickets) ::SSL_CTX_set_num_tickets(context, 0);
    if (habits.renegotiates) ::SSL_CTX_set_options(context, SSL_OP_ALLOW_CLIENT_RENEGOTIATION);
    if (habits.asks_for_certificate || habits.demands_certificate) {
      const auto believe_all = [](int, X509_STORE_CTX*) { return 1; };
      const int demand = habits.demands_certificate ? SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0;
      ::SSL_CTX_set_verify(context, SSL_VERIFY_PEER | demand, believe_all);
    }
    if (habits.hangs_on_unknown_name) ::SSL_CTX_set_tlsext_servername_callback(context, take_name);
    ::SSL_CTX_set_alpn_select_cb(context, choose_protocol, &habits_);
    ::SSL_CTX_set_mode(context,
                       SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
  }

  const TlsHabits& habits() const { return habits_; }
  SSL_CTX* context() const { return context_.get(); }

 private:
  TlsHabits habits_;
  Context context_;
};

namespace {

// Carries bytes between a client's session and the socket on which they are in the clear.
class Relay {
 public:
  Relay(SSL* session, int outside, int inside, const TlsHabits& habits)
      : session_(session), outside_(outside), inside_(inside), habits_(habits) {
    ::SSL_set_msg_callback(session_, note_key_update);
    ::SSL_set_msg_callback_arg(session_, &has_changed_keys_);
  }

  void run() {
    set_blocking(outside_, false);
    set_blocking(inside_, false);
    while (!is_over_) {
      while (take_from_client()) {
      }
      if (is_over_) break;
      std::array<pollfd, 2> waiting = {pollfd{outside_, events_outside(), 0},
                                       pollfd{inside_, events_inside(), 0}};
      if (has_ended_ && to_server_.empty()) waiting[1].fd = -1;
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
      if ((waiting[1].revents & (POLLIN | POLLHUP | POLLERR)) != 0) take_from_server();
      if (habits_.drops_at_close_notify && await_close_notify()) break;
      write_to_server();
      write_to_client();
    }
  }

 private:
  static void note_key_update(int is_written, int, int content, const void* bytes, std::size_t size,
                              SSL*, void* has_changed_keys) {
    const bool is_read_handshake = is_written == 0 && content == kHandshakeRecord && size > 0;
    if (!is_read_handshake || *static_cast<const char*>(bytes) != SSL3_MT_KEY_UPDATE) return;
    *static_cast<bool*>(has_changed_keys) = true;
  }

  bool is_server_behind() const { return to_server_.size() >= kRecord; }

  short events_outside() const {
    const bool reads = !has_client_ended_ && !is_server_behind();
    const bool writes = !to_client_.empty() || SSL_want_write(session_);
    return static_cast<short>((reads ? POLLIN : 0) | (writes ? POLLOUT : 0));
  }
  short events_inside() const {
    const bool reads = to_client_.empty() && !has_ended_;
    return static_cast<short>((reads ? POLLIN : 0) | (to_server_.empty() ? 0 : POLLOUT));
  }

  // How quickly the server answers must not decide whether the fault shows.
  bool await_close_notify() {
    if (to_client_.empty() || has_client_ended_) return is_over_;
    pollfd waiting{outside_, POLLIN, 0};
    if (::poll(&waiting, 1, kCloseNotifyMs) > 0) take_from_client();
    return is_over_;
  }

  // True when there may be more.
  bool take_from_client() {
    if (has_client_ended_ || is_server_behind()) return false;
    std::array<char, kRecord> buffer;
    ::ERR_clear_error();
    const int size = ::SSL_read(session_, buffer.data(), buffer.size());
    if (habits_.ends_at_key_update && has_changed_keys_) {
      is_over_ = true;
      return false;
    }
    if (size > 0) {
      const std::string_view content(buffer.data(), static_cast<std::size_t>(size));
      to_server_ += habits_.reading ? habits_.reading(content) : std::string(content);
      write_to_server();
      return true;
    }
    const int why = ::SSL_get_error(session_, size);
    if (why == SSL_ERROR_WANT_READ || why == SSL_ERROR_WANT_WRITE) return false;
    // A close_notify ends the client's direction alone (RFC 8446 §6.1).
    has_client_ended_ = true;
    is_over_ = why != SSL_ERROR_ZERO_RETURN || habits_.drops_at_close_notify;
    write_to_server();
    return false;
  }

  void write_to_server() {
    while (!to_server_.empty()) {
      const ssize_t size = ::send(inside_, to_server_.data(), to_server_.size(), MSG_NOSIGNAL);
      if (size < 0 && errno == EINTR) continue;
      if (size < 0 && errno == EAGAIN) return;
      to_server_.erase(0, size < 0 ? to_server_.npos : static_cast<std::size_t>(size));
    }
    if (has_client_ended_) ::shutdown(inside_, SHUT_WR);
  }

  void take_from_server() {
    std::array<char, kRecord> buffer;
    const ssize_t size = ::read(inside_, buffer.data(), buffer.size());
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (size > 0 && !is_mute_) to_client_.append(buffer.data(), static_cast<std::size_t>(size));
    const bool fills_record = size == static_cast<ssize_t>(buffer.size());
    if (habits_.is_mute_behind_a_record && fills_record) is_mute_ = true;
    has_ended_ = size <= 0;
  }

  void write_to_client() {
    while (!to_client_.empty()) {
      ::ERR_clear_error();
      const int size = ::SSL_write(session_, to_client_.data(),
                                   static_cast<int>(std::min(to_client_.size(), kRecord)));
      if (size <= 0) {
        const int why = ::SSL_get_error(session_, size);
        if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) is_over_ = true;
        return;
      }
      to_client_.erase(0, static_cast<std::size_t>(size));
    }
    if (!has_ended_) return;
    if (!habits_.ends_without_notice) ::SSL_shutdown(session_);
    is_over_ = true;
  }

  SSL* session_;
  int outside_;
  int inside_;
  const TlsHabits& habits_;
  std::string to_client_;
  std::string to_server_;
  bool has_client_ended_ = false;
  bool has_changed_keys_ = false;  // the client
  bool is_mute_ = false;
  bool has_ended_ = false;  // the server
  bool is_over_ = false;
};

// Within a time, or a client that says nothing holds a thread for ever.
bool shake_hands(SSL* session, int socket, bool& made_no_sense) {
  set_blocking(socket, false);
  for (;;) {
    ::ERR_clear_error();
    const int done = ::SSL_accept(session);
    if (done == 1) return true;
    const int why = ::SSL_get_error(session, done);
    if (why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE) {
      made_no_sense = why == SSL_ERROR_SSL &&
                      ERR_GET_REASON(::ERR_peek_error()) != SSL_R_UNEXPECTED_EOF_WHILE_READING;
      return false;
    }
    pollfd waiting{socket, static_cast<short>(why == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT), 0};
    if (::poll(&waiting, 1, kHandshakeMs) <= 0) return false;
  }
}

bool begins_in_the_clear(int socket) {
  unsigned char first = kHandshakeRecord;
  return ::recv(socket, &first, 1, MSG_PEEK) == 1 && first != kHandshakeRecord;
}

}  // namespace

Result<TlsServer> TlsServer::with_files(const std::string& certificate, const std::string& key,
                                        const TlsHabits& habits) {
  auto settings = std::make_shared<Settings>(habits);
  if (::SSL_CTX_use_certificate_chain_file(settings->context(), certificate.c_str()) != 1) {
    return openssl_error("the certificate " + certificate + " cannot be used");
  }
  if (::SSL_CTX_use_PrivateKey_file(settings->context(), key.c_str(), SSL_FILETYPE_PEM) != 1) {
    return openssl_error("the key " + key + " cannot be used");
  }
  return TlsServer(std::move(settings));
}

Result<TlsServer> TlsServer::self_signed(const TlsHabits& habits) {
  auto settings = std::make_shared<Settings>(habits);
  const Key key(::EVP_EC_gen("P-256"), &::EVP_PKEY_free);
  if (!key) return openssl_error("no key can be made");
  const Certificate certificate = certificate_for(key.get());
  if (::SSL_CTX_use_certificate(settings->context(), certificate.get()) != 1 ||
      ::SSL_CTX_use_PrivateKey(settings->context(), key.get()) != 1) {
    return openssl_error("no certificate can be made");
  }
  return TlsServer(std::move(settings));
}

void TlsServer::serve(int socket, const std::function<void(int socket)>& serve) const {
  const TlsHabits& habits = settings_->habits();
  if (habits.serves_in_the_clear && begins_in_the_clear(socket)) return serve(socket);
  const Session session(::SSL_new(settings_->context()), &::SSL_free);
  ::SSL_set_fd(session.get(), socket);
  bool made_no_sense = false;
  if (!shake_hands(session.get(), socket, made_no_sense)) {
    if (habits.dies_of_a_failed_handshake && made_no_sense) ::_exit(EXIT_FAILURE);
    return;
  }
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
  const Descriptor outer(ends[0]);
  const Descriptor inner(ends[1]);
  const std::jthread server([&] {
    serve(inner.number());
    ::shutdown(inner.number(), SHUT_RDWR);
  });
  Relay(session.get(), socket, outer.number(), habits).run();
  ::shutdown(outer.number(), SHUT_RDWR);
}

}  // namespace jrpcheck::reference
