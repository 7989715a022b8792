// Handshakes of a user's own.
#pragma once

#include <string>

#include "base/result.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::session {

/// Reads a file with a JSON Array of messages.
Result<Opening> load_opening(const std::string& name);

}  // namespace jrpcheck::session
