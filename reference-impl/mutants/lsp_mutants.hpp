// The mutants of the language server.
#pragma once

#include <span>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"

namespace jrpcheck::reference {

/// An answer to what is not to be answered.
inline constexpr const char* kRefusalOfNobody =
    R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Refused"}})";

/// Declares these in the result of initialize.
Behaviour declaring(const nlohmann::json& more);
/// Declares it, with these options, and gives what is no result of it.
Behaviour misserving(const std::string& capability, const std::string& options,
                     const std::string& method, const nlohmann::json& result);

std::span<const Mutant> lsp_call_faults();
std::span<const Mutant> lsp_result_faults();
std::span<const Mutant> lsp_lifecycle_faults();
std::vector<Mutant> lsp_provider_faults();
std::span<const Mutant> lsp_talk_faults();
std::span<const Mutant> lsp_legal_variants();

}  // namespace jrpcheck::reference
