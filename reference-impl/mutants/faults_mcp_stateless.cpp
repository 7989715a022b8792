// Defects of an MCP server since 2026-07-28.
#include <algorithm>
#include <atomic>
#include <memory>

#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr const char* kMirrored = "x-mcp-header";
constexpr const char* kMeta = "/params/_meta";
constexpr const char* kVersion = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilities = "io.modelcontextprotocol/clientCapabilities";

/// The call that the server makes of one that lacks something.
Behaviour mended(std::function<bool(const json& meta)> applies) {
  return {.reply = [applies](std::string_view message, const ProperReply& proper) -> Reply {
    json call = json::parse(message, nullptr, false);
    if (!call.is_object() || !call.contains("id") || !call.contains("method"))
      return proper(message);
    const bool has_other_params = call.contains("params") && !call["params"].is_object();
    if (has_other_params || !applies(at(call, kMeta))) return proper(message);
    call["params"]["_meta"] = {{kVersion, "2026-07-28"}, {kCapabilities, json::object()}};
    return proper(call.dump());
  }};
}

bool is_absent(const json& meta) { return meta.is_null(); }

/// A call without _meta has the result that earlier versions give.
Behaviour served_as_before() {
  return {.reply = [served = mended(is_absent)](std::string_view message,
                                                const ProperReply& proper) -> Reply {
    Reply reply = served.reply(message, proper);
    const json call = json::parse(message, nullptr, false);
    if (!reply || !call.is_object() || !is_absent(at(call, kMeta))) return reply;
    json response = json::parse(*reply);
    if (!response.contains("result")) return reply;
    for (const char* name : {"resultType", "ttlMs", "cacheScope", "_meta"}) {
      response["result"].erase(name);
    }
    return Reply(response.dump());
  }};
}

bool lacks(const json& meta, const char* key) { return meta.is_object() && !meta.contains(key); }

bool has_no_client_info(const json& call) {
  const json meta = at(call, kMeta);
  return meta.is_object() && meta.contains(kVersion) && meta.size() == 2 &&
         meta.contains(kCapabilities);
}

Behaviour served_still(std::string method) {
  return serve_call(std::move(method), {{"resultType", "complete"}});
}

/// The client that asked first is taken for every other.
bool is_of_another_client(const json& call) {
  return at(call, "/params/_meta/io.modelcontextprotocol~1clientInfo/name") == "another";
}

/// As after a handshake: tools are listed to who has asked what there is.
Mutation listing_once_discovered() {
  return [] {
    const auto discovered = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == "server/discover") *discovered = true;
      Reply reply = proper();
      if (call["method"] != "tools/list" || !reply || *discovered) return reply;
      return json::parse(*reply).contains("result") ? Reply(failure_for(call, -32603)) : reply;
    });
  };
}

/// A list of one page, which is shorter then.
Mutation fewer_once_discovered(std::string method, std::string list) {
  return [method = std::move(method), list = std::move(list)] {
    const auto discovered = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == "server/discover") *discovered = true;
      Reply reply = proper();
      if (call["method"] != method || !reply) return reply;
      json response = json::parse(*reply);
      if (!response.contains("result")) return reply;
      response["result"].erase("nextCursor");
      if (*discovered) response["result"][list].erase(response["result"][list].begin());
      return response.dump();
    });
  };
}

/// Every other time from behind.
Mutation shuffling(const std::string& method, const std::string& list) {
  return [method, list] {
    const auto turned = std::make_shared<std::atomic<bool>>(false);
    return edit_result(method, [=](json& result) {
      json& items = result[list];
      if (items.is_array() && turned->exchange(!*turned)) std::reverse(items.begin(), items.end());
    });
  };
}

bool asks_for_unknown_level(const json& call) {
  return at(call, "/params/_meta/io.modelcontextprotocol~1logLevel") == "jrpcheck";
}

bool knows_no_tasks(const json& call) {
  return at(call, "/params/_meta/io.modelcontextprotocol~1clientCapabilities/extensions").is_null();
}

Behaviour without(const char* method, const char* name) {
  return edit_result(method, leaving_out(name));
}

Behaviour with_extensions(json extensions) {
  return edit_result("server/discover", [extensions](json& result) {
    result["capabilities"]["extensions"] = extensions;
  });
}

/// Tools ask for more before they do anything.
Behaviour asking_for_input(std::string name, json value) {
  return edit_result("tools/call", [name, value](json& result) {
    result["resultType"] = "input_required";
    result[name] = value;
  });
}

}  // namespace

std::span<const Mutant> mcp_stateless_faults() {
  static const Mutant all[] = {
      {"mcp-discover-without-versions", breaks("mcp-st-discover"), kLines,
       "server/discover names no version.", without("server/discover", "supportedVersions")},
      {"mcp-version-unnamed", breaks("mcp-st-discover-lists"), kLines,
       "server/discover names another version than the one that is served.",
       edit_result("server/discover", setting("supportedVersions", json::array({kNovember})))},
      {"mcp-lists-once-discovered", breaks("mcp-st-no-prior").perhaps("mcp-tool-list"), kLines,
       "Tools are listed only once server/discover was called.", listing_once_discovered()},
      {"mcp-extension-unprefixed", breaks("mcp-st-ext-id"), kLines,
       "The name of an extension has no prefix.", with_extensions({{"tasks", json::object()}})},
      {"mcp-extension-true", breaks("mcp-st-ext-id"), kLines,
       "An extension is true in place of an object.", with_extensions({{"example.com/a", true}})},
      {"mcp-scope-of-later-pages", breaks("mcp-cache-pages"), kLines,
       "The pages of a list differ in their cacheScope.",
       edit_response("tools/list",
                     [](const json& call, json& response) {
                       const bool is_later = at(call, "/params/cursor").is_string();
                       if (is_later && response.contains("result"))
                         response["result"]["cacheScope"] = "private";
                     })},
      {"mcp-header-of-number", breaks("mcp-hdr-annotation"), kLines,
       "An x-mcp-header stands at a number.",
       tool_with_properties({{"what", {{"type", "number"}, {kMirrored, "What"}}}})},
      {"mcp-header-spaced", breaks("mcp-hdr-annotation"), kLines, "An x-mcp-header has a space.",
       tool_with_properties({{"what", {{"type", "string"}, {kMirrored, "my what"}}}})},
      {"mcp-header-twice", breaks("mcp-hdr-annotation"), kLines,
       "Two x-mcp-header differ in capitals alone.",
       tool_with_properties({{"one", {{"type", "string"}, {kMirrored, "What"}}},
                             {"other", {{"type", "boolean"}, {kMirrored, "what"}}}})},
      {"mcp-header-in-items", breaks("mcp-hdr-annotation"), kLines,
       "An x-mcp-header stands at the items of a list.",
       tool_with_properties(
           {{"what", {{"type", "array"}, {"items", {{"type", "string"}, {kMirrored, "What"}}}}}})},
      {"mcp-tools-fewer-once-discovered", breaks("mcp-tool-list-constant"), kLines,
       "There are fewer tools once server/discover was called.",
       fewer_once_discovered("tools/list", "tools")},
      {"mcp-tools-shuffled", breaks("mcp-tool-order"), kLines,
       "Tools are listed from behind every other time.", shuffling("tools/list", "tools")},
      {"mcp-log-level-unread", breaks("mcp-log-bad-level-4").perhaps("mcp-st-server-info"), kLines,
       "A level of log messages that does not exist is served.",
       serve_call("server/discover", asks_for_unknown_level,
                  {{"resultType", "complete"},
                   {"supportedVersions", json::array({kJuly})},
                   {"capabilities", json::object()},
                   {"ttlMs", 0},
                   {"cacheScope", "public"}})},
      {"mcp-cancels-no-subscription", breaks("mcp-cancel-server"), kLines,
       "The server cancels what is no subscription.",
       say_before("tools/call",
                  {own_notification("notifications/cancelled", R"({"requestId":"nobody"})")})},
      {"mcp-resources-fewer-once-discovered", breaks("mcp-res-list-constant"), kLines,
       "There are fewer resources once server/discover was called.",
       fewer_once_discovered("resources/list", "resources")},
      {"mcp-prompts-fewer-once-discovered", breaks("mcp-prompt-list-constant"), kLines,
       "There are fewer prompts once server/discover was called.",
       fewer_once_discovered("prompts/list", "prompts")},
      {"mcp-meta-not-needed", breaks("mcp-st-meta-none"), kLines,
       "A request without _meta is served.", mended(is_absent)},
      {"mcp-meta-absent-as-before", breaks("mcp-st-meta-none"), kLines,
       "A request without _meta is served as by earlier versions.", served_as_before()},
      {"mcp-version-not-needed", breaks("mcp-st-meta-version"), kLines,
       "A request without a version is served.",
       mended([](const json& meta) { return lacks(meta, kVersion); })},
      {"mcp-capabilities-not-needed", breaks("mcp-st-meta-caps"), kLines,
       "A request without capabilities is served.",
       mended([](const json& meta) { return lacks(meta, kCapabilities); })},
      {"mcp-version-of-any-type", breaks("mcp-st-meta-type"), kLines,
       "A version that is a number is served.", mended([](const json& meta) {
         return meta.is_object() && meta.contains(kVersion) && meta[kVersion].is_number();
       })},
      {"mcp-client-info-demanded",
       breaks("mcp-st-clientinfo-optional")
           .perhaps("mcp-st-interleave", "mcp-meta-ignored", "mcp-st-version-unsupported"),
       kLines, "A request without clientInfo is refused.",
       refuse_call("", has_no_client_info, -32602)},
      {"mcp-any-version-served",
       breaks("mcp-st-version-unsupported").perhaps("mcp-st-discover-lists"), kLines,
       "A version that it does not have is served.", mended([](const json& meta) {
         return meta.is_object() && meta.contains(kVersion) && meta[kVersion] == "1999-01-01";
       })},
      {"mcp-ping-still-served", breaks("mcp-st-removed").perhaps("mcp-st-server-info"), kLines,
       "ping is still served.", served_still("ping")},
      {"mcp-set-level-still-served", breaks("mcp-st-removed").perhaps("mcp-st-server-info"), kLines,
       "logging/setLevel is still served.", served_still("logging/setLevel")},
      {"mcp-subscribe-still-served", breaks("mcp-st-removed").perhaps("mcp-st-server-info"), kLines,
       "resources/subscribe is still served.", served_still("resources/subscribe")},
      {"mcp-unsubscribe-still-served", breaks("mcp-st-removed").perhaps("mcp-st-server-info"),
       kLines, "resources/unsubscribe is still served.", served_still("resources/unsubscribe")},
      {"mcp-tasks-still-listed", breaks("mcp-st-removed").perhaps("mcp-st-server-info"), kLines,
       "tasks/list is still served.",
       serve_call("tasks/list", {{"tasks", json::array()}, {"resultType", "complete"}})},
      {"mcp-task-result-still-given", breaks("mcp-xtask-removed", "mcp-st-removed"), kLines,
       "tasks/result is still known, and of nobody's task.", refuse_call("tasks/result", -32602)},
      {"mcp-tasks-for-all", breaks("mcp-xtask-methods-undeclared"), kLines,
       "Tasks are looked for, whatever the client has declared.",
       refuse_call("tasks/cancel", knows_no_tasks, -32602)},
      {"mcp-unknown-task-gone", breaks("mcp-xtask-unknown"), kLines,
       "A task that nobody has made is refused with another code.",
       refuse_call(
           "tasks/get", [](const json& call) { return !knows_no_tasks(call); }, -32603)},
      {"mcp-task-made-as-before", breaks("mcp-xtask-param-ignored"), kLines,
       "A call that asks for one gets a task as of the older era.",
       edit_response("tools/call",
                     [](const json& call, json& response) {
                       const bool is_asked = at(call, "/params/task").is_object();
                       if (is_asked && response.contains("result"))
                         response["result"]["task"] = {{"taskId", "1"}};
                     })},
      {"mcp-one-client-only", breaks("mcp-st-interleave"), kLines,
       "Another client is refused on the same connection.",
       refuse_call("", is_of_another_client, -32602)},
      {"mcp-result-type-missing",
       breaks("mcp-st-result-type")
           .perhaps("mcp-st-discover", "mcp-tool-list", "mcp-res-list", "mcp-res-templates",
                    "mcp-prompt-list", "mcp-msg-schema", "mcp-msg-result-object", "mcp-compl-shape",
                    "mcp-prompt-get", "mcp-res-read", "mcp-tool-result"),
       kLines, "Results have no resultType.", without("", "resultType")},
      {"mcp-result-type-number", breaks("mcp-st-result-type"), kLines,
       "The resultType of a list is a number.",
       edit_result("tools/list", setting("resultType", 1))},
      {"mcp-ttl-negative", breaks("mcp-cache-ttl"), kLines, "ttlMs is negative.",
       edit_result("tools/list", setting("ttlMs", -1))},
      {"mcp-scope-unknown", breaks("mcp-cache-scope"), kLines,
       "cacheScope is neither public nor private.",
       edit_result("tools/list", setting("cacheScope", "shared"))},
      {"mcp-server-info-nowhere", breaks("mcp-st-server-info"), kLines,
       "Results do not say which server gave them.", without("", "_meta")},
      {"mcp-server-asks", breaks("mcp-st-no-requests"), kLines,
       "The server asks something of its own.",
       say_before("tools/call", {R"({"jsonrpc":"2.0","id":"own-#","method":"ping"})"})},
      {"mcp-logs-unasked", breaks("mcp-log-unasked"), kLines,
       "Log messages come that no request asked for.",
       say_before(
           "tools/call",
           {R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})"})},
      {"mcp-unknown-resource-as-before", breaks("mcp-st-code-retired", "mcp-res-unknown-4"), kLines,
       "An unknown resource is refused with -32002.",
       edit_error("resources/read", setting("code", -32002))},
      {"mcp-unknown-resource-empty-still", breaks("mcp-res-unknown-empty"), kLines,
       "An unknown resource is empty.",
       on_call("resources/read",
               [](const json& call, const ProperCall& proper) -> Reply {
                 Reply reply = proper();
                 const json uri = at(call, "/params/uri");
                 const bool failed = reply && uri.is_string() &&
                                     json::parse(*reply).contains("error") &&
                                     uri.get<std::string>().starts_with("jrpcheck:");
                 return failed ? Reply(success_for(call, {{"resultType", "complete"},
                                                          {"ttlMs", 0},
                                                          {"cacheScope", "public"},
                                                          {"contents", json::array()},
                                                          {"_meta",
                                                           {{"io.modelcontextprotocol/serverInfo",
                                                             {{"name", "a"}, {"version", "1"}}}}}}))
                               : reply;
               })},
      {"mcp-code-undefined",
       breaks("mcp-st-code-reserved").perhaps("mcp-tool-unknown", "mcp-tool-no-name"), kLines,
       "An error has a code that is reserved and not defined.",
       edit_error("tools/call", setting("code", -32050))},
      {"mcp-input-asked-by-list", breaks("mcp-mrtr-where"), kLines,
       "tools/list is answered with input_required.",
       edit_result("tools/list", setting("resultType", "input_required"))},
      {"mcp-input-for-nothing", breaks("mcp-mrtr-something"), kLines,
       "input_required says neither what nor with which state.",
       edit_result("tools/call", setting("resultType", "input_required"))},
      {"mcp-input-of-no-kind", breaks("mcp-mrtr-kinds"), kLines,
       "What is asked for is no kind of input.",
       asking_for_input("inputRequests", {{"first", {{"method", "ping"}}}})},
      {"mcp-state-number", breaks("mcp-mrtr-state-string"), kLines, "requestState is a number.",
       asking_for_input("requestState", 7)},
      {"mcp-discover-string-id-lost", breaks("mcp-msg-id-echo"), kLines,
       "A String id of server/discover comes back as null.", string_id_lost("server/discover")},
      {"mcp-meta-refused-still", breaks("mcp-meta-ignored"), kLines,
       "A key of _meta that is not known makes a call fail.",
       refuse_call(
           "", [](const json& call) { return at(call, kMeta).contains("example.com/jrpcheck"); },
           -32602)},
  };
  return all;
}

}  // namespace jrpcheck::reference
