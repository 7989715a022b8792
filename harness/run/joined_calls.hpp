// Whether a server on a stream tells messages apart by their framing, or by how it reads them.
#pragma once

#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Sends two calls in one write, and two more one after the other on a new connection. True where
/// the former do not both have their answers and the latter do, twice: what such a server reads at
/// once it takes for one message, or keeps a part of it until more comes. Whatever is sent to it is
/// to have been read before anything follows, or what it makes of both would be charged to the
/// first.
bool loses_joined_calls(session::Conversation& conversation, const session::ControlCall& control);

}  // namespace jrpcheck::run
