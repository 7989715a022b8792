// A JSON-RPC 2.0 server without its transport.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace calculator {

/// The reply to one message, or nothing where none is due.
std::optional<std::string> handle(std::string_view message);

}  // namespace calculator
