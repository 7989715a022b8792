// The head of an HTTP/1.1 message (RFC 9112 §3 to §6): what it says, and what body it announces.
#pragma once

#include <cstdint>
#include <string_view>

#include "wire/http1.hpp"

namespace jrpcheck::wire {

/// How the end of a body is found (RFC 9112 §6.3).
enum class BodyEnd {
  none,     ///< there is no body
  length,   ///< after Content-Length bytes
  chunked,  ///< at the last chunk
  close,    ///< when the connection is closed
};

struct BodyPlan {
  BodyEnd end = BodyEnd::none;
  std::uint64_t length = 0;  ///< for BodyEnd::length
};

/// Reads the start line alone, given without its line end. Sets the violation if it is none.
void parse_start_line(HttpMessage& message, HttpReader::Role role, std::string_view line);

/// Reads the whole of `message.head`, start line and all; sets `keep_alive` too, and the violation
/// if something breaks RFC 9112.
void parse_head(HttpMessage& message, HttpReader::Role role);

/// What body follows a parsed head. `answered_method` is the method of the request that a response
/// answers. May set the violation, or `keep_alive` to false.
BodyPlan plan_body(HttpMessage& message, HttpReader::Role role, std::string_view answered_method);

}  // namespace jrpcheck::wire
