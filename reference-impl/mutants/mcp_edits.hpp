// The kinds of rewriting that mutants of the MCP server are made of.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"
#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::reference {

inline constexpr std::string_view kMarch = "2025-03-26";
inline constexpr std::string_view kJune = "2025-06-18";
inline constexpr std::string_view kNovember = "2025-11-25";
inline constexpr std::string_view kJuly = "2026-07-28";

/// A mutant, and the versions of the protocol in which it is tried: the last one with sessions
/// where it says no other.
struct McpMutant {
  Mutant mutant;
  std::vector<std::string_view> versions = {kNovember};
};

std::span<const McpMutant> mcp_call_faults();
std::span<const McpMutant> mcp_list_faults();
std::span<const McpMutant> mcp_talk_faults();
std::span<const McpMutant> mcp_http_faults();
std::span<const McpMutant> mcp_http_variants();

/// Those of 2026-07-28 alone.
std::span<const Mutant> mcp_stateless_faults();
std::span<const Mutant> mcp_subscription_faults();
std::span<const McpMutant> mcp_subscription_variants();
std::span<const Mutant> mcp_http_head_faults();

/// A String as the id of calls of that method comes back as null.
Behaviour string_id_lost(std::string method);

/// The tool that nobody calls takes these arguments too.
Behaviour tool_with_properties(nlohmann::json properties);

/// Those of the tables that are tried in this version.
std::vector<Mutant> mcp_mutants_of(std::string_view version,
                                   std::initializer_list<std::span<const McpMutant>> tables);

}  // namespace jrpcheck::reference
