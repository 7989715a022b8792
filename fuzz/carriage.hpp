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

/// Why it is not sent to this server: it cannot be carried, or its protocol calls something unsafe
/// in it. Empty where it may be sent.
std::string why_not_sent(const wire::Binding& binding, const Traits& traits,
                         std::string_view message);
bool can_send(const wire::Binding& binding, const Traits& traits, std::string_view message);

/// The message with spaces in place of what the binding reads as the end of a message.
std::string without_message_ends(const wire::Binding& binding, std::string message);

}  // namespace jrpcheck::fuzz
