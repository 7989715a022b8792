// What the events of a dialogue come to: the one value that the judge reads.
#pragma once

#include <optional>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::dialogue {

/// A dialogue, step by step.
struct Exchanges {
  std::vector<Exchange> steps;  ///< fewer than the case has where the conversation ended early
  SurvivalCheck survival = {};
};

/// Pairs what was sent with what answered it, by the step in which it came. Pure: gives the same
/// for events that have just happened and for those of a stored run. Nothing where the events do
/// not say how a step ended, as in runs that older versions stored. What was sent is left out; the
/// case says it.
std::optional<Exchanges> exchanges_of(const std::vector<Event>& events);

/// The event that says how the step ended that brought this back.
Event end_of(const Exchange& exchange);

/// The event that says what became of the server.
Event event_of(const SurvivalCheck& check);

}  // namespace jrpcheck::dialogue
