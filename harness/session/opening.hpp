// The handshakes that some servers want before they serve.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::session {

/// `name` is mcp, lsp or a file: a JSON Array of messages. Nothing to send
/// for the empty name.
Result<Opening> opening_named(const std::string& name);

}  // namespace jrpcheck::session
