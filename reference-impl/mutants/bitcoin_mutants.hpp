// The mutants of the stand-in for a Bitcoin node.
#pragma once

#include <string_view>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"

namespace jrpcheck::reference {

/// Those of a node of this version: "1.1" is one that speaks nothing else.
std::vector<Mutant> bitcoin_faults(std::string_view version);
std::vector<Mutant> bitcoin_variants(std::string_view version);

}  // namespace jrpcheck::reference
