// One connection to an HTTP server: request bytes out, responses in.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/case.hpp"
#include "session/framed_stream.hpp"
#include "transport/byte_stream.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::session {

class HttpConnection {
 public:
  explicit HttpConnection(std::unique_ptr<transport::ByteStream> stream)
      : stream_(std::move(stream)) {}

  /// Says which method the next response answers; before its request is sent.
  void expect_response_to(std::string_view method) { reader_.expect_response_to(method); }

  /// Writes the bytes, cut at these offsets, and takes in what arrives meanwhile: a server may
  /// refuse a request before it has read all of it.
  void send(std::string_view bytes, std::vector<std::size_t> cuts, Deadline deadline);
  /// The same as the step has it cut. Pieces between offsets arrive apart: after each the
  /// connection is listened on for `apart`, as a client does who would stop when it is refused (RFC
  /// 9112 §9.5). Pieces of one size are cut from the body, and the first of them arrive so. What
  /// follows a piece that could not be written whole is not sent.
  void send(std::string_view bytes, const corpus::Step& step, microseconds apart,
            Deadline deadline);
  void close_write() { stream_->close_write(); }

  /// The next response; nothing at the deadline, or when the connection ends first.
  std::optional<wire::HttpMessage> receive(Deadline deadline);

  /// Takes in what arrives next; returns at the deadline, when there is nothing.
  void listen(Deadline deadline);
  /// Whether the next response is there, as `receive` would give it at once.
  bool has_response();
  /// It, where it is there; it stays the next.
  const wire::HttpMessage* peek() { return has_response() ? &*next_ : nullptr; }

  /// The response whose head has come and whose body is still on its way, with what has come of it.
  const wire::HttpMessage* pending() const { return reader_.pending_head(); }

  /// What has come of its body, which is kept no longer.
  std::string take_pending_body() { return reader_.take_pending_body(); }

  /// Nothing more is read on it.
  void abandon() { ended_ = announced_ = true; }

  /// Whether it can carry no further exchange: the server closed it, or said that it will.
  bool ended() const { return ended_; }

  /// Whether it can carry an exchange now. What has come since the last response belongs to no
  /// request of ours, and would be taken for the answer to the next one.
  bool is_idle();

  /// Why it is not idle, where no response has announced its end (RFC 9112 §9.6); else empty.
  std::string lost() const;

  void begin_exchange() { received_ = 0; }
  /// Whether all of the last request has been taken. A server that refuses it before may still read
  /// the rest as the beginning of the next.
  bool has_sent_all() const { return sent_all_; }
  /// Whether anything has come back since the exchange began.
  bool heard_anything() const { return received_ > 0; }

 private:
  void take_in(const transport::Transfer& done, std::string_view in);

  std::unique_ptr<transport::ByteStream> stream_;
  wire::HttpReader reader_{wire::HttpReader::Role::client, kReplyLimits};
  std::optional<wire::HttpMessage> next_;
  std::size_t received_ = 0;
  bool ended_ = false;
  bool sent_all_ = true;
  bool announced_ = false;  // its end, by a response
  bool stray_ = false;      // bytes have come that belong to no response
};

}  // namespace jrpcheck::session
