// What a mutant of the client can change. Left alone, each hook does what is right.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/client/calls.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

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
  /// Messages that are sent before the first call.
  std::vector<std::string> greetings;

  bool answers_calls = true;                 ///< of the server
  bool answers_responses = false;            ///< which nobody may
  bool notices_the_end = true;               ///< of the connection: calls in flight end with it
  bool takes_what_was_cut = false;           ///< off by the end of the connection
  bool reads_last_first = false;             ///< of messages that come at once
  bool keeps_connections = true;             ///< from one call to the next
  bool sends_byte_by_byte = false;           ///< or, over WebSocket, in fragments
  bool pings = false;                        ///< over WebSocket, before each message
  std::chrono::milliseconds patience{2000};  ///< with one call
};

}  // namespace jrpcheck::reference
