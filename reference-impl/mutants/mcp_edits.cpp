#include "reference-impl/mutants/mcp_edits.hpp"

#include <algorithm>

#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

using nlohmann::json;

Behaviour string_id_lost(std::string method) {
  return on_call(std::move(method), [](const json& call, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    if (!reply || !call.contains("id") || !call["id"].is_string()) return reply;
    json response = json::parse(*reply);
    response["id"] = nullptr;
    return response.dump();
  });
}

std::vector<Mutant> mcp_mutants_of(std::string_view version,
                                   std::initializer_list<std::span<const McpMutant>> tables) {
  std::vector<Mutant> all;
  for (const auto table : tables) {
    for (const auto& each : table) {
      const auto& versions = each.versions;
      if (std::find(versions.begin(), versions.end(), version) != versions.end()) {
        all.push_back(each.mutant);
      }
    }
  }
  return all;
}

std::vector<Mutant> mcp_faults(std::string_view version) {
  return mcp_mutants_of(
      version, {mcp_call_faults(), mcp_list_faults(), mcp_talk_faults(), mcp_stateless_faults(),
                mcp_http_faults(), mcp_http_head_faults()});
}

}  // namespace jrpcheck::reference
