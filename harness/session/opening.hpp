// Handshakes of a user's own.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::session {

/// Reads a file with a JSON Array of messages.
Result<Opening> load_opening(const std::string& name);

/// Whether the answer to an opening message is an error: the server does not open.
bool is_refused(std::string_view answer);

/// What to do about a server that asks for a login.
inline constexpr std::string_view kGiveTheLogin =
    "give the login: --header 'Authorization: Bearer TOKEN', or the header that it wants";

/// "the opening message {...}", its middle left out where it is long.
std::string shown_opening(const std::string& message);

Error refused_opening(const std::string& message, const std::string& came_back);

}  // namespace jrpcheck::session
