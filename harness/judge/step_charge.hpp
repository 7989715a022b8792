// To which requirement what is wrong with a step is charged.
#pragma once

#include <set>
#include <string>

#include "corpus/case.hpp"
#include "dialogue/message.hpp"
#include "judge/choice.hpp"
#include "judge/evidence.hpp"
#include "judge/pattern.hpp"

namespace jrpcheck::judge {

/// As the step says, else as the part of the reply that is wrong has it.
std::string charge_for(const Mismatch& mismatch, const corpus::Case& bound,
                       const corpus::Step& step, const Choice& choice, const Evidence& evidence);

/// Whether it is the Notification that is answered which was sent with the one call: beside the
/// Response that is due, or in its place. Only where the step says what a reply to it breaks.
bool answers_notification(const Mismatch& mismatch, const corpus::Step& step, const Choice& choice,
                          const Evidence& evidence);

/// Replies, and elements of one, that are too many and charged as that, whatever they look like.
std::set<const json::Value*> surplus_of(const corpus::Step& step, const Choice& choice,
                                        const Evidence& evidence);

/// Whether a reply of which this is wrong is judged further. A wrong id leaves the rest to be
/// judged, unless ids are what the case is about; so do a wrong code that says no more than that it
/// is wrong, and jsonrpc where none is due. What is sent outside of the corpus, by a fuzzer, is a
/// case about nothing in particular.
bool rest_counts(const Mismatch& mismatch, const std::string& requirement,
                 const corpus::Case& bound);

bool is_notification(const dialogue::Message& message);

}  // namespace jrpcheck::judge
