// How messages stand on a stream: one a line, framed by their length in bytes, and nothing between.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialogue/exchange.hpp"
#include "judge/charger.hpp"
#include "judge/judge.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::judge {

/// Judges the framing of what these messages brought back. A reply that is only framed wrongly is
/// charged for that alone: what follows from it is taken out of the findings.
void judge_framing(const dialogue::Exchange& exchange, const std::vector<dialogue::Message>& sent,
                   const wire::Binding& binding, Charger& charger);

/// Whether a whole message came that its framing did not end, so that it counts as none.
bool is_unframed(const dialogue::Exchange& exchange);

/// The message that stands in a line behind something else: what was printed before it had no line
/// end, and it has come all the same.
std::optional<dialogue::Message> message_within(const std::string& line);

/// Whether a reply shows that the length before it was wrong: it holds the beginning of the next
/// header, or lacks what then stands between the messages.
bool shows_wrong_length(const dialogue::Exchange& exchange);

/// Whether a length was wrong that alone tells where messages begin: an answer may have gone unread
/// for it, and its silence says nothing about the server.
bool has_lost_its_place(const dialogue::Exchange& exchange, const wire::Binding& binding);

/// Records the messages of the errors that came back; they are never compared.
void observe_messages(const dialogue::Exchange& exchange, Judgement& judgement);

}  // namespace jrpcheck::judge
