// The reference client of a protocol on top: a short session of MCP or LSP, done as it should be,
// or with one thing wrong.
#pragma once

#include <chrono>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/client/client_mutants.hpp"
#include "reference-impl/client/link.hpp"

namespace jrpcheck::reference {

/// The ways in which it can be unlike itself.
std::span<const ClientMutant> protocol_mutants();
void write_list_of_protocol_clients(std::ostream& out, std::string_view protocol);

/// The time limit of a call to a tool, as JRPCHECK_TIMEOUT has it; nothing: it has none of its own.
std::optional<std::chrono::milliseconds> limit_of_calls();

/// Those of MCP from 2026-07-28 on.
std::vector<ClientMutant> stateless_mutants();

/// What the names of its mutants begin with. Empty: a version between the first and the last of
/// those with a handshake, of which it has none.
std::string family_of_client(std::string_view protocol, std::string_view version);

/// `protocol`: "mcp" or "lsp"; `oddity`: the name of a mutant, or empty. Whether all went well.
bool run_session(const ServerPlace& place, std::string_view protocol, std::string_view version,
                 std::string_view oddity);

}  // namespace jrpcheck::reference
