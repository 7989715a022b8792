// Defects of a language server in what it says on its own account.
#include "reference-impl/mutants/lsp_mutants.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr const char* kInitialized = "initialized";

/// Said as soon as the client is ready.
Behaviour asking(const std::string& method, const std::string& params) {
  return say_behind(kInitialized, {own_request(method, params)});
}

Behaviour telling(const std::string& method, const std::string& params) {
  return say_behind(kInitialized, {own_notification(method, params)});
}

std::string registration(const std::string& method) {
  return R"({"registrations":[{"id":"r","method":")" + method + "\"}]}";
}

/// Values of progress under the token that initialize gives; kAnswer in place of one is the answer.
Behaviour reporting(std::vector<std::string> values) {
  return on_call("initialize", [values](const json& call, const auto& proper) -> Reply {
    const json token = at(call, "/params/workDoneToken");
    Reply reply = proper();
    if (!reply || token.is_null()) return reply;
    std::vector<std::string> all;
    all.reserve(values.size());
    for (const auto& value : values) {
      const std::string params = R"({"token":)" + token.dump() + R"(,"value":)" + value + "}";
      all.push_back(value.empty() ? *reply : own_notification("$/progress", params));
    }
    return Reply::several(all);
  });
}

const std::string kBegin = R"({"kind":"begin","title":"Work"})";
const std::string kReport = R"({"kind":"report"})";
const std::string kEnd = R"({"kind":"end"})";
const std::string kAnswer;

std::string at_percent(const std::string& kind, int percentage) {
  return R"({"kind":")" + kind + R"(","title":"Work","percentage":)" + std::to_string(percentage) +
         "}";
}

std::string created_progress(const std::string& value) {
  return own_notification("$/progress", R"({"token":"t","value":)" + value + "}");
}

/// Does this when the client has answered the creation of progress with `outcome`.
Behaviour once_created(std::string outcome, std::function<Reply()> next) {
  const Behaviour creating = asking("window/workDoneProgress/create", R"({"token":"t"})");
  return {.reply = [=](std::string_view message, const ProperReply& proper) -> Reply {
    const auto said = json::parse(message, nullptr, false);
    const bool is_it = said.is_object() && said.contains(outcome) && !said.contains("method");
    return is_it ? next() : creating.reply(message, proper);
  }};
}

/// Sends all results in parts, and then once more.
Behaviour repeating_results() {
  const std::string symbol =
      R"([{"name":"a","kind":1,"location":{"uri":"file:///a","range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}}}}])";
  return on_call("workspace/symbol", [symbol](const json& call, const auto& proper) -> Reply {
    const json token = at(call, "/params/partialResultToken");
    if (token.is_null()) return proper();
    const std::string params = R"({"token":)" + token.dump() + R"(,"value":)" + symbol + "}";
    return Reply::several(
        {own_notification("$/progress", params), success_for(call, json::parse(symbol))});
  });
}

}  // namespace

std::span<const Mutant> lsp_talk_faults() {
  static const Mutant all[] = {
      {"lsp-charset-utf8-refused",
       breaks("lsp-header-type-utf8-old").perhaps("lsp-header-tolerance"), kContentLength,
       "A Content-Type whose charset is spelled utf8 is not understood.",
       reading_heads([](std::string_view head) { return head.find("charset=utf8") == head.npos; })},
      {"lsp-asks-configuration", breaks("lsp-config-capability"), kContentLength,
       "Configuration is asked of a client that has not declared it.",
       asking("workspace/configuration", R"({"items":[{"section":"a"}]})")},
      {"lsp-asks-folders", breaks("lsp-config-capability"), kContentLength,
       "Folders are asked of a client that has not declared them.",
       say_behind(kInitialized,
                  {R"({"jsonrpc":"2.0","id":"own-#","method":"workspace/workspaceFolders"})"})},
      {"lsp-asks-too-early", breaks("lsp-init-first-output").perhaps("lsp-config-capability"),
       kContentLength, "Configuration is asked before initialize is answered.",
       say_before("initialize", {own_request("workspace/configuration", R"({"items":[]})")})},
      {"lsp-shows-documents", breaks("lsp-show-document-capability"), kContentLength,
       "A document is shown to a client that has not declared that.",
       asking("window/showDocument", R"({"uri":"file:///a"})")},
      {"lsp-refreshes", breaks("lsp-refresh-capability"), kContentLength,
       "A client that has not declared it is asked to refresh.",
       say_behind(kInitialized,
                  {R"({"jsonrpc":"2.0","id":"own-#","method":"workspace/codeLens/refresh"})"})},
      {"lsp-edits", breaks("lsp-apply-edit-capability"), kContentLength,
       "An edit is asked of a client that has not declared it.",
       asking("workspace/applyEdit", R"({"edit":{}})")},
      {"lsp-creates-progress", breaks("lsp-progress-create-capability"), kContentLength,
       "Progress is created where the client has not declared it.",
       asking("window/workDoneProgress/create", R"({"token":"t"})")},
      {"lsp-refused-progress",
       breaks("lsp-progress-create-first").perhaps("lsp-progress-create-capability"),
       kContentLength, "Progress goes on whose creation was refused.",
       once_created("error", [] { return Reply(created_progress(kBegin)); })},
      {"lsp-refused-progress-at-once",
       breaks("lsp-progress-create-first").perhaps("lsp-progress-create-capability"),
       kContentLength, "Progress is created, and begins before the client has answered.",
       say_behind(kInitialized, {own_request("window/workDoneProgress/create", R"({"token":"t"})"),
                                 created_progress(kBegin)})},
      {"lsp-dies-of-refused-progress",
       breaks("rob-survives").perhaps("lsp-progress-create-capability"), kContentLength,
       "That the client creates no progress ends the process.",
       once_created("error", []() -> Reply { throw Catastrophe{}; })},
      {"lsp-created-progress-disordered",
       breaks("lsp-progress-order").perhaps("lsp-progress-create-capability"), kContentLength,
       "Progress that the client has created begins with a report.",
       once_created("result", [] { return Reply(created_progress(kReport)); })},
      {"lsp-created-progress-begins-again",
       breaks("lsp-progress-token-once").perhaps("lsp-progress-create-capability"), kContentLength,
       "Progress that the client has created begins twice.",
       once_created("result",
                    [] {
                      return Reply::several({created_progress(kBegin), created_progress(kEnd),
                                             created_progress(kBegin), created_progress(kEnd)});
                    })},
      {"lsp-registers", breaks("lsp-register-only-dynamic"), kContentLength,
       "Watching files is registered where the client has not declared that.",
       asking("client/registerCapability", registration("workspace/didChangeWatchedFiles"))},
      {"lsp-registers-twice", breaks("lsp-register-not-twice").perhaps("lsp-register-only-dynamic"),
       kContentLength, "What is declared is registered as well.",
       asking("client/registerCapability", registration("textDocument/hover"))},
      {"lsp-registers-documents-twice",
       breaks("lsp-register-not-twice").perhaps("lsp-register-only-dynamic"), kContentLength,
       "Changes of documents are declared by their kind, and registered as well.",
       asking("client/registerCapability", registration("textDocument/didChange"))},
      {"lsp-registers-nameless", breaks("lsp-register-shape"), kContentLength,
       "A registration has no id.",
       asking("client/registerCapability", R"({"registrations":[{"method":"own/method"}]})")},
      {"lsp-unregisters-misspelt", breaks("lsp-unregister-shape"), kContentLength,
       "The list of what is taken back is spelled right, which is wrong.",
       asking("client/unregisterCapability",
              R"({"unregistrations":[{"id":"r","method":"own/method"}]})")},
      {"lsp-own-id-fraction", breaks("lsp-id-own"), kContentLength,
       "The id of a request of the server's own is a fraction.",
       say_behind(kInitialized, {own_request("window/showMessageRequest",
                                             R"({"type":3,"message":"a"})", "1.5")})},
      {"lsp-own-params-text", breaks("lsp-params-structured").perhaps("lsp-telemetry-shape"),
       kContentLength, "The params of a notification are text.",
       telling("telemetry/event", R"("started")")},
      {"lsp-telemetry-number", breaks("lsp-telemetry-shape").perhaps("lsp-params-structured"),
       kContentLength, "The params of telemetry are a number.", telling("telemetry/event", "1")},
      {"lsp-own-batch", breaks("lsp-content-server-no-batch"), kContentLength,
       "The server sends a batch.",
       say_behind(
           kInitialized,
           {"[" + own_notification("window/logMessage", R"({"type":3,"message":"a"})") + "]"})},
      {"lsp-message-type", breaks("lsp-show-message-shape"), kContentLength,
       "A message has a type that does not exist.",
       telling("window/showMessage", R"({"type":9,"message":"a"})")},
      {"lsp-log-without-message", breaks("lsp-show-message-shape"), kContentLength,
       "A log message has no text.", telling("window/logMessage", R"({"type":3})")},
      {"lsp-cancels-another", breaks("lsp-cancel-own"), kContentLength,
       "The server cancels what it has not asked.",
       say_behind("initialize", {own_notification("$/cancelRequest", R"({"id":99})")})},
      {"lsp-traces", breaks("lsp-trace-off"), kContentLength, "Traces come, and the trace is off.",
       telling("$/logTrace", R"({"message":"a"})")},
      {"lsp-traces-verbosely", breaks("lsp-trace-verbose"), kContentLength,
       "A trace of messages alone is verbose.",
       on_call("$/setTrace",
               [](const json& call, const auto& proper) -> Reply {
                 if (at(call, "/params/value") != "messages") return proper();
                 return own_notification("$/logTrace", R"({"message":"a","verbose":"b"})");
               })},
      {"lsp-traces-nothing", breaks("lsp-trace-params").perhaps("lsp-trace-off"), kContentLength,
       "A trace has no message.", telling("$/logTrace", R"({"text":"a"})")},
      {"lsp-token-boolean", breaks("lsp-progress-token-type").perhaps("lsp-progress-known"),
       kContentLength, "The token of progress is true.",
       telling("$/progress", R"({"token":true,"value":)" + kBegin + "}")},
      {"lsp-token-of-nobody", breaks("lsp-progress-known"), kContentLength,
       "There is progress under a token that nobody has given.",
       say_behind("initialize",
                  {own_notification("$/progress", R"({"token":"mine","value":)" + kBegin + "}")})},
      {"lsp-progress-disordered", breaks("lsp-progress-order"), kContentLength,
       "Progress begins with a report.", reporting({kReport, kBegin, kEnd, kAnswer})},
      {"lsp-progress-ends-twice", breaks("lsp-progress-order"), kContentLength,
       "Progress ends twice.", reporting({kBegin, kEnd, kEnd, kAnswer})},
      {"lsp-progress-kind-unknown", breaks("lsp-metamodel"), kContentLength,
       "Progress has a kind that there is not.",
       reporting({kBegin, R"({"kind":"done"})", kEnd, kAnswer})},
      {"lsp-progress-untitled", breaks("lsp-metamodel"), kContentLength,
       "Work begins that has no title.", reporting({R"({"kind":"begin"})", kEnd, kAnswer})},
      {"lsp-progress-late", breaks("lsp-progress-after-answer"), kContentLength,
       "Progress ends after the answer.", reporting({kBegin, kAnswer, kEnd})},
      {"lsp-percentage-falls", breaks("lsp-progress-percentage"), kContentLength,
       "A percentage falls.",
       reporting({at_percent("begin", 50), at_percent("report", 20), kEnd, kAnswer})},
      {"lsp-percentage-of-200", breaks("lsp-progress-percentage"), kContentLength,
       "A percentage is 200.", reporting({at_percent("begin", 200), kEnd, kAnswer})},
      {"lsp-results-twice", breaks("lsp-progress-partial"), kContentLength,
       "Results that were sent in parts are sent again.", repeating_results()},
  };
  return all;
}

}  // namespace jrpcheck::reference
