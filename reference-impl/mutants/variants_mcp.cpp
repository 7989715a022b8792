// Odd behaviours of an MCP server that no rule forbids; other checkers fail servers for some.
#include <atomic>
#include <memory>

#include "reference-impl/mcp_server.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

Behaviour of_tools(std::function<void(json& tool)> edit) {
  return edit_result("tools/list", [edit](json& result) {
    for (auto& each : result["tools"]) edit(each);
  });
}

/// The first request tells which version is spoken for as long as the program runs: that which each
/// request names, or the one before with its handshake (2026-07-28, basic § Versioning).
Behaviour serving_both_eras() {
  const auto older = std::make_shared<const McpServer>(std::string(kNovember));
  const auto is_older = std::make_shared<std::optional<bool>>();
  return {.reply = [older, is_older](std::string_view message, const ProperReply& proper) -> Reply {
    const json call = json::parse(message, nullptr, false);
    if (!is_older->has_value() && call.is_object() && call.contains("method")) {
      const bool says_version =
          at(call, "/params/_meta").contains("io.modelcontextprotocol/protocolVersion");
      *is_older = !says_version && call["method"] != "server/discover";
    }
    if (!is_older->value_or(false)) return proper(message);
    return older->handle(message);
  }};
}

/// Each message without _meta is one of the version before.
Behaviour serving_each_by_its_era() {
  const auto older = std::make_shared<const McpServer>(std::string(kNovember));
  return {.reply = [older](std::string_view message, const ProperReply& proper) -> Reply {
    const json call = json::parse(message, nullptr, false);
    const bool is_older =
        call.is_object() && call.contains("method") && at(call, "/params/_meta").is_null();
    return is_older ? older->handle(message) : proper(message);
  }};
}

/// As some servers have it, which read nothing before the handshake.
Mutation silent_before_initialize() {
  return [] {
    const auto initialized = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const auto& proper) -> Reply {
      Reply reply = *initialized || call["method"] == "initialize" ? proper() : Reply();
      if (reply && json::parse(*reply).contains("result")) *initialized = true;
      return reply;
    });
  };
}

/// What is made from a URI climbs out of nothing.
Behaviour answering_climbing_uris() {
  return on_call("resources/read", [](const json& call, const ProperCall& proper) -> Reply {
    const json uri = at(call, "/params/uri");
    if (!uri.is_string() || !uri.get<std::string>().starts_with("file:///..")) return proper();
    const std::string text = "Nothing is kept under " + uri.get<std::string>();
    return success_for(call, {{"contents", {{{"uri", uri}, {"text", text}}}}});
  });
}

Behaviour serving_all_files() {
  return on_call("resources/read", [](const json& call, const ProperCall& proper) -> Reply {
    const json uri = at(call, "/params/uri");
    if (!uri.is_string() || !uri.get<std::string>().ends_with("/etc/passwd")) return proper();
    return success_for(call, {{"contents", {{{"uri", uri}, {"text", "root:x:0:0"}}}}});
  });
}

/// As some SDKs do for servers that complete nothing.
Behaviour refusing_unknown_tools(int code) {
  return on_call("tools/call", [code](const json& call, const ProperCall& proper) -> Reply {
    const Reply reply = proper();
    const bool is_unknown = reply && reply->find("there is no tool") != std::string::npos;
    return is_unknown ? Reply(failure_for(call, code)) : reply;
  });
}

Behaviour completing_nothing() {
  return nested(
      serve_call("completion/complete", {{"completion", {{"values", json::array()}}}}),
      edit_result("initialize", [](json& result) { result["capabilities"].erase("completions"); }));
}

/// Who asks for another version than this one is told so, as the page on the lifecycle shows it.
Behaviour refusing_other_versions(std::string_view own) {
  return on_call("initialize", [own](const json& call, const ProperCall& proper) -> Reply {
    const json asked = at(call, "/params/protocolVersion");
    if (!call.contains("id") || !asked.is_string() || asked == own) return proper();
    json refusal = json::parse(failure_for(call, -32602));
    refusal["error"]["message"] = "Unsupported protocol version";
    refusal["error"]["data"] = {{"supported", {own}}, {"requested", asked}};
    return refusal.dump();
  });
}

/// A prompt that asks the user is no prompt for a client that cannot (2026-07-28, basic § Error
/// Codes).
Behaviour prompt_for_clients_that_ask() {
  return on_call("prompts/get", [](const json& call, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    const json meta = at(call, "/params/_meta");
    const json capabilities = meta.is_object()
                                  ? meta.value("io.modelcontextprotocol/clientCapabilities", json())
                                  : json();
    const bool lacks_it = capabilities.is_object() && !capabilities.contains("elicitation");
    const bool is_served = reply && json::parse(*reply).contains("result");
    if (!is_served || !lacks_it || at(call, "/params/name") != "picture") return reply;
    json refusal = json::parse(failure_for(call, -32021));
    refusal["error"]["data"] = {{"requiredCapabilities", {{"elicitation", json::object()}}}};
    return refusal.dump();
  });
}

std::span<const McpMutant> mcp_stdio_variants() {
  static const McpMutant all[] = {
      {{"mcp-other-versions-refused", kLegal, kLines,
        "Versions but its own are refused, and its own is told.", refusing_other_versions(kJune)},
       {kJune}},
      {{"mcp-climbing-uri-answered", kLegal, kLines,
        "A read of a path that climbs is answered with a text of the server's own, and no file is "
        "read.",
        answering_climbing_uris()}},
      {{"mcp-resource-out-of-reach", kLegal, kLines,
        "A listed resource cannot be read for a failure within the server.",
        refuse_call(
            "resources/read",
            [](const json& call) { return at(call, "/params/uri") == "reference://text"; },
            -32603)},
       {kNovember, kJuly}},
      {{"mcp-prompt-out-of-reach", kLegal, kLines,
        "A listed prompt cannot be made for a failure within the server.",
        refuse_call(
            "prompts/get", [](const json& call) { return at(call, "/params/name") == "picture"; },
            -32603)},
       {kNovember, kJuly}},
      {{"mcp-whole-tree-served", kLegal, kLines,
        "All files are served, so that no path climbs out of anything.", serving_all_files()}},
      {{"mcp-completes-nothing", kLegal, kLines,
        "Whatever is to be completed has no completions, and none are declared.",
        completing_nothing()}},
      {{"mcp-context-names-checked", kLegal, kLines,
        "Arguments in the context of a completion are checked, and those refused that no prompt "
        "has.",
        refuse_call(
            "completion/complete",
            [](const json& call) { return !at(call, "/params/context/arguments").empty(); },
            -32602)},
       {kNovember, kJuly}},
      {{"mcp-no-descriptions", kLegal, kLines, "Tools have no descriptions.",
        of_tools(leaving_out("description"))}},
      {{"mcp-long-names", kLegal, kLines, "Names of tools have more than 64 characters.",
        of_tools([](json& each) {
          if (each["name"] == "forget") each["name"] = std::string(100, 'a');
        })}},
      {{"mcp-no-annotations", kLegal, kLines, "No tool says what it does to the world.",
        of_tools(leaving_out("annotations"))}},
      {{"mcp-output-schema-in-a-circle", kLegal, kLines,
        "An outputSchema refers to one that refers to itself.", of_tools([](json& each) {
          if (!each.contains("outputSchema")) return;
          each["outputSchema"]["$defs"] = {{"a", {{"$ref", "#/$defs/a"}}}};
          each["outputSchema"]["allOf"] = json::array({{{"$ref", "#/$defs/a"}}});
        })}},
      {{"mcp-output-schema-of-today", kLegal, kLines,
        "An outputSchema has patterns that look ahead, formats and whole numbers.",
        of_tools([](json& each) {
          if (!each.contains("outputSchema")) return;
          each["outputSchema"]["$schema"] = "https://json-schema.org/draft/2020-12/schema";
          each["outputSchema"]["properties"]["sum"] = {
              {"type", "integer"}, {"format", "date"}, {"multipleOf", 0.01}};
          each["outputSchema"]["propertyNames"] = {{"pattern", "^(?=s)"}, {"format", "date"}};
        })}},
      {{"mcp-no-mime-types", kLegal, kLines, "Resources have no mimeType.",
        edit_result("resources/list",
                    [](json& each) {
                      for (auto& one : each["resources"]) one.erase("mimeType");
                    })}},
      {{"mcp-more-members", kLegal, kLines, "Every result has a member of the server's own.",
        edit_result("", setting("own", {{"a", 1}}))}},
      {{"mcp-meta-of-its-own", kLegal, kLines, "Every result has metadata of the server's own.",
        edit_result("", [](json& each) { each["_meta"]["example.com/a-b.c"] = 1; })}},
      {{"mcp-logs", kLegal, kLines, "Log messages come before every answer of a tool.",
        say_before("tools/call",
                   {own_notification("notifications/message",
                                     R"({"level":"debug","logger":"a","data":{"b":1}})")})}},
      {{"mcp-changes-declared", kLegal, kLines, "Changes are declared, and told at once.",
        nested(
            say_behind("notifications/initialized",
                       {R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"}),
            edit_result("initialize",
                        [](json& each) { each["capabilities"]["tools"]["listChanged"] = true; }))}},
      {{"mcp-progress", kLegal, kLines, "A tool tells of its progress.",
        on_call("tools/call",
                [](const json& call, const auto& proper) -> Reply {
                  const json token = at(call, "/params/_meta/progressToken");
                  Reply reply = proper();
                  const bool is_token = token.is_string() || token.is_number_integer();
                  if (!is_token || !reply) return reply;
                  return Reply::several(
                      {own_notification(
                           "notifications/progress",
                           R"({"progress":0.5,"total":1,"progressToken":)" + token.dump() + "}"),
                       *reply});
                })}},
      {{"mcp-pings-client", kLegal, kLines, "The client is pinged during a call.",
        say_before("tools/call", {R"({"jsonrpc":"2.0","id":"own-#","method":"ping"})"})}},
      {{"mcp-ping-withdrawn", kLegal, kLines,
        "The client is pinged during a call, and not awaited.",
        say_before("tools/call",
                   {R"({"jsonrpc":"2.0","id":"own-#","method":"ping"})",
                    own_notification("notifications/cancelled", R"({"requestId":"own-#"})")})}},
      {{"mcp-tool-errors", kLegal, kLines, "Every tool fails, as tools may.",
        edit_result("tools/call",
                    [](json& each) {
                      each = {{"content", json::array()}, {"isError", true}};
                    })}},
      {{"mcp-first-page-only", kLegal, kLines, "Lists have one page.",
        edit_result("tools/list", leaving_out("nextCursor"))}},
      {{"mcp-unknown-tool-as-result", kLegal, kLines,
        "An unknown tool is reported as a result with isError.",
        forgive_call("tools/call", {{"content", json::array()}, {"isError", true}})}},
      {{"mcp-unknown-tool-as-unknown-method", kLegal, kLines,
        "An unknown tool is refused as an unknown method.", refusing_unknown_tools(-32601)}},
      {{"mcp-dates-in-short-form", kLegal, kLines,
        "Times are in the short form of ISO 8601, with a comma and an hour's offset.",
        edit_result("resources/list",
                    [](json& each) {
                      for (auto& one : each["resources"])
                        one["annotations"] = {{"lastModified", "20250112T150058,5+01"}};
                    })}},
      {{"mcp-speaks-of-tasks", kLegal, kLines, "A tool supports tasks, and says so.",
        of_tools(setting("execution", {{"taskSupport", "optional"}}))}},
      {{"mcp-headers-within", kLegal, kLines,
        "Arguments are to be repeated in the head, one of them within another.",
        tool_with_properties(
            {{"how", {{"type", "integer"}, {"x-mcp-header", "How"}}},
             {"where",
              {{"type", "object"},
               {"properties", {{"in", {{"type", "string"}, {"x-mcp-header", "Where-In"}}}}}}}})},
       {kJuly}},
      {{"mcp-private-cache", kLegal, kLines, "Lists may be cached for a minute, by whoever asked.",
        edit_result("tools/list",
                    [](json& each) {
                      each["ttlMs"] = 60000;
                      each["cacheScope"] = "private";
                    })},
       {kJuly}},
      {{"mcp-prompt-needs-a-capability", kLegal, kLines,
        "A prompt is for clients that can ask their users.", prompt_for_clients_that_ask()},
       {kJuly}},
      {{"mcp-both-eras", kLegal, kLines, "The version before is served as well, by its handshake.",
        serving_both_eras()},
       {kJuly}},
      {{"mcp-eras-side-by-side", kLegal, kLines,
        "The version before is served as well, by each message that has no _meta.",
        serving_each_by_its_era()},
       {kJuly}},
      {{"mcp-silent-before-initialize", kLegal, kLines,
        "Nothing is answered before initialize has been served.", silent_before_initialize()}},
      {{"mcp-march-plain", kLegal, kLines, "Log messages come before every answer of a tool.",
        say_before("tools/call",
                   {own_notification("notifications/message", R"({"level":"debug","data":1})")})},
       {kMarch}},
  };
  return all;
}

}  // namespace

std::vector<Mutant> mcp_variants(std::string_view version) {
  return mcp_mutants_of(version,
                        {mcp_stdio_variants(), mcp_subscription_variants(), mcp_http_variants()});
}

}  // namespace jrpcheck::reference
