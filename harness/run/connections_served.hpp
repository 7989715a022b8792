// How many connections at a time a server serves, and how many calls on each: found out by trying.
#pragma once

#include <functional>
#include <memory>

#include "run/case_runner.hpp"
#include "run/endpoint.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Two connections open at once, the first idle but alive: is the second one served? Each
/// `converse` gives a conversation that is not yet open. Beside them the run's own may be open, so
/// that the first may wait in vain as well; neither may cost the server its life or the run its
/// patience. `is_closed` tells that one of them was closed or refused, and not kept waiting.
bool serves_second_connection(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control, bool& is_closed);

/// Whether a connection, which is not yet open, is closed when a call on it has been answered.
bool serves_one_call(session::Conversation& conversation, const session::ControlCall& control);

/// Takes back what a case is charged with where it lacks the answers behind so many, and every
/// connection is closed behind as many, also where calls come one by one: a server may close when
/// it has sent what it wants to send (RFC 9293 §3.6). `usual` is the conversation of the case.
void take_back_closed_early(const corpus::Case& one, Endpoint& endpoint,
                            session::Conversation& usual, CaseRun& run);

/// Whether a case tells nothing because the server closed, in its midst and with notice, a
/// connection that other cases had used before: it may be one that serves so many calls on each.
bool found_connection_used_up(const corpus::Case& one, const CaseRun& run);

}  // namespace jrpcheck::run
