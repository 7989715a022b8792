// TLS streams: what a finished handshake leaves, on either side of it. Only for the files of TLS.
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "transport/byte_stream.hpp"
#include "transport/tls.hpp"

namespace jrpcheck::transport {

using TlsContext = std::shared_ptr<SSL_CTX>;
using TlsSession = std::unique_ptr<SSL, decltype(&::SSL_free)>;

// What is encrypted at a time: one record holds no more (RFC 8446 §5.1).
inline constexpr std::size_t kRecord = 16U << 10;

// How long what closes the stream may take to leave.
inline constexpr milliseconds kForClosing{200};

/// What OpenSSL says of what failed in this thread: of the system's refusal, where that is at the
/// bottom of it.
inline std::string reason_of_openssl() {
  const auto first = ::ERR_peek_error();
  const auto last = ::ERR_peek_last_error();
  ::ERR_clear_error();
  if (first == 0) return "the connection was closed";
  if (ERR_SYSTEM_ERROR(first)) return std::strerror(ERR_GET_REASON(first));
  const char* text = ::ERR_reason_error_string(last);
  return text == nullptr ? "no reason is given" : text;
}

/// The bytes between OpenSSL and the stream below.
class TlsWire {
 public:
  TlsWire(std::unique_ptr<ByteStream> below, const TlsContext& context)
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
  TlsSession session_;
  std::string pending_;
  bool ended_ = false;
  bool reset_ = false;
};

class TlsStream : public ByteStream {
 public:
  explicit TlsStream(std::unique_ptr<TlsWire> wire, std::size_t record = kRecord,
                     std::shared_ptr<TlsNotes> notes = nullptr)
      : wire_(std::move(wire)), record_(record), notes_(std::move(notes)) {}

  Transfer transfer(std::string_view out, std::string& in, Deadline deadline) override {
    Transfer done;
    for (bool has_carried = false;; has_carried = true) {
      decrypt(in, done);
      if (!out.empty() && done.written == 0 && !wire_->has_pending()) encrypt(out, done);
      const bool has_moved = done.written > 0 || done.received || done.ended || done.broken;
      if (has_moved && !wire_->has_pending()) return done;
      // Asked besides, because records that hold nothing may come without end.
      if (!has_moved && has_carried && deadline.passed()) {
        done.timed_out = true;
        return done;
      }
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

  Polled polled() override {
    Polled polled = wire_->below().polled();
    polled.has_input = ::BIO_ctrl_pending(::SSL_get_rbio(wire_->session())) > 0;
    polled.has_output = wire_->has_pending();
    return polled;
  }

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
        note_end();
      }
      ::ERR_clear_error();
      return;
    }
  }

  void note_end() {
    if (!notes_) return;
    notes_->has_ended = true;
    notes_->was_announced = (::SSL_get_shutdown(wire_->session()) & SSL_RECEIVED_SHUTDOWN) != 0;
  }

  void encrypt(std::string_view out, Transfer& done) {
    ::ERR_clear_error();
    const int size =
        ::SSL_write(wire_->session(), out.data(), static_cast<int>(std::min(out.size(), record_)));
    if (size > 0) {
      done.written = static_cast<std::size_t>(size);
      return;
    }
    const int why = ::SSL_get_error(wire_->session(), size);
    done.broken = why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE;
    ::ERR_clear_error();
  }

  std::unique_ptr<TlsWire> wire_;
  std::size_t record_;  // what is encrypted at a time
  std::shared_ptr<TlsNotes> notes_;
};

}  // namespace jrpcheck::transport
