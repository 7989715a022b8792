// Steps for each item of what a server lists.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/bindings.hpp"

namespace jrpcheck::corpus {

/// The source of a case with a step for each item in place of those that say `for-each`, and the
/// placeholders of an item replaced. Untouched without a catalogue. The error says what the server
/// does not list, where nothing is left to be sent.
Result<std::string> with_steps_for_items(const std::string& source, const Bindings& bindings);

}  // namespace jrpcheck::corpus
