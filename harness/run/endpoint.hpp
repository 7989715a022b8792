// The endpoint under test: conversations with it, and how a person would talk to it.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "result/run.hpp"
#include "run/first_calls.hpp"
#include "run/options.hpp"
#include "session/conversation.hpp"
#include "session/http_conversation.hpp"
#include "session/patience.hpp"
#include "session/stream_conversation.hpp"
#include "transport/guardian.hpp"
#include "transport/peer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// Connections of one's own to a server that others share.
struct StreamAccess {
  std::shared_ptr<transport::Peer> peer;
  session::StreamSettings settings;
};

/// The same over HTTP.
struct HttpAccess {
  std::shared_ptr<transport::Peer> peer;
  session::HttpSettings settings;
};

class Endpoint {
 public:
  virtual ~Endpoint() = default;

  /// Reaches the server for the first time: starts it, finds out its framing. The error is what a
  /// user sees when the target cannot be judged at all.
  virtual Result<bool> reach() = 0;
  /// What it comes to where that fails: nobody is there, or nobody who speaks JSON-RPC.
  virtual result::RunVerdict ending() const { return result::RunVerdict::unreachable; }
  /// In what framing it was heard then, where that was looked for.
  virtual FoundFraming heard_in() const { return {}; }
  /// What answered the calls by which it was reached.
  virtual FirstCalls first_calls() const { return {}; }

  /// A new conversation, not yet open. Conversations may be used in different threads.
  virtual std::unique_ptr<session::Conversation> converse() = 0;
  /// The same that begins with nothing of the handshake.
  virtual std::unique_ptr<session::Conversation> converse_bare() { return converse(); }

  /// One for a case that has it to itself, begins as that says and refuses what it says. After the
  /// handshake nothing is listened to but what answers.
  virtual std::unique_ptr<session::Conversation> converse_apart(const corpus::Case& one) {
    return one.session == corpus::Case::Session::bare ? converse_bare() : converse();
  }

  /// How messages travel to it; known once it has been reached.
  virtual const wire::Binding& binding() const = 0;
  /// Over what they do, for reports: "http", "stdio".
  virtual std::string_view transport() const = 0;
  /// Whether several conversations share one server, so that one may suffer from another.
  virtual bool is_shared() const = 0;
  /// Whether the server serves several connections at once; asked once, by trying.
  virtual bool serves_several() = 0;
  /// Whether a connection of ours was closed or refused at once, so that it may have been one too
  /// many.
  virtual bool has_turned_away() const { return false; }
  /// Whether it was, found out beside `held`, which is open; from then on the server is given one
  /// connection at a time.
  virtual bool turns_others_away(session::Conversation& /*held*/) { return false; }
  /// The conversations that it gives from here on, which are of one thread, share one connection:
  /// who is to say something has it, and the others step aside.
  virtual void share_one_connection() {}
  /// Whether it closes a connection when it has answered a call on it; asked once, by trying.
  virtual bool serves_one_call() { return false; }
  /// Whether calls on one connection get each other's answers (mixed_up_calls.hpp); asked once, by
  /// trying. Where they may, no connection is used again unless a case is about that.
  virtual std::optional<std::string> find_mixed_up_calls() { return std::nullopt; }
  /// The process group of the server that is behind all conversations, where it was started here.
  virtual std::optional<pid_t> process_group() const { return std::nullopt; }
  /// Nothing where nobody shares it, each message is a request of its own, or it serves one call a
  /// connection, one connection at a time, or wants a handshake first.
  virtual std::optional<StreamAccess> stream_access() { return std::nullopt; }
  /// Nothing where messages are no requests of their own, it serves one connection at a time, wants
  /// a handshake first or answers by event streams, or answers a call as the one before.
  virtual std::optional<HttpAccess> http_access() { return std::nullopt; }
  /// URL without its password, or the command line.
  virtual std::string text() const = 0;

  /// Puts into what a step sends what this server wants of everybody.
  virtual void adapt(corpus::Step&) const {}

  /// What passed as a conversation was opened, for the lines that do so by hand.
  virtual void note_opening(const std::vector<dialogue::Event>&) {}
  /// One shell line that sends a case's messages by hand, and behind its steps the answers that
  /// the server itself was given there; empty where none would do.
  virtual std::string reproduce(const corpus::Case& bound,
                                const std::vector<std::string>& answers) const = 0;
  std::string reproduce(const corpus::Case& bound) const { return reproduce(bound, {}); }

  /// What calls the server from here on to see whether it serves.
  virtual void use_control_call(session::ControlCall call) = 0;
  virtual const session::ControlCall& control_call() const = 0;
};

/// The endpoint that the options name.
std::unique_ptr<Endpoint> make_endpoint(const Options& options, session::Patience& patience,
                                        transport::Guardian& guardian);

/// The endpoint as a report names it.
inline result::Target target_of(const Endpoint& endpoint) {
  return {endpoint.text(), std::string(endpoint.transport()),
          std::string(wire::reported_name(endpoint.binding()))};
}

/// The same for one that was not reached.
inline result::Target unreached_target(const Options& options) {
  const std::string program = options.command.empty() ? "" : options.command.front();
  return {
      options.target ? options.target->redacted : program, std::string(transport_of(options)), {}};
}

/// The control call of a fresh run: a method that no server has.
inline session::ControlCall unknown_control_call(
    corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0) {
  return {"jrpcheckControl", {}, dialect};
}

}  // namespace jrpcheck::run
