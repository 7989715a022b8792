// Triage over HTTP: does anything there speak JSON-RPC at all, before it is judged?
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "run/first_calls.hpp"
#include "run/options.hpp"
#include "run/stranger.hpp"
#include "session/conversation.hpp"
#include "transport/peer.hpp"
#include "transport/target.hpp"

namespace jrpcheck::run {

/// Connects to the peer, which must outlive what comes of it.
transport::Dial dial_to(transport::Peer& peer);

/// Calls that a server of any kind may answer: a method it may have, params it may want, the
/// handshake that it may wait for.
std::vector<std::string> other_calls(const Options& options, const session::ControlCall& call);

/// What a triage has found out.
struct Triage {
  std::optional<Stranger> stranger =
      {};                        ///< nothing: a JSON-RPC server, or what may be one with faults
  bool has_answered = false;     ///< some call, with a Response
  bool by_event_stream = false;  ///< on an event stream
  /// A GET opens the stream that says where messages go (MCP 2024-11-05, HTTP with SSE).
  bool has_endpoint_stream = false;
  FirstCalls first_calls = {};  ///< those that were let in, and have been answered whole
  bool is_silent = false;  ///< no call has had an answer, of whatever kind, that came to its end
};

/// Makes calls that do nothing, each on a connection of its own and several at a time, until one is
/// answered by a Response, however bad, or until the deadline. A server that answers the first is
/// asked nothing more.
/// `when_silent` is called once where nothing at all has come for a while.
Triage triage_http(transport::Peer& peer, const Options& options, const session::ControlCall& call,
                   Deadline deadline, const std::function<void()>& when_silent);

/// Where JSON-RPC was looked for on a server.
struct FoundPath {
  std::optional<std::string> path;  ///< at which calls are answered
  bool is_http = false;             ///< something is answered in HTTP
};

/// Tries the usual paths, and that of `location`.
FoundPath find_path(const transport::Dial& dial, const transport::Target& target,
                    const wire::HttpFields& headers, const session::ControlCall& call,
                    const std::string& location);

/// What can be typed for the server at that URL, which may be empty: the command of these options
/// behind it.
std::string command_for(const Options& options, const std::string& url,
                        const std::string& verb = "run");

}  // namespace jrpcheck::run
