// The kinds of rewriting that mutants of the MCP server are made of.
#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "reference-impl/mutants/call_edits.hpp"
#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::reference {

/// A mutant, and the versions of the protocol in which it is tried.
struct McpMutant {
  std::vector<std::string_view> versions;
  Mutant mutant;
};

inline constexpr std::string_view kMarch = "2025-03-26";
inline constexpr std::string_view kJune = "2025-06-18";
inline constexpr std::string_view kNovember = "2025-11-25";
inline constexpr std::string_view kJuly = "2026-07-28";

std::span<const McpMutant> mcp_call_faults();
std::span<const McpMutant> mcp_list_faults();
std::span<const McpMutant> mcp_talk_faults();
std::span<const McpMutant> mcp_stateless_faults();
std::span<const McpMutant> mcp_http_faults();
std::span<const McpMutant> mcp_http_head_faults();
std::span<const McpMutant> mcp_http_variants();

/// Those of the tables that are tried in this version.
std::vector<Mutant> mcp_mutants_of(std::string_view version,
                                   std::initializer_list<std::span<const McpMutant>> tables);

/// The same under the names of this protocol.
using McpAnswer = CallAnswer;
inline Behaviour mcp_answer(McpAnswer answer) { return on_call(std::move(answer)); }
inline Behaviour mcp_answer(std::string method, McpAnswer answer) {
  return on_call(std::move(method), std::move(answer));
}
inline Behaviour mcp_result(std::string method, std::function<void(nlohmann::json& result)> edit) {
  return edit_result(std::move(method), std::move(edit));
}
inline Behaviour mcp_refusing(std::string method, int code) {
  return refuse_call(std::move(method), code);
}
inline Behaviour mcp_before(std::string method, std::vector<std::string> messages) {
  return say_before(std::move(method), std::move(messages));
}
inline Behaviour mcp_behind(std::string method, std::vector<std::string> messages) {
  return say_behind(std::move(method), std::move(messages));
}
inline std::string mcp_success(const nlohmann::json& call, const nlohmann::json& result) {
  return success_for(call, result);
}
inline std::string mcp_failure(const nlohmann::json& call, int code) {
  return failure_for(call, code);
}

}  // namespace jrpcheck::reference
