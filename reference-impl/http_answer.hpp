// JSON-RPC over HTTP without sockets: a request in, the bytes of its response out.
//
// No specification of JSON-RPC 2.0 binds it to HTTP. The choices here: POST only, on any path; a
// reply comes with 200, whatever it says; silence is 204 (RFC 9110 §15.3.5).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

inline constexpr std::string_view kEventStream = "text/event-stream";

/// The status that refuses a request whose head is enough to tell, or nothing when its body is
/// wanted: 400 for what is not HTTP/1.1, 405, 413 or 415.
std::optional<int> refusal_of(const wire::HttpMessage& head, const Limits& limits);

/// A response without a body that refuses `head` with `status`. The connection stays usable when
/// `keep_alive` says so.
std::string refuse(int status, bool keep_alive);

/// The response to a request that has come in whole, or broke off with a violation.
std::string answer(const Handler& handler, const wire::HttpMessage& request);

}  // namespace jrpcheck::reference
