// TransportHooks: where a mutant (mutants/) takes the place of what a server does with its
// transport. The defaults are the right ones, so that the servers need not know of mutants.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/event_stream_habits.hpp"
#include "reference-impl/handler.hpp"
#include "reference-impl/http_answer.hpp"
#include "reference-impl/tls.hpp"
#include "reference-impl/websocket_habits.hpp"
#include "wire/framing.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::reference {

/// The messages that answer one message of a stream: none or one.
std::vector<std::string> proper_replies(const Handler& handler, std::string_view message);

/// Reads and writes the bytes of a peer, as read_some and write_all of descriptor.hpp.
struct ByteHooks {
  std::function<std::size_t(int descriptor, std::span<char> buffer)> read;
  std::function<bool(int descriptor, std::string_view bytes)> write;

  ByteHooks();
};

/// Carries messages on a stream.
struct StreamHooks {
  /// How messages are told apart and written.
  std::function<std::unique_ptr<wire::Framing>(wire::MakeFraming kind)> framing =
      [](wire::MakeFraming kind) { return kind({}); };
  std::function<std::vector<std::string>(const Handler& handler, std::string_view message)>
      replies = proper_replies;
  /// Bytes that go out before anything is read.
  std::string greeting = {};
  /// A message that does.
  std::string first_message = {};
  /// Called when the input has ended and everything is answered.
  std::function<void()> at_end = [] {};
};

/// Answers HTTP requests.
struct HttpHooks {
  std::function<HttpAnswer(const Handler& handler, const wire::HttpMessage& request)> answer =
      proper_http_answer;
};

struct TransportHooks {
  ByteHooks bytes = {};
  StreamHooks stream = {};
  HttpHooks http = {};
  EventStreamHabits events = {};
  WebSocketHabits websocket = {};
  TlsHabits tls = {};
};

}  // namespace jrpcheck::reference
