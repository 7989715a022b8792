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

}  // namespace jrpcheck::run
