#include "reference-impl/mcp_server.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reference-impl/batch.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/mcp_content.hpp"
#include "reference-impl/message.hpp"
#include "reference-impl/request.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using McpMethod = json (*)(const McpServer& server, const json& params);

constexpr std::string_view kBatching = "2025-03-26";
constexpr const char* kStateless = "2026-07-28";
constexpr int kUnsupportedVersion = -32022;
constexpr int kMissingCapability = -32021;
constexpr const char* kLogLevelKey = "io.modelcontextprotocol/logLevel";
constexpr const char* kVersionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kTasks = "io.modelcontextprotocol/tasks";
constexpr const char* kListen = "subscriptions/listen";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

json server_info() { return {{"name", "jrpcheck-reference"}, {"version", "1"}}; }

json capabilities(const McpServer& server) {
  json all = {{"tools", json::object()},
              {"prompts", json::object()},
              {"resources", {{"subscribe", true}}},
              {"logging", json::object()},
              {"completions", json::object()}};
  if (server.is_stateless()) {
    all["tools"]["listChanged"] = true;
    all["extensions"][kTasks] = json::object();
  }
  return all;
}

/// A version that it does not have is answered with the one that it has (lifecycle § Version
/// Negotiation).
json initialize(const McpServer& server, const json& params) {
  if (!params.contains("protocolVersion") || !params["protocolVersion"].is_string()) {
    throw invalid_params("protocolVersion must be a string");
  }
  return {{"protocolVersion", server.version()},
          {"capabilities", capabilities(server)},
          {"serverInfo", server_info()},
          {"instructions", "Call what you like."}};
}

json discover(const McpServer& server, const json&) {
  return {{"supportedVersions", {server.version()}}, {"capabilities", capabilities(server)}};
}

json nothing(const McpServer&, const json&) { return json::object(); }

void check_level(const json& level) {
  constexpr std::string_view kLevels[] = {"debug", "info",     "notice", "warning",
                                          "error", "critical", "alert",  "emergency"};
  const std::string name = level.is_string() ? level.get<std::string>() : std::string();
  if (std::find(std::begin(kLevels), std::end(kLevels), name) == std::end(kLevels)) {
    throw invalid_params("there is no such level");
  }
}

json set_level(const McpServer&, const json& params) {
  check_level(params.value("level", json()));
  return json::object();
}

/// No tool makes tasks, so that whichever is asked for is nobody's (extension tasks, SEP-2663).
json task_of_nobody(const McpServer&, const json& params) {
  const json capabilities = params["_meta"][kCapabilitiesKey];
  const json extensions = capabilities.value("extensions", json::object());
  if (!extensions.is_object() || !extensions.contains(kTasks)) {
    throw RpcError(kMissingCapability, "the client has not declared tasks",
                   {{"requiredCapabilities", {{"extensions", {{kTasks, json::object()}}}}}});
  }
  throw invalid_params("there is no such task");
}

struct MethodRow {
  McpMethod method;
  bool handshake_era = false;  ///< gone in 2026-07-28
  bool is_new = false;         ///< there from then on
};

const std::map<std::string, MethodRow>& methods() {
  static const std::map<std::string, MethodRow> methods_by_name = {
      {"initialize", {&initialize, true}},
      {"ping", {&nothing, true}},
      {"logging/setLevel", {&set_level, true}},
      {"resources/subscribe", {&mcp_subscribe, true}},
      {"resources/unsubscribe", {&mcp_subscribe, true}},
      {"server/discover", {&discover, false, true}},
      {kListen, {&mcp_listen, false, true}},
      {"tasks/get", {&task_of_nobody, false, true}},
      {"tasks/update", {&task_of_nobody, false, true}},
      {"tasks/cancel", {&task_of_nobody, false, true}},
      {"tools/list", {&mcp_list_tools}},
      {"tools/call", {&mcp_call_tool}},
      {"resources/list", {&mcp_list_resources}},
      {"resources/templates/list", {&mcp_list_templates}},
      {"resources/read", {&mcp_read_resource}},
      {"prompts/list", {&mcp_list_prompts}},
      {"prompts/get", {&mcp_get_prompt}},
      {"completion/complete", {&mcp_complete}}};
  return methods_by_name;
}

/// What every request says from 2026-07-28 on (basic § Request metadata).
void check_metadata(const McpServer& server, const json& params) {
  const json meta = params.value("_meta", json());
  const bool has_all = meta.is_object() && meta.value(kVersionKey, json()).is_string() &&
                       meta.value(kCapabilitiesKey, json()).is_object();
  if (!has_all) throw invalid_params("_meta must name the version and the client's capabilities");
  if (meta[kVersionKey] != server.version()) {
    throw RpcError(kUnsupportedVersion, "that version is not supported",
                   {{"supported", {server.version()}}, {"requested", meta[kVersionKey]}});
  }
  if (meta.contains(kLogLevelKey)) check_level(meta[kLogLevelKey]);
}

bool is_listen(const json& call) {
  return call.is_object() && call.value("method", json()) == kListen;
}

/// A subscription stays open: in place of the Response comes what acknowledges it
/// (basic/patterns/subscriptions § Acknowledgment). Nothing that it could tell of changes here.
std::optional<std::string> acknowledged(const std::optional<std::string>& reply) {
  if (!reply) return reply;
  const json response = json::parse(*reply);
  if (!response.contains("result")) return reply;
  const json params = {{"_meta", {{"io.modelcontextprotocol/subscriptionId", response["id"]}}},
                       {"notifications", response["result"]["notifications"]}};
  return json{{"jsonrpc", "2.0"},
              {"method", "notifications/subscriptions/acknowledged"},
              {"params", params}}
      .dump();
}

json completed(json result, const std::string& method) {
  result["resultType"] = "complete";
  result["_meta"]["io.modelcontextprotocol/serverInfo"] = server_info();
  const bool is_cached =
      method == "server/discover" || method == "resources/read" || method.ends_with("/list");
  if (is_cached) {
    result["ttlMs"] = 0;
    result["cacheScope"] = "public";
  }
  return result;
}

}  // namespace

const std::vector<std::string>& mcp_versions() {
  static const std::vector<std::string> versions = {"2025-03-26", "2025-06-18", "2025-11-25",
                                                    "2026-07-28"};
  return versions;
}

McpServer::McpServer(std::string version, Limits limits)
    : version_(std::move(version)), limits_(limits) {}

bool McpServer::is_stateless() const { return is_since(kStateless); }

std::optional<std::string> McpServer::handle(std::string_view message) const {
  const CarryOut carry_out_request = [this](const Request& each) { return carry_out(each); };
  return answer_message(message, limits_, version_ == kBatching ? "" : "a message is one object",
                        [&](Element element) {
                          const bool listens = is_listen(element.value);
                          auto reply = answer_element(std::move(element), carry_out_request);
                          return listens ? acknowledged(reply) : reply;
                        });
}

nlohmann::json McpServer::carry_out(const Request& request) const {
  if (!request.params_obstacle.empty()) throw invalid_params(request.params_obstacle);
  if (!request.params.is_null() && !request.params.is_object()) {
    throw invalid_params("params must be an object");
  }
  const json params = request.params.is_null() ? json::object() : request.params;
  const auto row = methods().find(request.method);
  const bool is_there =
      row != methods().end() && (is_stateless() ? !row->second.handshake_era : !row->second.is_new);
  if (!is_there) throw RpcError(kMethodNotFound, "there is no such method");
  if (!is_stateless()) return row->second.method(*this, params);
  check_metadata(*this, params);
  return completed(row->second.method(*this, params), request.method);
}

}  // namespace jrpcheck::reference
