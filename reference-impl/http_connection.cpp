#include "reference-impl/http_connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <string_view>

#include "base/deadline.hpp"
#include "base/letter_case.hpp"
#include "reference-impl/descriptor.hpp"
#include "reference-impl/http_answer.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

namespace {

constexpr microseconds kLongestLinger = std::chrono::seconds(1);

class Connection {
 public:
  Connection(const Handler& handler, int socket, const TransportHooks& hooks)
      : handler_(handler),
        hooks_(hooks),
        socket_(socket),
        reader_(wire::HttpReader::Role::server, {.max_message_bytes = handler.limits().max_bytes}) {
  }

  void serve() {
    while (const std::size_t size = hooks_.bytes.read(socket_, buffer_)) {
      reader_.feed(std::string_view(buffer_.data(), size));
      if (!answer_requests() || !invite_body()) return linger();
    }
    reader_.end_of_input();
    answer_requests();  // a request that was cut short may still have a reader for its 400
    ::shutdown(socket_, SHUT_RDWR);
  }

 private:
  /// False when the connection has come to its end.
  bool answer_requests() {
    while (const auto request = reader_.next()) {
      invited_ = false;
      const HttpAnswer answer = hooks_.http.answer(handler_, *request);
      if (!hooks_.bytes.write(socket_, answer.bytes) || !answer.keep_alive) return false;
    }
    return true;
  }

  /// A client that says `Expect: 100-continue` keeps its body back until it hears whether the body
  /// is wanted (RFC 9110 §10.1.1). False when it is not.
  bool invite_body() {
    const wire::HttpMessage* head = reader_.pending_head();
    if (head == nullptr || invited_) return true;
    if (!same_ignoring_case(head->field("Expect").value_or(""), "100-continue")) return true;
    if (const auto status = refusal_of(*head, handler_.limits())) {
      write_all(socket_, refuse(*status, /*keep_alive=*/false).bytes);
      return false;
    }
    invited_ = true;
    return write_all(socket_, wire::http_response(100, {}, ""));
  }

  /// Closing with bytes unread would reset the connection and could destroy the last response on
  /// its way, so they are read and dropped until the peer is done, within limits (RFC 9112 §9.6).
  void linger() {
    ::shutdown(socket_, SHUT_WR);
    const Deadline deadline = Deadline::in(kLongestLinger);
    pollfd waiting{socket_, POLLIN, 0};
    while (!deadline.passed() && ::poll(&waiting, 1, deadline.remaining_ms()) > 0) {
      if (read_some(socket_, buffer_) == 0) break;
    }
    ::shutdown(socket_, SHUT_RDWR);
  }

  const Handler& handler_;
  const TransportHooks& hooks_;
  const int socket_;
  wire::HttpReader reader_;
  bool invited_ = false;  // the client has been told to go on with the pending body
  std::array<char, 65536> buffer_;
};

}  // namespace

void serve_http_connection(const Handler& handler, int socket, const TransportHooks& hooks) {
  Connection(handler, socket, hooks).serve();
}

}  // namespace jrpcheck::reference
