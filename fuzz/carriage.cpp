#include "fuzz/carriage.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/utf8.hpp"
#include "fuzz/protocol.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {

bool can_carry(const wire::Binding& binding, std::string_view message) {
  if (is_blank(message)) return false;
  if (binding.utf8_only && !is_valid_utf8(message)) return false;
  if (!wire::stays_whole(binding, message)) return false;
  if (!binding.structures_only) return true;
  const auto parsed = json::parse(message);
  return parsed && (parsed.value->is(json::Kind::object) || parsed.value->is(json::Kind::array));
}

std::string why_not_sent(const wire::Binding& binding, const Traits& traits,
                         std::string_view message) {
  if (!can_carry(binding, message)) return "the framing cannot carry it";
  const bool may_be = !traits.protocol || may_be_sent(*traits.protocol, message);
  return may_be ? "" : "what it calls may have effects";
}

bool can_send(const wire::Binding& binding, const Traits& traits, std::string_view message) {
  return why_not_sent(binding, traits, message).empty();
}

std::string without_message_ends(const wire::Binding& binding, std::string message) {
  for (const char end : binding.ends_message)
    std::replace(message.begin(), message.end(), end, ' ');
  return message;
}

}  // namespace jrpcheck::fuzz
