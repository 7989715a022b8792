// What becomes of calls that reach a server together: whether it tells them apart by their framing,
// or by how it reads them, and in which order it answers.
#pragma once

#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Sends two calls in one write, and two more one after the other on a new connection. True where
/// the former do not both have their answers and the latter do, twice: what such a server reads at
/// once it takes for one message, or keeps a part of it until more comes. Whatever is sent to it is
/// to have been read before anything follows, or what it makes of both would be charged to the
/// first.
bool loses_joined_calls(session::Conversation& conversation, const session::ControlCall& control);

/// Whether several calls that leave together are answered in their order, each by one message: then
/// no answer is overtaken by one to a later call.
bool answers_in_order(session::Conversation& conversation, const session::ControlCall& control);

}  // namespace jrpcheck::run
