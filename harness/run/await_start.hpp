// A server that answers may still be starting, and say so.
#pragma once

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Makes the call until its answer is another than that the server still starts. The error, for
/// people, has what it says at the deadline.
Result<bool> await_start(session::Conversation& conversation, const session::ControlCall& call,
                         Deadline deadline);

/// Makes the call for as long as nothing but 503 comes back (RFC 9110 §15.6.4). Whether a Response
/// has come in the end.
bool await_service(session::Conversation& conversation, const session::ControlCall& call,
                   Deadline deadline);

}  // namespace jrpcheck::run
