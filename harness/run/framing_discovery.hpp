// Finding out which framing is spoken on a stream.
#pragma once

#include <string>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "run/first_calls.hpp"
#include "run/options.hpp"
#include "session/conversation.hpp"
#include "transport/peer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// That the program ended so before it answered a call, with what it said last, for people.
std::string ended_too_early(const std::string& name, const std::string& how,
                            const std::string& standard_error);

/// Connects once for each framing that the peer may speak, says the same on all, and takes the
/// framing in which a JSON-RPC message comes back first; the usual one where nothing does before
/// the deadline. The error tells of a peer called `name` that cannot be reached or started, or that
/// ends before it answers.
Result<FoundFraming> discover_framing(transport::Peer& peer, const std::string& name,
                                      const session::Opening& opening, const Greetings& greetings,
                                      const session::ControlCall& call, Deadline deadline);

/// The same with a server that all connections lead to. It may serve one at a time, and what is no
/// message to it may leave a connection deaf: each framing has a connection to itself, first side
/// by side and then one after another, each for at most `timeout`. Null where nothing is answered.
/// An Error also where it answers only a client that has closed its sending side. `answered`: the
/// calls in the framing that is found, and what has been heard of their answers.
Result<const wire::Binding*> discover_framing_on_sockets(
    transport::Peer& peer, const std::string& name, const session::Opening& opening,
    const session::ControlCall& call, microseconds timeout, FirstCalls& answered);

}  // namespace jrpcheck::run
