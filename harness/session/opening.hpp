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

/// Whether the answer to an opening message is an error: the server does not open.
bool is_refused(std::string_view answer);

Error refused_opening(const std::string& message, const std::string& came_back);

}  // namespace jrpcheck::session
