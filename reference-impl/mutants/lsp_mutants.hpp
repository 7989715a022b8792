// The mutants of the language server.
#pragma once

#include <span>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"

namespace jrpcheck::reference {

/// An answer to what is not to be answered.
inline constexpr const char* kRefusalOfNobody =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Refused"}})";

std::span<const Mutant> lsp_call_faults();
std::span<const Mutant> lsp_lifecycle_faults();
std::vector<Mutant> lsp_provider_faults();
std::span<const Mutant> lsp_talk_faults();
std::span<const Mutant> lsp_legal_variants();

}  // namespace jrpcheck::reference
