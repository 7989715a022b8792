// The cases of the built-in corpus, and which of them can be put to a function.
#pragma once

#include <string_view>

#include "corpus/corpus.hpp"

namespace jrpcheck::embed {

/// With the cases of one profile, read once. Throws std::invalid_argument where there is no such
/// profile.
const corpus::Corpus& built_in_corpus(std::string_view profile);

/// Whether a case can be put to a function: what it asks is no matter of framing, of connections or
/// of the end of input.
bool is_for_handlers(const corpus::Case& one);

}  // namespace jrpcheck::embed
