// HTTP/1.1 messages in both roles (RFC 9112): bytes in, messages out; no I/O. Heads are kept byte
// for byte, because a conformance tool must show what came, not what a library made of it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "wire/framing.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::wire {

/// One request or response with its whole body (chunked coding removed).
struct HttpMessage {
  std::string start_line;  ///< without its line end
  std::string head;        ///< start line, fields and the empty line, exactly as received
  HttpFields fields;
  std::string body;

  std::string method;  ///< requests: "POST"
  std::string target;  ///< requests: "/path?query"
  int status = 0;      ///< responses: 200

  bool keep_alive = true;     ///< whether the connection may carry another message (RFC 9112 §9.3)
  bool is_coded = false;      ///< the body is still in a transfer coding other than chunked
  std::string violation;      ///< not empty: what broke RFC 9112; the connection is then unusable
  bool beyond_limit = false;  ///< the same, and no rule was broken but a FrameLimit

  /// The value of the first field of that name, whatever its case; nothing when there is none.
  std::optional<std::string_view> field(std::string_view name) const {
    return field_of(fields, name);
  }
  /// The values of all fields of that name, as the list that they are (RFC 9110 §5.3).
  std::string list(std::string_view name) const { return field_list(fields, name); }
};

/// Reads the messages that arrive on one connection. However the bytes are cut for `feed`, `next`
/// gives the same messages.
class HttpReader {
 public:
  enum class Role {
    client,  ///< reads responses
    server,  ///< reads requests
  };

  explicit HttpReader(Role role, FrameLimits limits = {});
  HttpReader(HttpReader&&) noexcept;
  HttpReader& operator=(HttpReader&&) noexcept;
  ~HttpReader();

  /// Client role: says which method the next response answers; a response to HEAD has no body.
  /// Call once for each request, in order. Without a call POST is assumed.
  void expect_response_to(std::string_view method);

  void feed(std::string_view bytes);

  /// The peer closed its sending direction: ends a close-delimited body, or cuts a message short,
  /// which is a violation.
  void end_of_input();

  /// The next complete message. Interim responses (1xx but 101) are passed over. After a message
  /// with a violation nothing more comes.
  std::optional<HttpMessage> next();

  /// Whether the head of a message has been read whose body is still on its way. The server role
  /// needs it to answer `Expect: 100-continue`; both need it to tell a slow peer from a silent one.
  const HttpMessage* pending_head() const;

  /// Takes what has come of the body of that message, which is kept no longer: a body that never
  /// ends then has no limit.
  std::string take_pending_body();

  /// Whether any byte of an unfinished message is held.
  bool mid_message() const;

 private:
  class Stream;
  std::unique_ptr<Stream> stream_;
};

/// A request as it is written on the wire: start line, the given fields in the given order, and the
/// body. Nothing is added, so a caller can also write what is wrong on purpose.
std::string http_request(std::string_view method, std::string_view target, const HttpFields& fields,
                         std::string_view body);

/// A response likewise; the reason phrase is the usual one of `status`.
std::string http_response(int status, const HttpFields& fields, std::string_view body);

/// `body` in chunked coding (RFC 9112 §7.1), in chunks of `chunk_size` bytes and the last chunk.
std::string http_chunked(std::string_view body, std::size_t chunk_size);

/// One chunk of that coding; an empty one is the last.
std::string http_chunk(std::string_view data);

/// The value of a field that says this text: as it is, or in the form that the Model Context
/// Protocol has for what is no plain visible text.
std::string field_value_of(const std::string& text);

}  // namespace jrpcheck::wire
