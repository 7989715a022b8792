// How many connections at a time a server serves, and how many calls on each: found out by trying.
#pragma once

#include <functional>
#include <memory>

#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Two connections open at once, the first idle but alive: is the second one served? Each
/// `converse` gives a conversation that is not yet open. Beside them the run's own may be open, so
/// that the first may wait in vain as well; neither may cost the server its life or the run its
/// patience.
bool serves_second_connection(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control);

/// Whether a connection, which is not yet open, is closed when a call on it has been answered.
bool serves_one_call(session::Conversation& conversation, const session::ControlCall& control);

}  // namespace jrpcheck::run
