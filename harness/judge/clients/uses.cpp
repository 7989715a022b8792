#include "judge/clients/uses.hpp"

#include <array>

#include "base/contains.hpp"
#include "json/pointer.hpp"
#include "judge/capability.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostKnownTools = 1000;
// RFC 5424, as MCP has them (server/utilities/logging).
constexpr std::array<std::string_view, 8> kLevels = {"debug", "info",     "notice", "warning",
                                                     "error", "critical", "alert",  "emergency"};

}  // namespace

void ClientUses::take_tools(const Value& result) {
  if (!knows_all_) return;
  listed_.take(result);
  const Value* tools = result.is(Kind::object) ? result.find("tools") : nullptr;
  if (tools == nullptr || !tools->is(Kind::array)) return;
  for (const auto& tool : tools->children()) {
    const std::string name = json::text_of(tool.find("name"));
    if (name.empty() || (tools_.size() >= kMostKnownTools && !tools_.contains(name))) continue;
    std::string support = json::text_at(tool, "/execution/taskSupport");
    if (support.empty()) support = "forbidden";  // basic/utilities/tasks § Tool-Level Negotiation
    const auto [place, is_new] = tools_.emplace(name, support);
    if (!is_new && place->second != support) place->second.clear();
  }
}

void ClientUses::hear(const Value& message, const std::string& method) {
  judge_declared(message, method);
  if (!charges_.is_mcp()) return;
  if (method == "logging/setLevel") judge_level(message);
  if (method != "tools/call") return;
  judge_task(message);
  // Who has asked for the list and not waited for it knows nothing of the tool.
  if (knows_all_) listed_.judge_call(message, charges_);
}

void ClientUses::judge_declared(const Value& message, const std::string& method) {
  for (const auto& each : kUsesOfServers) {
    if (each.family != charges_.words().family || !method.starts_with(each.method)) continue;
    // LSP lets a server register what it has not declared.
    if (!charges_.is_mcp() && may_be_registered_) return;
    std::string_view requirement =
        charges_.is_mcp() ? "mcp-c-caps-server" : "lsp-c-provider-undeclared";
    // Before 2025-06-18 it is said of levels alone.
    const bool is_of_levels = method == "logging/setLevel" && !charges_.is_asked(requirement);
    if (is_of_levels) requirement = "mcp-c-log-undeclared";
    charges_.exercise(requirement);
    if (is_stated(json::at(server_, each.capability))) continue;
    return charges_.charge(requirement, message, "/method",
                           "The client asks for what the server has not declared (" +
                               std::string(each.capability.substr(1)) + ").",
                           "no " + method);
  }
}

void ClientUses::judge_level(const Value& message) {
  charges_.exercise("mcp-c-log-level");
  const std::string level = json::text_at(message, "/params/level");
  if (contains(kLevels, level)) return;
  charges_.charge("mcp-c-log-level", message, "/params/level",
                  "The client sets a level of the log that there is not.",
                  "debug, info, notice, warning, error, critical, alert or emergency");
}

void ClientUses::judge_task(const Value& message) {
  const Value* task = json::at(message, "/params/task");
  const bool is_task = task != nullptr && !task->is(Kind::null);
  const bool is_declared = is_stated(json::at(server_, "/tasks/requests/tools/call"));
  charges_.exercise("mcp-c-tool-task-forbidden");
  if (is_task && !is_declared) {
    return charges_.charge("mcp-c-tool-task-forbidden", message, "/params/task",
                           "The client calls a tool as a task of a server that has none for tools.",
                           "no task");
  }
  const auto known = tools_.find(json::text_at(message, "/params/name"));
  if (!knows_all_ || !is_declared || known == tools_.end()) return;
  if (is_task && known->second == "forbidden") {
    return charges_.charge("mcp-c-tool-task-forbidden", message, "/params/task",
                           "The client calls a tool as a task that cannot be one.", "no task");
  }
  if (known->second != "required") return;
  charges_.exercise("mcp-c-tool-task-required");
  if (is_task) return;
  charges_.charge("mcp-c-tool-task-required", message, "/params",
                  "The client does not call a tool as a task that has to be one.", "a task");
}

}  // namespace jrpcheck::judge
