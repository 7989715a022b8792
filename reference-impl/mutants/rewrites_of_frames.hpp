// Behaviours of WebSocket: what is done with frames, control frames and the handshake.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>

#include "reference-impl/mutants/behaviour.hpp"
#include "reference-impl/websocket_habits.hpp"

namespace jrpcheck::reference {

/// Does something of its own with some items; `nullopt` is what is proper.
using TakeSome = std::function<std::optional<FrameAnswer>(const wire::WebSocketItem& item)>;

Behaviour taking(TakeSome take);
/// What is made afresh for each connection.
Behaviour taking_statefully(std::function<TakeSome()> make);
/// The same answer to all items for which `applies`.
Behaviour answering_where(std::function<bool(const wire::WebSocketItem& item)> applies,
                          FrameAnswer answer);
Behaviour on_kind(wire::WebSocketItem::Kind kind,
                  std::function<FrameAnswer(const wire::WebSocketItem& item)> answer);
Behaviour passing_over(wire::WebSocketFault fault);
Behaviour dying_of_frame(std::set<wire::WebSocketFault> faults);
Behaviour writing_frames(const wire::FrameDetails& details);
Behaviour shaking_hands(
    std::function<std::string(const wire::HttpMessage& request, std::string proper)> answer);
std::string with_field(std::string response, const std::string& field);
/// Bytes that were read at once, which often begin with a frame.
Behaviour changing_head(std::function<void(std::string& bytes)> change);
/// The first byte of a frame, where a read begins with one.
Behaviour changing_first_byte(std::function<unsigned(unsigned)> change);

}  // namespace jrpcheck::reference
