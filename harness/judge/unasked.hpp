// What a server says that answers nothing: Requests and Notifications of its own, and Responses to
// calls that nobody made.
#pragma once

#include <set>
#include <string>

#include "dialogue/message.hpp"
#include "judge/charger.hpp"

namespace jrpcheck::judge {

/// Charges a Response that answers a control call, and has another id than that.
void judge_answer_with_other_id(const dialogue::Message& message, Charger& charger);

/// Charges what is wrong with the form of such a message. A server may call its client where the
/// connection lets it, and is held to the rules of a Request then (JSON-RPC 2.0 §4); nothing
/// answers what nobody has called (§5). Messages in the shape of JSON-RPC 1.0 are not judged.
/// `own_ids` are those of Requests that the server made before, by id_key: a Response with one
/// answers the Response that it was given.
void judge_unasked(const dialogue::Message& message, Charger& charger,
                   const std::set<std::string>& own_ids = {});

}  // namespace jrpcheck::judge
