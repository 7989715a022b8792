// Ids as keys, to tell which Request a Response answers (JSON-RPC 2.0 §5).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/message.hpp"

namespace jrpcheck::dialogue {

/// Ids by type and value, so that 7 and "7" differ and 7 and 7.0 do not. Null has no key.
std::optional<std::string> id_key(const json::Value& id);
/// The same of what may not be there: none.
std::optional<std::string> id_key(const json::Value* id);

/// The keys of the ids of all Requests or Responses in a message, batch or not; none when it is not
/// JSON.
std::vector<std::string> id_keys_of(const Message& message);
std::vector<std::string> id_keys_of(const json::Value& message);

/// The one Object of a message: itself, or all that an Array holds; null where there is none. A
/// Response to a single call answers it in an Array as well, and is charged for the Array.
const json::Value* sole_object(const json::Value& message);

/// Whether it has a result or an error, as a Response does.
bool has_outcome(const json::Value& message);

/// The same of a message, or of one that an Array holds.
bool holds_response(const Message& message);

/// Whether it is the error of a call that was read: its code tells neither of broken JSON nor of an
/// invalid Request (JSON-RPC 2.0 §5.1).
bool fails_a_call(const Message& message);

/// A Response that does not say to which call.
bool is_of_unknown_call(const Message& message);

}  // namespace jrpcheck::dialogue
