#include "judge/clients/heads.hpp"

#include "base/letter_case.hpp"
#include "json/pointer.hpp"
#include "judge/clients/mirrored_heads.hpp"

namespace jrpcheck::judge {
namespace {

using json::Value;

void judge_version_field(const Value& message, const std::string& version, const std::string& asked,
                         ClientCharges& charges) {
  if (!charges.version) return;
  charges.exercise("mcp-c-http-version");
  if (version.empty()) {
    return charges.charge("mcp-c-http-version", message, "",
                          "A request has no MCP-Protocol-Version.", *charges.version);
  }
  charges.exercise("mcp-c-http-version-value");
  const bool is_older = *charges.version < asked;
  if (is_older) charges.exercise("mcp-c-init-version-older");
  if (version == *charges.version) return;
  if (is_older && version == asked) {
    charges.charge("mcp-c-init-version-older", message, "",
                   "The client goes on in the version that it has asked for, " + asked +
                       ", and was answered with an older one.",
                   *charges.version);
  }
  charges.charge("mcp-c-http-version-value", message, "",
                 "MCP-Protocol-Version is " + version + ", and not what was agreed on.",
                 *charges.version);
}

void judge_accept(const Value& message, const wire::HttpFields& fields, ClientCharges& charges) {
  charges.exercise("mcp-c-http-accept");
  const std::string accept = in_lower_case(wire::field_list(fields, "Accept"));
  const auto accepts = [&](std::string_view type) { return accept.find(type) != accept.npos; };
  if (accepts("application/json") && accepts("text/event-stream")) return;
  charges.charge("mcp-c-http-accept", message, "",
                 "Accept of a POST does not list application/json and text/event-stream: " +
                     (accept.empty() ? "it is missing" : accept) + ".",
                 "both types");
}

// What stands in the body has to be in that field, which can say some of it in another form alone.
void judge_repeated(const Value& message, const wire::HttpFields& fields, std::string_view field,
                    const std::string& due, std::string_view requirement, ClientCharges& charges) {
  const std::string value = wire::field_list(fields, field);
  const bool is_plain = !needs_encoding(due);
  const std::string_view charged = is_plain || value.empty() ? requirement : "mcp-c-hdr-encode";
  charges.exercise(requirement);
  if (!is_plain) charges.exercise("mcp-c-hdr-encode");
  if (is_said_by(value, due)) return;
  charges.charge(charged, message, "",
                 value.empty() ? "A request has no " + std::string(field) + "."
                               : std::string(field) + " is not what the body says: " + value + ".",
                 is_plain ? due : "=?base64?...?= of " + due);
}

}  // namespace

void judge_bare_head(std::string_view method, const wire::HttpFields& fields,
                     const ClientSession& session, ClientCharges& charges) {
  if (!charges.is_mcp() || !session.is_answered) return;
  const auto charge = [&](std::string_view requirement, std::string sentence,
                          std::string expected) {
    charges.charge(
        requirement,
        {Symptom::rule_broken, std::move(expected), std::string(method), {}, std::move(sentence)});
  };
  if (method == "GET") {
    const std::string accept = wire::field_list(fields, "Accept");
    charges.exercise("mcp-c-http-accept-get");
    if (in_lower_case(accept).find("text/event-stream") == accept.npos) {
      charge("mcp-c-http-accept-get",
             "Accept of a GET does not list text/event-stream: " +
                 (accept.empty() ? "it is missing" : accept) + ".",
             "text/event-stream");
    }
  } else if (!session.is_ready) {
    return;  // who leaves for the version that it was answered with has agreed on none
  }
  if (!charges.version) return;
  charges.exercise("mcp-c-http-version");
  if (!wire::field_list(fields, "MCP-Protocol-Version").empty()) return;
  charge("mcp-c-http-version", "A " + std::string(method) + " has no MCP-Protocol-Version.",
         *charges.version);
}

void judge_stateless_heads(const Value& message, const wire::HttpFields& fields,
                           ClientCharges& charges) {
  const std::string named =
      json::text_at(message, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
  if (!named.empty()) {
    const std::string value = wire::field_list(fields, "MCP-Protocol-Version");
    charges.exercise("mcp-c-hdr-version");
    if (value != named) {
      charges.charge("mcp-c-hdr-version", message, "",
                     value.empty()
                         ? "A request has no MCP-Protocol-Version."
                         : "MCP-Protocol-Version is " + value + ", and not that of _meta.",
                     named);
    }
  }
  // A field has no other form for a method, and cannot say each.
  const std::string method = json::text_of(message.find("method"));
  if (!needs_encoding(method)) {
    judge_repeated(message, fields, "Mcp-Method", method, "mcp-c-hdr-method", charges);
  }
  const bool has_uri = method == "resources/read";
  if (!has_uri && method != "tools/call" && method != "prompts/get") return;
  const std::string name = json::text_at(message, has_uri ? "/params/uri" : "/params/name");
  if (!name.empty()) judge_repeated(message, fields, "Mcp-Name", name, "mcp-c-hdr-name", charges);
}

void judge_client_heads(const Value& message, const wire::HttpFields& fields,
                        const ClientSession& session, ClientCharges& charges) {
  if (!charges.is_mcp()) return;
  judge_accept(message, fields, charges);
  const std::string named = wire::field_list(fields, "Mcp-Session-Id");
  if (json::text_of(message.find("method")) == "initialize") {
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
  judge_version_field(message, wire::field_list(fields, "MCP-Protocol-Version"), session.asked,
                      charges);
}

}  // namespace jrpcheck::judge
