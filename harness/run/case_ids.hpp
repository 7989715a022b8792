// The ids that cases send, and whose an answer is that carries one of them.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "corpus/bindings.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "json/value.hpp"

namespace jrpcheck::run {

/// The placeholders of the case that stands at `ordinal` in the corpus: the same in every run with
/// the same seed, whatever ran before or beside it.
corpus::Bindings bindings_for(std::size_t ordinal, unsigned long long seed,
                              const corpus::RoleBindings& roles);

/// The ordinal of the case that sent this id, as a Number or as the String of its bindings.
std::optional<std::size_t> ordinal_of_id(const json::Value& id);

/// The same; also of one of its control calls.
std::optional<std::size_t> ordinal_of_any_id(const json::Value& id);

/// The id of the first control call of that case.
long long first_control_id(std::size_t ordinal);

/// Whether an answer carries an id that only another of so many cases has sent: in a step, or the
/// id of a case to come, which this conversation has not sent before either.
bool has_anothers_answer(const std::vector<dialogue::Exchange>& exchanges,
                         const std::vector<dialogue::Event>& events, std::size_t ordinal,
                         std::size_t cases);

/// Whether a call with this id was answered in the case. A Response without a usable id may have
/// been the answer.
bool had_reply(const std::vector<dialogue::Event>& events, const json::Value& id);

/// Whether each reply among them, if any, has no id or null: it may have come to another message.
bool had_replies_without_id_alone(const std::vector<dialogue::Event>& events);

/// Whether all that came in its steps may as well have answered something earlier.
bool had_replies_of_unknown_calls(const std::vector<dialogue::Event>& events);

}  // namespace jrpcheck::run
