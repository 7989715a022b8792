// Odd behaviours of a language server that no rule forbids.
#include <atomic>
#include <memory>

#include "reference-impl/mutants/lsp_mutants.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

bool lsp_client_can(const json& call, const std::string& capability) {
  return !at(call, "/params/capabilities/" + capability).is_null();
}

/// Asks what the client has declared, once initialize is answered.
Behaviour asking_within(const std::string& capability, const std::string& message) {
  return on_call("initialize", [=](const json& call, const auto& proper) -> Reply {
    Reply reply = proper();
    if (!reply || !lsp_client_can(call, capability)) return reply;
    return Reply::several({*reply, message});
  });
}

/// Asks for several settings, and gives up where it does not get as many.
Behaviour counting_on_settings() {
  const Behaviour asking =
      asking_within("workspace/configuration",
                    R"({"jsonrpc":"2.0","id":"settings","method":"workspace/configuration",)"
                    R"("params":{"items":[{"section":"a"},{"section":"b"},{"section":"c"}]}})");
  return {.reply = [asking](std::string_view message, const ProperReply& proper) -> Reply {
    const auto said = json::parse(message, nullptr, false);
    const bool is_answer =
        said.is_object() && !said.contains("method") && at(said, "/id") == "settings";
    if (is_answer && at(said, "/result").size() != 3) throw Catastrophe{};
    return asking.reply(message, proper);
  }};
}

/// Asks the client for files when it is asked for symbols, and hands on how that is refused.
Behaviour handing_on_refusals() {
  static const std::string asked = "files for ";
  const Behaviour asking =
      on_call("workspace/symbol", [](const json& call, const auto& proper) -> Reply {
        if (!call.contains("id")) return proper();
        return own_request("files/find", "{}", json(asked + call["id"].dump()).dump());
      });
  return {.reply = [asking](std::string_view message, const ProperReply& proper) -> Reply {
    const auto said = json::parse(message, nullptr, false);
    const bool is_answer = said.is_object() && !said.contains("method");
    const json id = is_answer ? at(said, "/id") : json();
    if (!id.is_string() || !id.get<std::string>().starts_with(asked)) {
      return asking.reply(message, proper);
    }
    const json call = {{"id", json::parse(id.get<std::string>().substr(asked.size()))}};
    const json code = at(said, "/error/code");
    return failure_for(call, code.is_number_integer() ? code.get<int>() : -32603);
  }};
}

Behaviour progressing_as_it_should() {
  return on_call([](const json& call, const auto& proper) -> Reply {
    const json token = at(call, "/params/workDoneToken");
    Reply reply = proper();
    if (!reply || token.is_null()) return reply;
    const auto report = [&](const std::string& value) {
      return own_notification("$/progress",
                              R"({"token":)" + token.dump() + R"(,"value":)" + value + "}");
    };
    return Reply::several({report(R"({"kind":"begin","title":"Work","percentage":0})"),
                           report(R"({"kind":"report","percentage":50})"),
                           report(R"({"kind":"report","message":"still"})"),
                           report(R"({"kind":"end"})"),
                           report(R"({"kind":"begin","title":"More work","percentage":0})"),
                           report(R"({"kind":"end"})"), *reply});
  });
}

Behaviour tracing_when_asked() {
  return on_call("$/setTrace", [](const json& call, const auto& proper) -> Reply {
    const json value = at(call, "/params/value");
    if (value == "off" || value.is_null()) return proper();
    return own_notification("$/logTrace", value == "verbose" ? R"({"message":"a","verbose":"b"})"
                                                             : R"({"message":"a"})");
  });
}

Mutation registering_when_ready() {
  return [] {
    const auto may = std::make_shared<std::atomic<bool>>(false);
    return on_call([may](const json& call, const auto& proper) -> Reply {
      if (call["method"] == "initialize") {
        *may = lsp_client_can(call, "workspace/didChangeWatchedFiles/dynamicRegistration");
      }
      if (call["method"] != "initialized" || !*may) return proper();
      return R"({"jsonrpc":"2.0","id":2,"method":"client/registerCapability","params":)"
             R"({"registrations":[{"id":"w","method":"workspace/didChangeWatchedFiles"}]}})";
    });
  };
}

}  // namespace

std::span<const Mutant> lsp_legal_variants() {
  static const Mutant all[] = {
      {"lsp-logs", kLegal, kContentLength, "A log message comes before every answer.",
       on_call([](const json& call, const auto& proper) -> Reply {
         Reply reply = proper();
         if (!call.contains("id") || !reply) return reply;
         return Reply::several(
             {own_notification("window/logMessage", R"({"type":4,"message":"called"})"), *reply});
       })},
      {"lsp-shows-messages", kLegal, kContentLength,
       "Messages are shown, and asked about, before initialize is answered.",
       say_before("initialize",
                  {own_notification("window/showMessage", R"({"type":2,"message":"wait"})"),
                   R"({"jsonrpc":"2.0","id":"own-#","method":"window/showMessageRequest",)"
                   R"("params":{"type":3,"message":"go on?","actions":[{"title":"yes"}]}})"})},
      {"lsp-telemetry", kLegal, kContentLength, "Telemetry comes before initialize is answered.",
       say_before("initialize", {own_notification("telemetry/event", R"({"started":true})")})},
      {"lsp-more-members", kLegal, kContentLength, "Results have members of the server's own.",
       edit_result("initialize",
                   [](json& each) {
                     each["own"] = 1;
                     each["capabilities"]["ownProvider"] = {{"a", 1}};
                     each["capabilities"]["experimental"] = {{"b", 2}};
                   })},
      {"lsp-declares-nothing", kLegal, kContentLength, "No capability is declared.",
       edit_result("initialize", setting("capabilities", json::object()))},
      {"lsp-anonymous", kLegal, kContentLength, "The server does not say who it is.",
       edit_result("initialize", leaving_out("serverInfo"))},
      {"lsp-encoding-told", kLegal, kContentLength, "Positions are counted as is usual, and told.",
       edit_result("initialize",
                   [](json& each) { each["capabilities"]["positionEncoding"] = "utf-16"; })},
      {"lsp-progress", kLegal, kContentLength, "Work is told of under the tokens that are given.",
       progressing_as_it_should()},
      {"lsp-traces-when-asked", kLegal, kContentLength, "Traces come where they are asked for.",
       tracing_when_asked()},
      {"lsp-asks-what-is-declared", kLegal, kContentLength,
       "Configuration is asked of a client that has declared it.",
       asking_within("workspace/configuration",
                     R"({"jsonrpc":"2.0","id":1,"method":"workspace/configuration",)"
                     R"("params":{"items":[{"section":"a"}]}})")},
      {"lsp-counts-on-settings", kLegal, kContentLength,
       "Three settings are asked of a client that has declared that, and are counted on.",
       counting_on_settings()},
      {"lsp-creates-what-is-declared", kLegal, kContentLength,
       "Progress is created where the client has declared it, and dropped when it is refused.",
       asking_within("window/workDoneProgress",
                     R"({"jsonrpc":"2.0","id":"p","method":"window/workDoneProgress/create",)"
                     R"("params":{"token":5}})")},
      {"lsp-registers-what-is-declared", kLegal, kContentLength,
       "Watching files is registered where the client has declared it, once it is ready.",
       registering_when_ready()},
      {"lsp-registers-at-once", kLegal, kContentLength,
       "What the client has declared is registered before it says initialized.",
       asking_within(
           "workspace/didChangeConfiguration/dynamicRegistration",
           R"({"jsonrpc":"2.0","id":"r","method":"client/registerCapability","params":)"
           R"({"registrations":[{"id":"c","method":"workspace/didChangeConfiguration"}]}})")},
      {"lsp-code-of-json-rpc", kLegal, kContentLength,
       "A document that is not there is refused with a code that JSON-RPC leaves to servers.",
       refuse_call("textDocument/definition", -32050)},
      {"lsp-second-initialize-served", kLegal, kContentLength, "initialize is served twice.",
       forgive_call("initialize", {{"capabilities", json::object()}})},
      {"lsp-error-data", kLegal, kContentLength, "Errors have data.",
       edit_error("", setting("data", {{"retry", false}}))},
      {"lsp-needs-project", kLegal, kContentLength,
       "Symbols are refused with -32803, RequestFailed, where no project is open.",
       refuse_call("workspace/symbol", -32803)},
      {"lsp-hands-on-refusals", kLegal, kContentLength,
       "Symbols take files of the client, and are refused as those are.", handing_on_refusals()},
      {"lsp-hovers", kLegal, kContentLength, "There is something to tell of every document.",
       edit_result("textDocument/hover",
                   [](json& result) {
                     result = {{"contents", {{"kind", "markdown"}, {"value", "é 鍵"}}}};
                   })},
      {"lsp-results-in-parts", kLegal, kContentLength, "Results are sent in parts.",
       on_call("workspace/symbol",
               [](const json& call, const auto& proper) -> Reply {
                 const json token = at(call, "/params/partialResultToken");
                 Reply reply = proper();
                 if (!reply || token.is_null()) return reply;
                 return Reply::several(
                     {own_notification("$/progress",
                                       R"({"token":)" + token.dump() + R"(,"value":[]})"),
                      *reply});
               })},
  };
  return all;
}

}  // namespace jrpcheck::reference
