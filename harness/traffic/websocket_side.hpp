// WebSocket as it passes: the heads of its handshake, and the frames of one direction.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "dialogue/traffic.hpp"
#include "traffic/tap.hpp"
#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::traffic {

/// The head of a request or response with what it offers or agrees on (RFC 6455 §4). The rest is of
/// no rule, and may be secret.
std::string handshake_head(const wire::HttpMessage& message);

class WebSocketSide {
 public:
  WebSocketSide(dialogue::Side side, std::size_t connection);

  void feed(std::string_view bytes, microseconds at, const Sink& sink);
  void end(microseconds at, const Sink& sink);

 private:
  void drain(microseconds at, const Sink& sink);
  bool is_rest(wire::WebSocketFault fault);
  bool tell_late(dialogue::TrafficEvent event, const std::string& payload, const Sink& sink) const;

  dialogue::Side side_;
  std::size_t connection_;
  wire::WebSocketReader reader_;
  bool has_closed_ = false;
  int interrupted_ = 0;  // a message was, so many before this one
};

}  // namespace jrpcheck::traffic
