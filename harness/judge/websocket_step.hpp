// What WebSocket says beside the messages it carries: pongs, text and binary, the handshake.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/exchange.hpp"
#include "judge/charger.hpp"

namespace jrpcheck::judge {

/// Why the step tells nothing: an extension that it needs is not agreed on. Empty: it does.
std::string why_not_agreed(const corpus::Step& step, const dialogue::Exchange& exchange);

/// Judges what a server has agreed on, or why it refused.
void judge_handshake(const dialogue::Handshake& handshake, Charger& charger);

/// Of which requirements a handshake shows something: a recording may leave fields out.
std::vector<std::string_view> shown_by(const dialogue::Handshake& handshake);

/// Judges what one step brought back over WebSocket.
void judge_websocket_step(const corpus::Case& bound, const corpus::Step& step,
                          const dialogue::Exchange& exchange, bool survived, Charger& charger);

}  // namespace jrpcheck::judge
