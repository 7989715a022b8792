// What a mutant of the client can change. Left alone, each hook does what is right.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/client/calls.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::reference {

/// Of its frames, over WebSocket (RFC 6455).
struct ClientFrameHooks {
  /// The payload of the pong to a ping; nothing: it has none.
  std::function<std::optional<std::string>(const std::string& ping)> pong =
      [](const std::string& payload) { return std::optional(payload); };
  /// Whether that fails the connection; else it reads on.
  std::function<bool(wire::WebSocketFault fault)> fails_for = [](auto) { return true; };
  bool answers_closes = true;
  bool takes_leave = false;  ///< by a Close, of a connection that still stands at its end
  bool reads_after_close = false;
  bool reads_pings_as_messages = false;
  bool loses_messages_around_pings = false;
  bool ends_at_pongs = false;
  bool reads_fragments_alone = false;
  bool keeps_pongs_for_later = false;  ///< they go out before the next message, or its Close
  bool gives_codes = true;             ///< its Closes have one
  bool says_that_it_fails = true;      ///< by a Close, before it ends the connection
};

struct ClientHooks {
  /// What is sent in place of a message of its own.
  std::function<std::string(std::string message)> sending = [](std::string text) { return text; };
  /// What is taken in place of a message of the server, while these calls are in flight; nothing:
  /// it is passed over.
  std::function<std::string(std::string message, const std::vector<Calls::Id>& waiting)> reading =
      [](std::string text, const auto&) { return text; };
  /// The body that an HTTP response stands for.
  std::function<std::string(const wire::HttpMessage& response)> body = [](const auto& response) {
    return response.body;
  };
  /// The fields of a request over HTTP, and its body as it is written.
  std::function<std::pair<wire::HttpFields, std::string>(const std::string& body)> http_request =
      [](const std::string& text) -> std::pair<wire::HttpFields, std::string> {
    return {{{"Content-Type", "application/json"}, {"Content-Length", std::to_string(text.size())}},
            text};
  };
  /// What is sent in place of an answer to a call of the server.
  std::function<std::string(std::string answer)> answering = [](std::string text) { return text; };
  /// Messages that are sent before the first call.
  std::vector<std::string> greetings;

  /// The Notification that is sent in place of its own.
  std::function<std::string(std::string message)> notifying = [](std::string text) { return text; };
  bool waits_after_notifying = false;  ///< for an answer
  bool wants_body_of_note = false;     ///< over HTTP: without one its Notification has failed
  bool keeps_body_of_note = false;     ///< over HTTP: it is the answer to the next call
  bool heeds_limit = true;             ///< of time, that it is given for a call

  ClientFrameHooks frames;

  bool answers_calls = true;                 ///< of the server
  bool answers_responses = false;            ///< which nobody may
  bool answers_notifications = false;        ///< of the server, which nobody may either
  bool notices_the_end = true;               ///< of the connection: calls in flight end with it
  bool takes_what_was_cut = false;           ///< off by the end of the connection
  bool reads_last_first = false;             ///< of messages that come at once
  bool decodes_each_read = false;            ///< as text of its own
  bool takes_reads_for_messages = false;     ///< on a stream of lines
  bool loses_what_is_read_ahead = false;     ///< likewise: behind the first message of a read
  bool keeps_connections = true;             ///< from one call to the next
  bool calls_in_turn = false;                ///< whatever it is asked for
  bool calls_again = false;                  ///< once, where the connection ends before the answer
  bool sends_byte_by_byte = false;           ///< or, over WebSocket, in fragments
  bool pings = false;                        ///< over WebSocket, before each message
  std::chrono::milliseconds patience{2000};  ///< with one call
};

}  // namespace jrpcheck::reference
