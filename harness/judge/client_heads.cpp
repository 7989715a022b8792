#include "judge/client_heads.hpp"

#include "base/letter_case.hpp"

namespace jrpcheck::judge {
namespace {

using json::Value;

void judge_version_field(const Value& message, const std::string& version, ClientCharges& charges) {
  if (!charges.version) return;
  charges.exercise("mcp-c-http-version");
  if (version.empty()) {
    return charges.charge("mcp-c-http-version", message, "",
                          "A request has no MCP-Protocol-Version.", *charges.version);
  }
  charges.exercise("mcp-c-http-version-value");
  if (version == *charges.version) return;
  charges.charge("mcp-c-http-version-value", message, "",
                 "MCP-Protocol-Version is " + version + ", and not what was agreed on.",
                 *charges.version);
}

}  // namespace

void judge_client_heads(const Value& message, const wire::HttpFields& fields,
                        const ClientSession& session, ClientCharges& charges) {
  if (!charges.is_mcp()) return;
  charges.exercise("mcp-c-http-accept");
  const std::string accept = in_lower_case(field_of(fields, "Accept"));
  const auto accepts = [&](std::string_view type) { return accept.find(type) != accept.npos; };
  if (!accepts("application/json") || !accepts("text/event-stream")) {
    charges.charge("mcp-c-http-accept", message, "",
                   "Accept of a POST does not list application/json and text/event-stream: " +
                       (accept.empty() ? "it is missing" : accept) + ".",
                   "both types");
  }
  const std::string named = field_of(fields, "Mcp-Session-Id");
  if (text_of(message.find("method")) == "initialize") {
    if (!session.is_renewed) return;
    charges.exercise("mcp-c-http-session-404");
    if (named.empty()) return;
    return charges.charge("mcp-c-http-session-404", message, "",
                          "The new session begins with the id of one that is gone.",
                          "no Mcp-Session-Id");
  }
  if (!session.is_answered) return;
  if (!session.id.empty()) {
    charges.exercise("mcp-c-http-session");
    if (named != session.id) {
      charges.charge("mcp-c-http-session", message, "",
                     named.empty() ? "A request has no Mcp-Session-Id."
                                   : "A request has another Mcp-Session-Id.",
                     "the id that the server has given");
    }
  }
  judge_version_field(message, field_of(fields, "MCP-Protocol-Version"), charges);
}

}  // namespace jrpcheck::judge
