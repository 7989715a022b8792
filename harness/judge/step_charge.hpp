// To which requirement what is wrong with a step is charged.
#pragma once

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

/// Whether a reply of which this is wrong is judged further. A wrong id leaves the rest to be
/// judged, unless ids are what the case is about; so do a wrong code that says no more than that it
/// is wrong, and jsonrpc where none is due. What is sent outside of the corpus, by a fuzzer, is a
/// case about nothing in particular.
bool rest_counts(const Mismatch& mismatch, const std::string& requirement,
                 const corpus::Case& bound);

bool is_notification(const dialogue::Message& message);

}  // namespace jrpcheck::judge
