// Handshakes of a user's own.
#pragma once

#include <string>

#include "base/result.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::session {

/// Reads a file with a JSON Array of messages.
Result<Opening> load_opening(const std::string& name);

/// Whether the answer to an opening message is an error: the server does not open.
bool is_refused(std::string_view answer);

Error refused_opening(const std::string& message, const std::string& came_back);

}  // namespace jrpcheck::session
