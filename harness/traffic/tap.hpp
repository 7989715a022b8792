// Tap: what passes on one connection, bytes in and traffic out; no I/O. It never changes a byte,
// and what it cannot read it says to be lost.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "dialogue/traffic.hpp"
#include "result/secrets.hpp"
#include "wire/binding.hpp"
#include "wire/http1.hpp"

namespace jrpcheck::traffic {

class Endpoints;

using Sink = std::function<void(dialogue::TrafficEvent)>;

class Tap {
 public:
  virtual ~Tap() = default;

  /// Bytes that `side` has sent.
  virtual void feed(dialogue::Side side, std::string_view bytes, microseconds at) = 0;
  /// `side` sends nothing more; `note`: how that came, dialogue::kReset, "exited with code 1".
  /// What a client says last is cut off by its reset, and no message.
  virtual void close(dialogue::Side side, microseconds at, const std::string& note) = 0;
  /// Bytes are missing here: nothing that follows can be told apart.
  virtual void lose(microseconds at) = 0;
};

/// The note of what is lost because the connection has ended within a response: that is all.
inline constexpr std::string_view kCutOff = "cut off";

/// The head of a request or response of HTTP, which no recording holds.
struct HttpHead {
  dialogue::Side side = dialogue::Side::client;
  microseconds at{0};
  std::size_t connection = 1;
  std::size_t exchange = 1;  ///< as in the traffic
  std::string method = {};   ///< of a request
  std::string target = {};   ///< of a request: its host and path
  int status = 0;            ///< of a response
  bool has_query = false;    ///< of a request, behind its path
  wire::HttpFields fields = {};
};

/// What a tap tells beside the traffic.
struct TapSink {
  Sink traffic;
  /// Before what stands in its body.
  std::function<void(const HttpHead&)> head = [](const HttpHead&) {};
  /// Once the framing of a stream has been found out.
  std::function<void(const wire::Binding&, std::size_t connection)> framing =
      [](const wire::Binding&, std::size_t) {};
  /// Secrets in the heads of HTTP, which no report may hold.
  std::function<void(result::Secret)> secret = [](const result::Secret&) {};
};

/// A stream in that framing; null: it is found out from what passes.
std::unique_ptr<Tap> make_stream_tap(const wire::Binding* binding, bool on_sockets,
                                     std::size_t connection, TapSink sink);

/// HTTP/1.1, and WebSocket behind a handshake. Of what is posted, what the endpoints take is told,
/// which outlive the tap; null: all of it.
std::unique_ptr<Tap> make_http_tap(std::size_t connection, TapSink sink,
                                   Endpoints* endpoints = nullptr);

}  // namespace jrpcheck::traffic
