// Response objects, written by hand so that their members stand in the order in which the
// specification lists them (JSON-RPC 2.0 §5).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "reference-impl/error.hpp"

namespace jrpcheck::reference {

/// The Response of a call that succeeded. `id` is the Request's id as JSON text.
std::string success_response(const nlohmann::json& result, std::string_view id);

/// The Response of a call that failed. An id that could not be made out is null (§5).
std::string error_response(const RpcError& error, std::string_view id = "null");

/// The reply to a message that is not JSON at all, or cannot be told apart on its stream.
std::string parse_error_response(std::string_view reason);

/// `value` as compact JSON. Always UTF-8 (RFC 8259 §8.1): what a method put into a string that is
/// not becomes U+FFFD.
std::string json_text(const nlohmann::json& value);

}  // namespace jrpcheck::reference
