// Defects of an MCP server in what it makes of calls.
#include <atomic>
#include <memory>

#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

bool is_call(const json& call) { return call.contains("id"); }

Behaviour notification_answered(bool of_cancellation) {
  return on_call([of_cancellation](const json& call, const ProperCall& proper) -> Reply {
    const bool is_cancellation = call["method"] == "notifications/cancelled";
    const bool is_opening = call["method"] == "notifications/initialized";
    if (is_call(call) || is_opening || is_cancellation != of_cancellation) return proper();
    return R"({"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":"Refused"}})";
  });
}

/// A cancellation of something that exists ends the process.
Behaviour dying_of_cancellation() {
  return on_call("notifications/cancelled",
                 [](const json& call, const ProperCall& proper) -> Reply {
                   if (at(call, "/params/requestId").is_number()) throw Catastrophe{};
                   return proper();
                 });
}

Behaviour large_id_rounded() {
  return edit_response([](const json& call, json& response) {
    constexpr long long kEdge = 9007199254740991;
    if (is_call(call) && call["id"] == kEdge) response["id"] = kEdge - 1;
  });
}

/// Says that it speaks whatever version it is asked for.
Behaviour version_echoed() {
  return edit_response("initialize", [](const json& call, json& response) {
    if (!response.contains("result")) return;
    response["result"]["protocolVersion"] = at(call, "/params/protocolVersion");
  });
}

/// Answers one of its versions with another.
Behaviour version_not_echoed(std::string other) {
  return edit_result("initialize", setting("protocolVersion", std::move(other)));
}

Behaviour unknown_version_offers(std::string other) {
  return edit_response("initialize", [other](const json& call, json& response) {
    const bool is_unknown = at(call, "/params/protocolVersion") == "1999-01-01";
    if (is_unknown && response.contains("result")) response["result"]["protocolVersion"] = other;
  });
}

/// What a call without a member is answered by.
Behaviour served_without(std::string method, std::string pointer, json result) {
  return serve_call(
      std::move(method), [pointer](const json& call) { return at(call, pointer).is_null(); },
      std::move(result));
}

/// Before initialize this happens to calls of the method.
Mutation before_initialize(const std::string& method, bool dies) {
  return [method, dies] {
    const auto initialized = std::make_shared<std::atomic<bool>>(false);
    return on_call([=](const json& call, const ProperCall& proper) -> Reply {
      if (call["method"] == "initialize") *initialized = true;
      if (*initialized || call["method"] != method) return proper();
      if (dies) throw Catastrophe{};
      return failure_for(call, -32600);
    });
  };
}

Mutation dying_of_second_initialize() {
  return [] {
    const auto initialized = std::make_shared<std::atomic<bool>>(false);
    return on_call("initialize", [=](const json&, const ProperCall& proper) -> Reply {
      if (initialized->exchange(true)) throw Catastrophe{};
      return proper();
    });
  };
}

/// The capability is served and not declared.
Behaviour undeclared(std::string capability) {
  return edit_result("initialize",
                     [capability](json& result) { result["capabilities"].erase(capability); });
}

const json kText = {{"content", {{{"type", "text"}, {"text", "fine"}}}}};
const json kOneValue = {{"completion", {{"values", {"Ada"}}}}};
const json kNoValues = {{"completion", {{"values", json::array()}}}};
const json kNoContents = {{"contents", json::array()}};
const json kNoMessages = {{"messages", json::array()}};

Behaviour arguments_unchecked() {
  return serve_call(
      "tools/call",
      [](const json& call) {
        const json name = at(call, "/params/name");
        return name == "echo" || name == "add";
      },
      kText);
}

const json kTask = {{"taskId", "1"},
                    {"status", "working"},
                    {"createdAt", "2026-01-01T00:00:00Z"},
                    {"lastUpdatedAt", "2026-01-01T00:00:00Z"},
                    {"ttl", 60000}};

/// Tasks are declared; what calls about them are answered is the other's affair.
Behaviour with_tasks(json capability, const Behaviour& served) {
  return nested(edit_result("initialize",
                            [capability = std::move(capability)](json& result) {
                              result["capabilities"]["tasks"] = capability;
                            }),
                served);
}

Behaviour climbing_paths() {
  return on_call("resources/read", [](const json& call, const ProperCall& proper) -> Reply {
    const json uri = at(call, "/params/uri");
    if (!uri.is_string() || !uri.get<std::string>().starts_with("file:///..")) return proper();
    return success_for(call, {{"contents", {{{"uri", uri}, {"text", "root:x:0:0"}}}}});
  });
}

Behaviour batches_refused() {
  return {.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
    if (!message.starts_with("[")) return proper(message);
    return R"({"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Refused"}})";
  }};
}

}  // namespace

std::span<const McpMutant> mcp_call_faults() {
  static const McpMutant all[] = {
      {{"mcp-ping-unknown", breaks("mcp-ping").perhaps("mcp-ping-early", "mcp-cancel-silent"),
        kLines, "ping is an unknown method.", refuse_call("ping", -32601)}},
      {{"mcp-result-array", breaks("mcp-msg-result-object").perhaps("mcp-ping"), kLines,
        "The result of ping is an Array.",
        edit_result("ping", [](json& result) { result = json::array(); })}},
      {{"mcp-string-id-lost", breaks("mcp-msg-id-echo"), kLines,
        "A String id of ping comes back as null.", string_id_lost("ping")}},
      {{"mcp-large-id-rounded", breaks("mcp-msg-id-echo"), kLines,
        "The largest id comes back as another.", large_id_rounded()}},
      {{"mcp-unknown-method-as-params", breaks("mcp-msg-unknown-method").perhaps("err-code-method"),
        kLines, "An unknown method is refused with -32602.",
        error(-32601,
              [](ObjectText& each) {
                each.set("error", R"({"code":-32602,"message":"Refused"})");
              })}},
      {{"mcp-error-code-text",
        breaks("mcp-msg-error-code")
            .perhaps("err-code-integer", "mcp-prompt-unknown", "mcp-prompt-missing-args"),
        kLines, "The code of an error is a text.",
        edit_error("prompts/get", setting("code", "-32602"))}},
      {{"mcp-error-message-number", breaks("mcp-msg-error-message").perhaps("err-message-string"),
        kLines, "The message of an error is a number.",
        edit_error("prompts/get", setting("message", 7))}},
      {{"mcp-error-id-lost",
        breaks("mcp-msg-error-id").perhaps_any_of("id-", "err-", "res-", "mcp-msg-"), kLines,
        "An unknown method is refused under the id null.",
        edit_response([](const json& call, json& response) {
          if (is_call(call) && at(response, "/error/code") == -32601) response["id"] = nullptr;
        })},
       {kJune}},
      {{"mcp-notification-answered", breaks("mcp-msg-notification-silent"), kLines,
        "Notifications are answered with an error.", notification_answered(false)}},
      {{"mcp-meta-refused", breaks("mcp-meta-ignored"), kLines,
        "A key of _meta that is not known makes a call fail.",
        refuse_call(
            "",
            [](const json& call) {
              return at(call, "/params/_meta").contains("example.com/jrpcheck");
            },
            -32602)}},
      {{"mcp-cancellation-answered",
        breaks("mcp-cancel-unknown", "mcp-cancel-done", "mcp-cancel-malformed")
            .perhaps("mcp-msg-notification-silent"),
        kLines, "A cancellation is answered with an error.", notification_answered(true)}},
      {{"mcp-cancellation-kills", breaks("rob-survives"), kLines,
        "The cancellation of a request ends the process.", dying_of_cancellation()}},
      {{"mcp-version-echoed", breaks("mcp-init-version-other", "mcp-init-version-2026"), kLines,
        "Whatever version is asked for is agreed to.", version_echoed()}},
      {{"mcp-unknown-version-offers-oldest", breaks("mcp-init-version-latest"), kLines,
        "A version that nobody has is answered with the oldest, and not with the newest.",
        unknown_version_offers("2025-03-26")}},
      {{"mcp-unknown-version-offers-june", breaks("mcp-init-version-latest"), kLines,
        "A version that nobody has is answered with the one before the newest.",
        unknown_version_offers("2025-06-18")}},
      {{"mcp-november-not-echoed",
        breaks("mcp-init-version-echo").perhaps("mcp-init-version-latest"), kLines,
        "2025-11-25 is answered with another version.", version_not_echoed("2025-06-18")}},
      {{"mcp-june-not-echoed", breaks("mcp-init-version-echo").perhaps("mcp-init-version-latest"),
        kLines, "2025-06-18 is answered with another version.", version_not_echoed("2025-03-26")},
       {kJune}},
      {{"mcp-march-not-echoed", breaks("mcp-init-version-echo").perhaps("mcp-init-version-latest"),
        kLines, "2025-03-26 is answered with another version.", version_not_echoed("2024-11-05")},
       {kMarch}},
      {{"mcp-version-assumed", breaks("mcp-init-params"), kLines,
        "initialize without a version is served.",
        served_without("initialize", "/params/protocolVersion",
                       {{"protocolVersion", "2025-11-25"},
                        {"capabilities", json::object()},
                        {"serverInfo", {{"name", "a"}, {"version", "1"}}}})}},
      {{"mcp-early-request-kills", breaks("rob-survives"), kLines,
        "A request before initialize ends the process.", before_initialize("tools/list", true)}},
      {{"mcp-early-ping-refused", breaks("mcp-ping-early"), kLines,
        "ping is refused before initialize.", before_initialize("ping", false)}},
      {{"mcp-second-initialize-kills", breaks("rob-survives"), kLines,
        "A second initialize ends the process.", dying_of_second_initialize()}},
      {{"mcp-ready-refused", breaks("mcp-msg-notification-silent"), kLines,
        "notifications/initialized is answered by an error with id null.",
        on_call("notifications/initialized",
                [](const json&, const ProperCall&) -> Reply {
                  return failure_for({{"id", nullptr}}, -32601);
                })}},
      {{"mcp-capabilities-feared", breaks("mcp-init-result"), kLines,
        "A client that declares elicitation is refused.",
        refuse_call(
            "initialize",
            [](const json& call) {
              return at(call, "/params/capabilities").contains("elicitation");
            },
            -32602)}},
      {{"mcp-runs-on", breaks("mcp-shutdown-eof"), kLines,
        "The process goes on when its input has ended.",
        Behaviour{.end_of_stream = [] { throw Catastrophe{Catastrophe::Manner::hang}; }}}},
      {{"mcp-runs-on-still", breaks("mcp-shutdown-eof-4"), kLines,
        "The process goes on when its input has ended.",
        Behaviour{.end_of_stream = [] { throw Catastrophe{Catastrophe::Manner::hang}; }}},
       {kJuly}},
      {{"mcp-tools-unknown", breaks("mcp-init-caps-kept", "mcp-tool-list"), kLines,
        "tools/list is unknown, though declared.", refuse_call("tools/list", -32601)}},
      {{"mcp-prompts-unknown", breaks("mcp-init-caps-kept", "mcp-prompt-list"), kLines,
        "prompts/list is unknown, though declared.", refuse_call("prompts/list", -32601)}},
      {{"mcp-resources-unknown", breaks("mcp-init-caps-kept", "mcp-res-list"), kLines,
        "resources/list is unknown, though declared.", refuse_call("resources/list", -32601)}},
      {{"mcp-tools-fail", breaks("mcp-tool-list"), kLines, "tools/list fails, whatever it says.",
        refuse_call("tools/list", -32603)}},
      {{"mcp-templates-fail", breaks("mcp-res-templates"), kLines,
        "resources/templates/list fails.", refuse_call("resources/templates/list", -32603)}},
      {{"mcp-tools-undeclared", breaks("mcp-init-caps-undeclared"), kLines,
        "Tools are served and not declared.", undeclared("tools")}},
      {{"mcp-prompts-undeclared", breaks("mcp-init-caps-undeclared"), kLines,
        "Prompts are served and not declared.", undeclared("prompts")}},
      {{"mcp-resources-undeclared", breaks("mcp-init-caps-undeclared"), kLines,
        "Resources are served and not declared.", undeclared("resources")}},
      {{"mcp-completes-undeclared", breaks("mcp-compl-declared"), kLines,
        "Completions are given and not declared.",
        nested(forgive_call("completion/complete", kOneValue), undeclared("completions"))}},
      {{"mcp-completes-with-nothing", breaks("mcp-compl-shape"), kLines,
        "What completes, undeclared, holds no completion.",
        nested(forgive_call("completion/complete", json::object()), undeclared("completions"))}},
      {{"mcp-cursor-ignored", breaks("mcp-page-bad"), kLines,
        "A cursor that it has not given is taken for none.",
        on_call([](const json& call, const ProperCall& proper) -> Reply {
          const json cursor = at(call, "/params/cursor");
          if (!cursor.is_string() || cursor.get<std::string>().starts_with("page-"))
            return proper();
          const std::string method = call["method"];
          return success_for(call, {{method.substr(0, method.find('/')), json::array()}});
        })}},
      {{"mcp-cursor-refused", breaks("mcp-page-walk"), kLines,
        "A cursor that it has given is refused.",
        on_call([](const json& call, const ProperCall& proper) -> Reply {
          const json cursor = at(call, "/params/cursor");
          if (!cursor.is_string() || !cursor.get<std::string>().starts_with("page-"))
            return proper();
          return failure_for(call, -32602);
        })}},
      {{"mcp-unknown-tool-served", breaks("mcp-tool-unknown").perhaps("mcp-tool-no-name"), kLines,
        "An unknown tool succeeds.", forgive_call("tools/call", kText)}},
      {{"mcp-nameless-tool-served", breaks("mcp-tool-no-name"), kLines,
        "A call without a tool succeeds.", served_without("tools/call", "/params/name", kText)}},
      {{"mcp-arguments-unchecked", breaks("mcp-tool-validates").perhaps("mcp-tool-structured"),
        kLines, "Wrong arguments are no failure.", arguments_unchecked()}},
      {{"mcp-arguments-unchecked-before", breaks("mcp-tool-validates"), kLines,
        "Wrong arguments are no failure.", arguments_unchecked()},
       {kMarch}},
      {{"mcp-listed-resource-unreadable", breaks("mcp-res-read"), kLines,
        "A listed resource cannot be read.",
        refuse_call(
            "resources/read",
            [](const json& call) { return at(call, "/params/uri") == "reference://text"; },
            -32002)}},
      {{"mcp-unknown-resource-empty", breaks("mcp-res-unknown").perhaps("mcp-res-no-uri"), kLines,
        "An unknown resource is empty.", forgive_call("resources/read", kNoContents)}},
      {{"mcp-read-without-uri", breaks("mcp-res-no-uri"), kLines, "A read without a uri succeeds.",
        served_without("resources/read", "/params/uri", kNoContents)}},
      {{"mcp-path-climbs", breaks("mcp-res-traversal"), kLines,
        "A path may climb out of what is served.", climbing_paths()}},
      {{"mcp-subscribe-unknown", breaks("mcp-res-subscribe"), kLines,
        "resources/subscribe is unknown, though declared.",
        refuse_call("resources/subscribe", -32601)}},
      {{"mcp-prompt-fails",
        breaks("mcp-prompt-get").perhaps("mcp-prompt-unknown", "mcp-prompt-missing-args"), kLines,
        "A listed prompt cannot be had.", refuse_call("prompts/get", -32602)}},
      {{"mcp-unknown-prompt-empty", breaks("mcp-prompt-unknown", "mcp-prompt-missing-args"), kLines,
        "An unknown prompt is empty.", forgive_call("prompts/get", kNoMessages)}},
      {{"mcp-unknown-completed", breaks("mcp-compl-unknown", "mcp-compl-missing"), kLines,
        "Whatever is unknown is completed.", forgive_call("completion/complete", kNoValues)}},
      {{"mcp-context-refused", breaks("mcp-compl-context"), kLines,
        "The context of a completion is refused.",
        refuse_call(
            "completion/complete",
            [](const json& call) { return !at(call, "/params/context").is_null(); }, -32602)}},
      {{"mcp-set-level-unknown", breaks("mcp-log-set").perhaps("mcp-log-bad-level"), kLines,
        "logging/setLevel is unknown, though declared.", refuse_call("logging/setLevel", -32601)}},
      {{"mcp-any-level-set", breaks("mcp-log-bad-level"), kLines,
        "A level that does not exist is accepted.",
        forgive_call("logging/setLevel", json::object())}},
      {{"mcp-task-made-undeclared",
        breaks("mcp-task-ignored").perhaps("mcp-tool-result", "mcp-tool-structured"), kLines,
        "A call is made a task, which is not declared.",
        serve_call("tools/call",
                   [](const json& call) { return at(call, "/params/task").is_object(); },
                   {{"task", kTask}})}},
      {{"mcp-tasks-declared-alone", breaks("mcp-task-unknown", "mcp-task-cursor"), kLines,
        "Tasks are declared, and their methods unknown.",
        with_tasks({{"list", json::object()}, {"cancel", json::object()}},
                   refuse_call("tasks/get", -32601))}},
      {{"mcp-unknown-task-working", breaks("mcp-task-unknown"), kLines,
        "A task that nobody has made is said to be at work.",
        with_tasks(json::object(), serve_call("tasks/get", kTask))}},
      {{"mcp-batch-refused", breaks("mcp-batch-receive"), kBatching,
        "A batch is refused, where it is part of the protocol.", batches_refused()},
       {kMarch}},
  };
  return all;
}

}  // namespace jrpcheck::reference
