// The mutants of the Ethereum node.
#pragma once

#include <span>

#include "reference-impl/mutants/call_edits.hpp"

namespace jrpcheck::reference {

std::span<const Mutant> ethereum_faults();
std::span<const Mutant> ethereum_variants();

}  // namespace jrpcheck::reference
