// What the messages of the handshake were answered, judged.
#pragma once

#include <string>
#include <vector>

#include "corpus/corpus.hpp"
#include "dialogue/transcript.hpp"
#include "run/side_dialogue.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// `messages` are those of the opening, `transcript` has what passed while they were sent. What
/// came beside their answers and is no message is charged as the binding says.
SideDialogue opening_dialogue(const corpus::Corpus& corpus, const wire::Binding& binding,
                              const std::vector<std::string>& messages,
                              const dialogue::Transcript& transcript);

}  // namespace jrpcheck::run
