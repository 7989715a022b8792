// Behaviour: what a mutant puts around the proper server. Each member that is set stands between
// the peer and the part of the server it names; the others are left as they are.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "reference-impl/event_stream_habits.hpp"
#include "reference-impl/limits.hpp"
#include "reference-impl/mcp_http_habits.hpp"
#include "reference-impl/mutants/reply.hpp"
#include "reference-impl/transport_hooks.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

/// The proper reply to a message.
using ProperReply = std::function<Reply(std::string_view message)>;

/// The proper answer to an HTTP request.
using ProperAnswer = std::function<HttpAnswer(const wire::HttpMessage& request)>;

/// Writes bytes to the peer; false when it takes no more.
using ProperWrite = std::function<bool(std::string_view bytes)>;

/// An end that no proper server comes to. Behaviours throw it; whoever runs them lets it happen.
struct Catastrophe {
  enum class Manner { exit, abort, hang, spin };
  Manner manner = Manner::exit;
};

struct Behaviour {
  std::function<Reply(std::string_view message, const ProperReply& proper)> reply = {};
  std::function<HttpAnswer(const wire::HttpMessage& request, const ProperAnswer& proper)> answer =
      {};
  std::function<std::unique_ptr<wire::Framing>(std::unique_ptr<wire::Framing> proper)> framing = {};
  std::string greeting = {};       ///< written to a stream before anything is read
  std::string first_message = {};  ///< sent on it before anything is read
  std::function<void()> end_of_stream = {};
  /// What the server makes of the bytes that came in one read; no more than they were.
  std::function<std::string(std::string_view bytes)> arriving = {};
  std::function<bool(std::string_view bytes, const ProperWrite& proper)> writing = {};
  std::optional<Limits> limits = {};
  /// On sockets: reads and writes in place of the proper server, for what lies below its messages.
  std::function<std::size_t(int socket, std::span<char> buffer)> reading_socket = {};
  std::function<bool(int socket, std::string_view bytes)> writing_socket = {};
  EventStreamHabits events = {};
  WebSocketHabits websocket = {};
  TlsHabits tls = {};
  McpHttpHabits mcp_http = {};
};

}  // namespace jrpcheck::reference
