// JSON-RPC over HTTP without sockets: a request in, the bytes of its response out.
//
// No specification of JSON-RPC 2.0 binds it to HTTP. The choices here: POST only, on any path; a
// reply comes with 200, whatever it says; silence is 204 (RFC 9110 §15.3.5).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "reference-impl/handler.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

inline constexpr std::string_view kEventStream = "text/event-stream";

/// The status that refuses a request whose head is enough to tell, or nothing when its body is
/// wanted: 400 for what is not HTTP/1.1, 405, 413 or 415.
std::optional<int> refusal_of(const wire::HttpMessage& head, const Limits& limits);

/// What goes back for one HTTP request.
struct HttpAnswer {
  std::string bytes;
  bool keep_alive = true;  ///< whether the connection takes another request
};

/// A response with these fields, one that says how long its body is unless they say that it comes
/// in chunks, and one that says whether the connection goes on.
HttpAnswer respond(int status, bool keep_alive, wire::HttpFields fields = {},
                   std::string_view body = {});
/// The connection goes on where `request` says so.
inline HttpAnswer respond(int status, const wire::HttpMessage& request,
                          wire::HttpFields fields = {}, std::string_view body = {}) {
  return respond(status, request.keep_alive, std::move(fields), body);
}

/// A response without a body that refuses a request with `status`.
HttpAnswer refuse(int status, bool keep_alive);

/// The response to a request that has come in whole, or broke off with a violation.
HttpAnswer proper_http_answer(const Handler& handler, const wire::HttpMessage& request);

}  // namespace jrpcheck::reference
