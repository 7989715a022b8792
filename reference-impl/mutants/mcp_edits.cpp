#include "reference-impl/mutants/mcp_edits.hpp"

#include <algorithm>

#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

using nlohmann::json;

Behaviour string_id_lost(std::string method) {
  return edit_response(std::move(method), [](const json& call, json& response) {
    if (call.contains("id") && call["id"].is_string()) response["id"] = nullptr;
  });
}

Behaviour tool_with_properties(json properties) {
  return edit_result("tools/list", [properties = std::move(properties)](json& result) {
    for (auto& each : result["tools"]) {
      if (each["name"] == "forget") each["inputSchema"]["properties"].update(properties);
    }
  });
}

std::vector<Mutant> mcp_mutants_of(std::string_view version,
                                   std::initializer_list<std::span<const McpMutant>> tables) {
  std::vector<Mutant> all;
  for (const auto table : tables) {
    for (const auto& each : table) {
      if (std::ranges::find(each.versions, version) != each.versions.end()) {
        all.push_back(each.mutant);
      }
    }
  }
  return all;
}

std::vector<Mutant> mcp_faults(std::string_view version) {
  auto all = mcp_mutants_of(version, {mcp_call_faults(), mcp_list_faults(), mcp_talk_faults()});
  const auto add = [&all](const auto& more) { all.insert(all.end(), more.begin(), more.end()); };
  if (version == kJuly) {
    add(mcp_stateless_faults());
    add(mcp_subscription_faults());
  }
  add(mcp_mutants_of(version, {mcp_http_faults()}));
  if (version == kJuly) add(mcp_http_head_faults());
  return all;
}

}  // namespace jrpcheck::reference
