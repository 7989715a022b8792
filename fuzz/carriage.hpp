// What a framing can carry as one message.
#pragma once

#include <string>
#include <string_view>

#include "fuzz/expectation.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

/// False of what is empty or white space: no framing takes that for a message. Nor does the lines
/// framing carry a line end, which many readers see in a carriage return too, nor WebSocket what is
/// not UTF-8 (RFC 6455 §8.1); and where nothing marks the end of a message it must be an Object or
/// an Array.
bool can_carry(const wire::Binding& binding, std::string_view message);

/// Whether it can be carried to this server, and may be: its protocol calls nothing unsafe in it.
bool can_send(const wire::Binding& binding, const Traits& traits, std::string_view message);

/// The message with spaces in place of what the binding reads as the end of a message.
std::string without_message_ends(const wire::Binding& binding, std::string message);

}  // namespace jrpcheck::fuzz
