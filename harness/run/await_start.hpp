// A server that answers may still be starting, and say so.
#pragma once

#include <functional>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "run/first_answers.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Makes the call until its answer is another than that the server still starts. The error, for
/// people, has what it says at the deadline.
Result<bool> await_start(session::Conversation& conversation, const session::ControlCall& call,
                         Deadline deadline);

/// Whether a call is refused with words that say that the server still starts: some serve their
/// handshake first, and for seconds nothing else.
bool says_it_starts(const Exchanges& exchanges);

/// How long a server is asked that does not serve yet.
struct UntilServed {
  Deadline
      refused;  ///< while it says so, or who stands in front of it (RFC 9110 §15.6.3 to 15.6.5)
  Deadline closed;                  ///< while each connection is closed without a word
  std::function<bool()> has_ended;  ///< its program: then there is nothing to wait for
};

/// Makes the call for as long as nothing but that comes back. Whether a Response has come in the
/// end.
bool await_service(session::Conversation& conversation, const session::ControlCall& call,
                   const UntilServed& until);

}  // namespace jrpcheck::run
