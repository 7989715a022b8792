// The rules of the Language Server Protocol that no schema can say.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

std::optional<std::string> key_at(const Spoken& spoken, std::string_view pointer) {
  const json::Value* found = spoken.at(pointer);
  return found == nullptr ? std::nullopt : dialogue::id_key(*found);
}

// Neither left out nor false nor null.
bool is_declared(const json::Value* value) {
  if (value == nullptr || value->is(Kind::null)) return false;
  return !value->is(Kind::boolean) || json::write(*value) == "true";
}

// The params of initialize in this conversation; null where it began before.
const json::Value* opening_params(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialize") return each.at("/params");
  }
  return nullptr;
}

// What this client has said that it can do: in this conversation, else in the usual opening, which
// declares nothing.
bool client_can(const RuleCall& call, std::string_view pointer) {
  const json::Value* params = opening_params(call);
  return params != nullptr &&
         is_declared(json::at(*params, "/capabilities" + std::string(pointer)));
}

struct Need {
  std::string_view method;
  std::string_view capability;  // of the client, as a pointer
};

// Whatever the server says shows whether it asks for what the client has not.
template <std::size_t N>
void asks_within(const RuleCall& call, const std::array<Need, N>& needs) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    for (const auto& need : needs) {
      if (each.method() != need.method || client_can(call, need.capability)) continue;
      call.charge(each, "/method",
                  "The server asks the client for what it has not declared (" +
                      std::string(need.capability.substr(1)) + ").",
                  "no " + std::string(need.method));
    }
  }
}

void configuration_declared(const RuleCall& call) {
  constexpr std::array<Need, 2> kNeeds = {
      {{"workspace/configuration", "/workspace/configuration"},
       {"workspace/workspaceFolders", "/workspace/workspaceFolders"}}};
  asks_within(call, kNeeds);
}

void show_document_declared(const RuleCall& call) {
  constexpr std::array<Need, 1> kNeeds = {
      {{"window/showDocument", "/window/showDocument/support"}}};
  asks_within(call, kNeeds);
}

void refresh_declared(const RuleCall& call) {
  constexpr std::array<Need, 6> kNeeds = {
      {{"workspace/codeLens/refresh", "/workspace/codeLens/refreshSupport"},
       {"workspace/semanticTokens/refresh", "/workspace/semanticTokens/refreshSupport"},
       {"workspace/inlayHint/refresh", "/workspace/inlayHint/refreshSupport"},
       {"workspace/inlineValue/refresh", "/workspace/inlineValue/refreshSupport"},
       {"workspace/foldingRange/refresh", "/workspace/foldingRange/refreshSupport"},
       {"workspace/diagnostic/refresh", "/workspace/diagnostics/refreshSupport"}}};
  asks_within(call, kNeeds);
}

void edits_declared(const RuleCall& call) {
  constexpr std::array<Need, 1> kNeeds = {{{"workspace/applyEdit", "/workspace/applyEdit"}}};
  asks_within(call, kNeeds);
}

void progress_declared(const RuleCall& call) {
  constexpr std::array<Need, 1> kNeeds = {
      {{"window/workDoneProgress/create", "/window/workDoneProgress"}}};
  asks_within(call, kNeeds);
}

// Where the client says that a method may be registered, where that is not under its own name;
// empty: nowhere, and it is for the two to agree.
std::string dynamic_registration_of(const std::string& method) {
  static const std::map<std::string, std::string> elsewhere = {
      {"textDocument/didOpen", "textDocument/synchronization"},
      {"textDocument/didChange", "textDocument/synchronization"},
      {"textDocument/didClose", "textDocument/synchronization"},
      {"textDocument/didSave", "textDocument/synchronization"},
      {"textDocument/willSave", "textDocument/synchronization"},
      {"textDocument/willSaveWaitUntil", "textDocument/synchronization"},
      {"notebookDocument/sync", "notebookDocument/synchronization"},
      {"textDocument/documentColor", "textDocument/colorProvider"},
      {"textDocument/prepareCallHierarchy", "textDocument/callHierarchy"},
      {"textDocument/prepareTypeHierarchy", "textDocument/typeHierarchy"},
      {"textDocument/linkedEditingRange", "textDocument/linkedEditingRange"},
      {"workspace/didCreateFiles", "workspace/fileOperations"},
      {"workspace/didRenameFiles", "workspace/fileOperations"},
      {"workspace/didDeleteFiles", "workspace/fileOperations"},
      {"workspace/willCreateFiles", "workspace/fileOperations"},
      {"workspace/willRenameFiles", "workspace/fileOperations"},
      {"workspace/willDeleteFiles", "workspace/fileOperations"}};
  static const std::set<std::string> under_their_name = {"textDocument/completion",
                                                         "textDocument/hover",
                                                         "textDocument/signatureHelp",
                                                         "textDocument/declaration",
                                                         "textDocument/definition",
                                                         "textDocument/typeDefinition",
                                                         "textDocument/implementation",
                                                         "textDocument/references",
                                                         "textDocument/documentHighlight",
                                                         "textDocument/documentSymbol",
                                                         "textDocument/codeAction",
                                                         "textDocument/codeLens",
                                                         "textDocument/documentLink",
                                                         "textDocument/formatting",
                                                         "textDocument/rangeFormatting",
                                                         "textDocument/onTypeFormatting",
                                                         "textDocument/rename",
                                                         "textDocument/foldingRange",
                                                         "textDocument/selectionRange",
                                                         "textDocument/semanticTokens",
                                                         "textDocument/moniker",
                                                         "textDocument/inlineValue",
                                                         "textDocument/inlayHint",
                                                         "textDocument/diagnostic",
                                                         "textDocument/inlineCompletion",
                                                         "workspace/didChangeConfiguration",
                                                         "workspace/didChangeWatchedFiles",
                                                         "workspace/symbol",
                                                         "workspace/executeCommand"};
  const auto found = elsewhere.find(method);
  if (found != elsewhere.end()) return "/" + found->second + "/dynamicRegistration";
  return under_their_name.count(method) != 0 ? "/" + method + "/dynamicRegistration" : "";
}

template <typename Judge>
void for_each_registration(const RuleCall& call, Judge judge) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() != "client/registerCapability") continue;
    const json::Value* list = each.at("/params/registrations");
    for (std::size_t i = 0; list != nullptr && list->is(Kind::array) && i < list->size(); ++i) {
      judge(each, list->children()[i], "/params/registrations/" + std::to_string(i));
    }
  }
}

void registers_declared(const RuleCall& call) {
  for_each_registration(
      call, [&](const Spoken& each, const json::Value& one, const std::string& place) {
        const std::string pointer = dynamic_registration_of(json::text_at(one, "/method"));
        if (pointer.empty() || client_can(call, pointer)) return;
        call.charge(each, place + "/method",
                    "The server registers what the client has not declared to be dynamic (" +
                        pointer.substr(1) + ").",
                    "no registration of " + json::text_at(one, "/method"));
      });
}

// "textDocument/hover" is declared as hoverProvider.
const json::Value* declared_provider(const RuleCall& call, const std::string& method) {
  const auto slash = method.find('/');
  if (slash == method.npos) return nullptr;
  const std::string name =
      method == "workspace/symbol" ? "workspaceSymbol" : method.substr(slash + 1);
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "initialize") continue;
    const json::Value* found = each.at("/result/capabilities/" + name + "Provider");
    return is_declared(found) ? found : nullptr;
  }
  return nullptr;
}

std::string selector_of(const json::Value* options) {
  const json::Value* selector =
      options != nullptr && options->is(Kind::object) ? options->find("documentSelector") : nullptr;
  return selector == nullptr ? "null" : json::write(*selector);
}

void registers_once(const RuleCall& call) {
  for_each_registration(call, [&](const Spoken& each, const json::Value& one,
                                  const std::string& place) {
    const std::string method = json::text_at(one, "/method");
    const json::Value* provider = declared_provider(call, method);
    if (provider == nullptr || selector_of(provider) != selector_of(one.find("registerOptions"))) {
      return;
    }
    call.charge(each, place, "The server registers what it has declared in initialize already.",
                "one of the two for " + method);
  });
}

void registers_when_initialized(const RuleCall& call) {
  if (opening_params(call) == nullptr) return;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialized") return;
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() == "client/registerCapability") {
      call.charge(each, "/method", "The server registers something before it was told initialized.",
                  "nothing before initialized");
    }
  }
}

// Until initialize is answered little may be said (Lifecycle Messages § Initialize).
void quiet_before_initialize(const RuleCall& call) {
  static const std::set<std::string_view> allowed = {"window/showMessage", "window/logMessage",
                                                     "telemetry/event", "window/showMessageRequest",
                                                     "$/progress"};
  if (opening_params(call) == nullptr) return;
  for (const auto& each : call.heard.all()) {
    if (each.by_server && each.called() == "initialize") return call.exercise();
    if (!each.by_server || each.method().empty() || allowed.count(each.method()) != 0) continue;
    call.charge(each, "/method", "The server says this before it has answered initialize.",
                "nothing but messages to show or log, telemetry and progress");
  }
}

void params_are_structured(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.method().empty()) continue;
    call.exercise();
    const json::Value* params = each.at("/params");
    if (params == nullptr || params->is(Kind::object) || params->is(Kind::array)) continue;
    call.charge(each, "/params", "The params of a message of the server's own are no structure.",
                "an Object or an Array, or none");
  }
}

void no_own_batches(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.in_batch) call.charge(each, "", "The server sends a batch.", "one message");
  }
}

void codes_within(const RuleCall& call, long long from, long long to,
                  const std::set<std::string>& allowed) {
  for (const auto& each : call.heard.all()) {
    const json::Value* code = each.by_server ? each.at("/error/code") : nullptr;
    if (code == nullptr || !code->is(Kind::number)) continue;
    call.exercise();
    const long long value = std::atoll(code->text().c_str());
    if (value < from || value > to || allowed.count(code->text()) != 0) continue;
    call.charge(each, "/error/code",
                "The code is of a range that is reserved, and none that the specification has.",
                "a code outside of " + std::to_string(from) + " to " + std::to_string(to));
  }
}

void codes_reserved(const RuleCall& call) {
  codes_within(call, -32899, -32800, {"-32800", "-32801", "-32802", "-32803"});
}

void codes_reserved_by_json_rpc(const RuleCall& call) {
  codes_within(call, -32099, -32000, {"-32002", "-32001"});
}

void cancels_own(const RuleCall& call) {
  std::set<std::string> asked;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    call.exercise();
    if (each.is_request()) {
      if (const auto key = key_at(each, "/id")) asked.insert(*key);
    }
    if (each.method() != "$/cancelRequest") continue;
    const auto cancelled = key_at(each, "/params/id");
    // What was asked before this conversation was listened to may be cancelled in it.
    if (!cancelled || asked.count(*cancelled) != 0 || opening_params(call) == nullptr) continue;
    call.charge(each, "/params/id", "The server cancels what it has not asked.",
                "the id of a Request of its own");
  }
}

void trace_off(const RuleCall& call) {
  bool is_on = false;
  for (const auto& each : call.heard.all()) {
    const json::Value* level = each.by_server ? nullptr : each.at("/params/value");
    if (!each.by_server && each.method() == "initialize") level = each.at("/params/trace");
    if (level != nullptr && level->is(Kind::string)) is_on = is_on || level->text() != "off";
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() == "$/logTrace" && !is_on) {
      call.charge(each, "/method", "The server traces, and the trace is off.", "no $/logTrace");
    }
  }
}

void trace_verbose(const RuleCall& call) {
  std::string level = "off";
  for (const auto& each : call.heard.all()) {
    if (!each.by_server && each.method() == "initialize" && each.at("/params/trace") != nullptr) {
      level = json::text_at(*each.value, "/params/trace");
    }
    if (!each.by_server && each.method() == "$/setTrace") {
      level = json::text_at(*each.value, "/params/value");
    }
    if (!each.by_server) continue;
    call.exercise();
    if (each.method() == "$/logTrace" && each.at("/params/verbose") != nullptr &&
        level == "messages") {
      call.charge(each, "/params/verbose",
                  "The trace is verbose, and was asked for messages alone.", "no verbose");
    }
  }
}

// utf-16 where the client has offered nothing.
void encoding_offered(const RuleCall& call) {
  const json::Value* params = opening_params(call);
  if (params == nullptr) return;
  const json::Value* offered = json::at(*params, "/capabilities/general/positionEncodings");
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "initialize" || each.at("/result") == nullptr) continue;
    call.exercise();
    const json::Value* chosen = each.at("/result/capabilities/positionEncoding");
    if (chosen == nullptr) continue;
    std::set<std::string> allowed = {"utf-16"};
    for (std::size_t i = 0; offered != nullptr && i < offered->size(); ++i) {
      allowed.insert(offered->children()[i].text());
    }
    if (chosen->is(Kind::string) && allowed.count(chosen->text()) != 0) continue;
    call.charge(each, "/result/capabilities/positionEncoding",
                "The server chooses an encoding of positions that was not offered.",
                "one of those that the client offers, or utf-16");
  }
}

// What we open before initialize, or after shutdown, is to be passed over.
void ignores_documents(const RuleCall& call, bool before) {
  bool initialized = false;
  bool shut_down = false;
  std::set<std::string> passed_over;
  for (const auto& each : call.heard.all()) {
    if (each.by_server && each.called() == "initialize") initialized = true;
    if (each.by_server && each.called() == "shutdown") shut_down = true;
    if (!each.by_server && each.method() == "textDocument/didOpen") {
      const bool is_meant = before ? !initialized && opening_params(call) != nullptr : shut_down;
      if (is_meant) passed_over.insert(json::text_at(*each.value, "/params/textDocument/uri"));
      if (is_meant) call.exercise();
    }
    if (!each.by_server || each.method() != "textDocument/publishDiagnostics") continue;
    if (passed_over.count(json::text_at(*each.value, "/params/uri")) == 0) continue;
    call.charge(each, "/params/uri",
                before ? "A document that was opened before initialize is looked at."
                       : "A document that was opened after shutdown is looked at.",
                "no diagnostics for it");
  }
}

void drops_early_documents(const RuleCall& call) { ignores_documents(call, true); }
void drops_late_documents(const RuleCall& call) { ignores_documents(call, false); }

constexpr std::array kLspRows = {
    RuleRow{"lsp-configuration-declared", &configuration_declared},
    RuleRow{"lsp-show-document-declared", &show_document_declared},
    RuleRow{"lsp-refresh-declared", &refresh_declared},
    RuleRow{"lsp-edits-declared", &edits_declared},
    RuleRow{"lsp-progress-declared", &progress_declared},
    RuleRow{"lsp-registers-declared", &registers_declared},
    RuleRow{"lsp-registers-once", &registers_once},
    RuleRow{"lsp-registers-when-initialized", &registers_when_initialized},
    RuleRow{"lsp-quiet-before-initialize", &quiet_before_initialize},
    RuleRow{"lsp-params-are-structured", &params_are_structured},
    RuleRow{"lsp-no-own-batches", &no_own_batches},
    RuleRow{"lsp-codes-reserved", &codes_reserved},
    RuleRow{"lsp-codes-reserved-by-json-rpc", &codes_reserved_by_json_rpc},
    RuleRow{"lsp-cancels-own", &cancels_own},
    RuleRow{"lsp-trace-off", &trace_off},
    RuleRow{"lsp-trace-verbose", &trace_verbose},
    RuleRow{"lsp-encoding-offered", &encoding_offered},
    RuleRow{"lsp-drops-early-documents", &drops_early_documents},
    RuleRow{"lsp-drops-late-documents", &drops_late_documents},
};

}  // namespace

std::span<const RuleRow> lsp_rules() { return kLspRows; }

}  // namespace jrpcheck::judge
