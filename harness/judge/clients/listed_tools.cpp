#include "judge/clients/listed_tools.hpp"

#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostListed = 1000;
constexpr std::size_t kShownOfSchema = 300;

}  // namespace

void ListedTools::take(const Value& result) {
  const Value* tools = result.is(Kind::object) ? result.find("tools") : nullptr;
  if (tools == nullptr || !tools->is(Kind::array)) return;
  for (const auto& tool : tools->children()) {
    const std::string name = json::text_of(tool.find("name"));
    const Value* schema = tool.find("inputSchema");
    if (name.empty() || schema == nullptr) continue;
    if (tools_.size() >= kMostListed && !tools_.contains(name)) continue;
    const auto [place, is_new] = tools_.try_emplace(name, Tool{json::write(*schema), {}});
    if (!is_new && place->second.told == json::write(*schema)) continue;
    place->second.schema.reset();
    if (!is_new) continue;
    if (auto compiled = schema::Schema::compile(*schema)) place->second.schema = *compiled;
  }
}

void ListedTools::judge_call(const Value& message, ClientCharges& charges) const {
  const auto tool = tools_.find(json::text_at(message, "/params/name"));
  if (tool == tools_.end() || !tool->second.schema) return;
  const Value* arguments = json::at(message, "/params/arguments");
  const Value none = Value::object();
  charges.exercise("mcp-c-tool-listed");
  const auto violation = tool->second.schema->violation(arguments == nullptr ? none : *arguments);
  if (!violation) return;
  charges.charge("mcp-c-tool-listed", message, "/params/arguments" + violation->at,
                 "The arguments do not fit the schema of the tool: " + violation->text() + ".",
                 tool->second.told.substr(0, kShownOfSchema));
}

}  // namespace jrpcheck::judge
