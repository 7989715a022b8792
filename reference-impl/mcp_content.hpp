// What the MCP server serves: tools, resources and prompts, the same in every version but for their
// form.
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace jrpcheck::reference {

class McpServer;

/// The answers of the methods by these names. They throw RpcError.
nlohmann::json mcp_list_tools(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_call_tool(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_list_resources(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_list_templates(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_read_resource(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_subscribe(const McpServer& server, const nlohmann::json& params);
/// What is promised to a subscription: of what was asked for the kinds that there are.
nlohmann::json mcp_listen(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_list_prompts(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_get_prompt(const McpServer& server, const nlohmann::json& params);
nlohmann::json mcp_complete(const McpServer& server, const nlohmann::json& params);

}  // namespace jrpcheck::reference
