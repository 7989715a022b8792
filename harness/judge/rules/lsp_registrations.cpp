#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "json/pointer.hpp"
#include "judge/capability.hpp"
#include "judge/rules/lsp_opening.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

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
  static const std::set<std::string_view> under_their_name = {
      "workspace/didChangeConfiguration", "workspace/didChangeWatchedFiles", "workspace/symbol",
      "workspace/executeCommand"};
  static const std::set<std::string_view> of_documents = {
      "completion",       "hover",          "signatureHelp",
      "declaration",      "definition",     "typeDefinition",
      "implementation",   "references",     "documentHighlight",
      "documentSymbol",   "codeAction",     "codeLens",
      "documentLink",     "formatting",     "rangeFormatting",
      "onTypeFormatting", "rename",         "foldingRange",
      "selectionRange",   "semanticTokens", "moniker",
      "inlineValue",      "inlayHint",      "diagnostic",
      "inlineCompletion"};
  constexpr std::string_view kTextDocument = "textDocument/";
  const auto found = elsewhere.find(method);
  if (found != elsewhere.end()) return "/" + found->second + "/dynamicRegistration";
  const bool is_known =
      under_their_name.contains(method) ||
      (method.starts_with(kTextDocument) &&
       of_documents.contains(std::string_view(method).substr(kTextDocument.size())));
  return is_known ? "/" + method + "/dynamicRegistration" : "";
}

// What was declared, or registered before, may be registered anew once it was taken back.
bool is_taken_back(const RuleCall& call, const std::string& method) {
  return std::ranges::any_of(call.heard.all(), [&](const Spoken& each) {
    if (!each.by_server || each.method() != "client/unregisterCapability") return false;
    const json::Value* list = each.at("/params/unregisterations");
    return list != nullptr && std::ranges::any_of(list->children(), [&](const json::Value& one) {
             return json::text_at(one, "/method") == method;
           });
  });
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
  const json::Value* params = opening_params(call);
  for_each_registration(
      call, [&](const Spoken& each, const json::Value& one, const std::string& place) {
        const std::string pointer = dynamic_registration_of(json::text_at(one, "/method"));
        if (pointer.empty() || client_can(params, pointer)) return;
        call.charge(each, place + "/method",
                    "The server registers what the client has not declared to be dynamic (" +
                        pointer.substr(1) + ").",
                    "no registration of " + json::text_at(one, "/method"));
      });
}

// Where the result of initialize declares a method: "textDocument/hover" as hoverProvider. Empty:
// nowhere.
std::string static_declaration_of(const std::string& method) {
  static const std::map<std::string, std::string> elsewhere = {
      {"textDocument/didOpen", "/textDocumentSync/openClose"},
      {"textDocument/didClose", "/textDocumentSync/openClose"},
      {"textDocument/didChange", "/textDocumentSync/change"},
      {"textDocument/didSave", "/textDocumentSync/save"},
      {"textDocument/willSave", "/textDocumentSync/willSave"},
      {"textDocument/willSaveWaitUntil", "/textDocumentSync/willSaveWaitUntil"},
      {"textDocument/documentColor", "/colorProvider"},
      {"textDocument/formatting", "/documentFormattingProvider"},
      {"textDocument/rangeFormatting", "/documentRangeFormattingProvider"},
      {"textDocument/onTypeFormatting", "/documentOnTypeFormattingProvider"},
      {"textDocument/prepareCallHierarchy", "/callHierarchyProvider"},
      {"textDocument/prepareTypeHierarchy", "/typeHierarchyProvider"},
      {"workspace/symbol", "/workspaceSymbolProvider"}};
  const auto found = elsewhere.find(method);
  if (found != elsewhere.end()) return found->second;
  const auto slash = method.find('/');
  return slash == method.npos ? "" : "/" + method.substr(slash + 1) + "Provider";
}

// TextDocumentSyncKind 0 is none at all, and in place of the options any other stands for documents
// that are opened, closed and changed.
bool is_declared(const json::Value* found) {
  return is_stated(found) && !(found->is(Kind::number) && found->text() == "0");
}

// What initialize declares of the method; null: nothing.
const json::Value* declared_in_initialize(const RuleCall& call, const std::string& method) {
  static const std::set<std::string_view> of_kind = {
      "textDocument/didOpen", "textDocument/didClose", "textDocument/didChange"};
  const std::string pointer = static_declaration_of(method);
  if (pointer.empty()) return nullptr;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.called() != "initialize") continue;
    const json::Value* kind = each.at("/result/capabilities/textDocumentSync");
    const bool is_by_kind = kind != nullptr && kind->is(Kind::number) && of_kind.contains(method);
    const json::Value* found = is_by_kind ? kind : each.at("/result/capabilities" + pointer);
    return is_declared(found) ? found : nullptr;
  }
  return nullptr;
}

std::string selector_of(const json::Value* options) {
  const json::Value* selector =
      options != nullptr && options->is(Kind::object) ? options->find("documentSelector") : nullptr;
  return selector == nullptr ? "null" : json::write(*selector);
}

std::set<std::string> commands_of(const json::Value* options) {
  std::set<std::string> commands;
  const json::Value* list =
      options != nullptr && options->is(Kind::object) ? options->find("commands") : nullptr;
  if (list == nullptr || !list->is(Kind::array)) return commands;
  for (const auto& each : list->children()) commands.insert(json::text_of(&each));
  return commands;
}

// Commands are of no documents: what was declared is registered again where a command is the same.
bool is_of_the_same(const std::string& method, const json::Value* declared,
                    const json::Value* registered) {
  if (method != "workspace/executeCommand") {
    return selector_of(declared) == selector_of(registered);
  }
  const auto known = commands_of(declared);
  return std::ranges::any_of(commands_of(registered),
                             [&known](const auto& each) { return known.contains(each); });
}

void registers_once(const RuleCall& call) {
  for_each_registration(
      call, [&](const Spoken& each, const json::Value& one, const std::string& place) {
        const std::string method = json::text_at(one, "/method");
        const json::Value* declared = declared_in_initialize(call, method);
        if (declared == nullptr || is_taken_back(call, method) ||
            !is_of_the_same(method, declared, one.find("registerOptions"))) {
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

constexpr std::array kLspRegistrationRows = {
    RuleRow{"lsp-registers-declared", &registers_declared, Needs::opening},
    RuleRow{"lsp-registers-once", &registers_once, Needs::session},
    RuleRow{"lsp-registers-when-initialized", &registers_when_initialized, Needs::handshake},
};

}  // namespace

std::span<const RuleRow> lsp_registration_rules() { return kLspRegistrationRows; }

}  // namespace jrpcheck::judge
