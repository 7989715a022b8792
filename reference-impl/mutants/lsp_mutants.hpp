// The mutants of the language server.
#pragma once

#include <span>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"

namespace jrpcheck::reference {

std::span<const Mutant> lsp_call_faults();
std::vector<Mutant> lsp_provider_faults();
std::span<const Mutant> lsp_talk_faults();
std::span<const Mutant> lsp_legal_variants();

}  // namespace jrpcheck::reference
