// The envelope of Requests and Notifications, whoever makes them (JSON-RPC 2.0 §4).
#pragma once

#include "dialogue/traffic.hpp"
#include "json/value.hpp"
#include "judge/charger.hpp"

namespace jrpcheck::judge {

/// Judges what is to be a Request or a Notification. What a server does wrong as a caller is
/// charged where the specification says it of Requests; a client has requirements of its own.
void judge_request(const json::Value& request, dialogue::Side side, Charger& charger);

/// Judges the text of a message of a client as JSON and as UTF-8.
void judge_request_text(const dialogue::Message& message, Charger& charger);

}  // namespace jrpcheck::judge
