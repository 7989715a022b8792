// WebSocketHabits: what the reference server does with its frames, so that a mutant can have
// others.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wire/http1.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::reference {

/// What becomes of something that the server's side has read.
struct FrameAnswer {
  std::string bytes = {};               ///< that go out at once
  std::vector<std::string> calls = {};  ///< messages for the handler
  bool ends = false;                    ///< the connection, once they are out
  bool in_binary = false;               ///< so the replies go out
};

/// What is done with one message, control frame or fault of one connection.
using TakeItem = std::function<FrameAnswer(const wire::WebSocketItem& item)>;
/// What the bytes of one connection become before they are read as frames.
using ChangeBytes = std::function<std::string(std::string_view bytes)>;

/// What is empty is done properly.
struct WebSocketHabits {
  std::function<TakeItem()> taking = {};      ///< made for each connection
  std::function<ChangeBytes()> reading = {};  ///< likewise
  /// The frames of a reply.
  std::function<std::string(std::string_view reply)> write = {};
  /// The same where compression was agreed on, with what compresses on this connection.
  std::function<std::string(wire::Deflater& deflater, std::string_view reply)> write_deflated = {};
  /// How replies are compressed, in place of what was agreed on; and how calls are taken to be.
  std::function<wire::DeflateAgreement(wire::DeflateAgreement agreed)> agreement = {};
  /// The response to the request for WebSocket.
  std::function<std::string(const wire::HttpMessage& request, std::string proper)> handshake = {};
  /// What is done, in place of `taking`, on a connection that this request has asked for; null: no
  /// other thing.
  std::function<TakeItem(const wire::HttpMessage& request)> taking_asked_by = {};
};

/// A frame as a server writes it.
std::string server_frame(const wire::FrameDetails& details, std::string_view payload);

/// A reply as one compressed message.
std::string deflated_frame(wire::Deflater& deflater, std::string_view reply);

/// What the server does with one item: messages are calls, pings are answered, a Close is answered
/// by another, and what breaks a rule ends the connection with its code (RFC 6455 §7.1.7).
FrameAnswer proper_frame_answer(const wire::WebSocketItem& item);

/// The response to a request for WebSocket: 101, or why not. permessage-deflate is agreed to where
/// it is offered.
std::string proper_handshake(const wire::HttpMessage& request);

}  // namespace jrpcheck::reference
