// Defects of a language server in what it makes of calls.
#include <atomic>
#include <memory>

#include "reference-impl/mutants/lsp_mutants.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr const char* kHover = "textDocument/hover";
constexpr const char* kDefinition = "textDocument/definition";

bool has_id(const json& call) { return call.contains("id"); }
bool is_unknown(const json& call) {
  return call["method"].get<std::string>().find("jrpcheck") != std::string::npos;
}
bool is_dollar(const json& call) { return call["method"].get<std::string>().starts_with("$/jrp"); }

/// Notifications like these are answered.
Behaviour answering_if(bool (*which)(const json& call)) {
  return on_call([=](const json& call, const ProperCall& proper) -> Reply {
    return !has_id(call) && which(call) ? Reply(kRefusalOfNobody) : proper();
  });
}

/// Whether a cancellation has come in the read that brought what it cancels.
Behaviour seeing_cancellations(const std::string& methods,
                               std::function<Reply(const json& call)> answer) {
  const auto is_cancelled = std::make_shared<std::atomic<bool>>(false);
  Behaviour behaviour = on_call([=](const json& call, const ProperCall& proper) -> Reply {
    const bool is_meant =
        has_id(call) && *is_cancelled && call["method"].get<std::string>().starts_with(methods);
    return is_meant ? answer(call) : proper();
  });
  behaviour.arriving = [is_cancelled](std::string_view bytes) {
    const auto cancellation = bytes.find("$/cancelRequest");
    // The header of the first message, and that of the one that cancels.
    const auto second = bytes.find("Content-Length", 1);
    *is_cancelled = cancellation != bytes.npos && second < cancellation;
    return std::string(bytes);
  };
  return behaviour;
}

Mutation cancelled(std::function<Reply(const json& call)> answer) {
  return [=] { return seeing_cancellations("", answer); };
}

/// Of calls whose method begins so alone.
Mutation cancelled(const std::string& methods, std::function<Reply(const json& call)> answer) {
  return [=] { return seeing_cancellations(methods, answer); };
}

/// A call that was answered is answered again when it is cancelled.
Behaviour answering_twice() {
  return on_call("$/cancelRequest", [](const json& call, const ProperCall&) -> Reply {
    return failure_for({{"id", at(call, "/params/id")}}, -32800);
  });
}

/// Of three calls that come in one read the last is lost.
std::string without_third_call(std::string_view bytes) {
  const auto times = [bytes](std::string_view what) {
    int number = 0;
    for (auto at = bytes.find(what); at != bytes.npos; at = bytes.find(what, at + 1)) ++number;
    return number;
  };
  constexpr std::string_view kHead = "Content-Length";
  const bool has_three = times(kHead) >= 3 && times(R"("id":)") >= 3;
  return std::string(has_three ? bytes.substr(0, bytes.rfind(kHead)) : bytes);
}

bool has_no_document(const json& call) { return at(call, "/params/textDocument").is_null(); }

/// Ids that are texts of digits come back as numbers.
Behaviour ids_of_digits_turned() {
  return edit_response([](const json& call, json& response) {
    if (has_id(call) && call["id"] == "1") response["id"] = 1;
  });
}

Behaviour largest_id_lost() {
  return edit_response([](const json& call, json& response) {
    if (!has_id(call) || !call["id"].is_number()) return;
    if (response["id"] == 2147483647 || response["id"] == -2147483648LL) response["id"] = 0;
  });
}

struct Provider {
  std::string_view name;  // of the case that asks for it
  std::string_view capability;
  std::string_view method;
  std::string_view options = "{}";  // with which it is declared
};

constexpr std::string_view kResolving = R"({"resolveProvider":true})";

constexpr Provider kProviders[] = {
    {"completion", "completionProvider", "textDocument/completion"},
    {"type-definition", "typeDefinitionProvider", "textDocument/typeDefinition"},
    {"implementation", "implementationProvider", "textDocument/implementation"},
    {"references", "referencesProvider", "textDocument/references"},
    {"document-highlight", "documentHighlightProvider", "textDocument/documentHighlight"},
    {"document-symbol", "documentSymbolProvider", "textDocument/documentSymbol"},
    {"signature-help", "signatureHelpProvider", "textDocument/signatureHelp"},
    {"folding-range", "foldingRangeProvider", "textDocument/foldingRange"},
    {"document-link", "documentLinkProvider", "textDocument/documentLink"},
    {"selection-range", "selectionRangeProvider", "textDocument/selectionRange"},
    {"document-formatting", "documentFormattingProvider", "textDocument/formatting"},
    {"document-range-formatting", "documentRangeFormattingProvider",
     "textDocument/rangeFormatting"},
    {"code-action", "codeActionProvider", "textDocument/codeAction"},
    {"code-lens", "codeLensProvider", "textDocument/codeLens"},
    {"inlay-hint", "inlayHintProvider", "textDocument/inlayHint"},
    {"workspace-symbol", "workspaceSymbolProvider", "workspace/symbol"},
    {"declaration", "declarationProvider", "textDocument/declaration"},
    {"document-color", "colorProvider", "textDocument/documentColor"},
    {"linked-editing-range", "linkedEditingRangeProvider", "textDocument/linkedEditingRange"},
    {"moniker", "monikerProvider", "textDocument/moniker"},
    {"inline-value", "inlineValueProvider", "textDocument/inlineValue"},
    {"prepare-rename", "renameProvider", "textDocument/prepareRename",
     R"({"prepareProvider":true})"},
    {"on-type-formatting", "documentOnTypeFormattingProvider", "textDocument/onTypeFormatting",
     R"({"firstTriggerCharacter":"}"})"},
    {"prepare-call-hierarchy", "callHierarchyProvider", "textDocument/prepareCallHierarchy"},
    {"prepare-type-hierarchy", "typeHierarchyProvider", "textDocument/prepareTypeHierarchy"},
    {"semantic-tokens", "semanticTokensProvider", "textDocument/semanticTokens/full",
     R"({"legend":{"tokenTypes":[],"tokenModifiers":[]},"full":true})"},
    {"diagnostic", "diagnosticProvider", "textDocument/diagnostic",
     R"({"interFileDependencies":false,"workspaceDiagnostics":false})"},
    {"workspace-diagnostic", "diagnosticProvider", "workspace/diagnostic",
     R"({"interFileDependencies":false,"workspaceDiagnostics":true})"},
    {"rename", "renameProvider", "textDocument/rename"},
    {"ranges-formatting", "documentRangeFormattingProvider", "textDocument/rangesFormatting",
     R"({"rangesSupport":true})"},
    {"semantic-tokens-range", "semanticTokensProvider", "textDocument/semanticTokens/range",
     R"({"legend":{"tokenTypes":[],"tokenModifiers":[]},"range":true})"},
    {"semantic-tokens-delta", "semanticTokensProvider", "textDocument/semanticTokens/full/delta",
     R"({"legend":{"tokenTypes":[],"tokenModifiers":[]},"full":{"delta":true}})"},
    {"will-save-wait-until", "textDocumentSync", "textDocument/willSaveWaitUntil",
     R"({"openClose":true,"change":1,"willSaveWaitUntil":true})"},
    {"inline-completion", "inlineCompletionProvider", "textDocument/inlineCompletion"},
    {"completion-resolve", "completionProvider", "completionItem/resolve", kResolving},
    {"code-action-resolve", "codeActionProvider", "codeAction/resolve", kResolving},
    {"code-lens-resolve", "codeLensProvider", "codeLens/resolve", kResolving},
    {"document-link-resolve", "documentLinkProvider", "documentLink/resolve", kResolving},
    {"inlay-hint-resolve", "inlayHintProvider", "inlayHint/resolve", kResolving},
    {"workspace-symbol-resolve", "workspaceSymbolProvider", "workspaceSymbol/resolve", kResolving},
};

/// Declares what it does not know.
Behaviour lacking(const Provider& provider) {
  return nested(declaring({{std::string(provider.capability), json::parse(provider.options)}}),
                refuse_call(std::string(provider.method), -32601));
}

}  // namespace

Behaviour declaring(const json& more) {
  return edit_result("initialize", [more](json& result) { result["capabilities"].update(more); });
}

Behaviour misserving(const std::string& capability, const std::string& options,
                     const std::string& method, const json& result) {
  return nested(declaring({{capability, json::parse(options)}}), serve_call(method, result));
}

std::span<const Mutant> lsp_call_faults() {
  static const Mutant all[] = {
      {"lsp-unknown-method-refused",
       breaks("lsp-error-code-unknown-method")
           .perhaps("lsp-dollar-request", "lsp-cancel-code", "err-code-method",
                    "lsp-notification-unknown"),
       kContentLength, "An unknown method is refused with -32600.",
       refuse_call("", is_unknown, -32600)},
      {"lsp-third-call-lost", breaks("lsp-header-together"), kContentLength,
       "Of three calls that come in one read the last is lost.",
       Behaviour{.arriving = without_third_call}},
      {"lsp-bodies-in-characters",
       breaks("lsp-header-read-length").perhaps("lsp-header-split", "lsp-header-together"),
       kContentLength, "Content-Length is read as a number of characters.",
       reading_bodies_in_characters()},
      {"lsp-capabilities-listed", breaks("lsp-init-answer").perhaps("lsp-metamodel"),
       kContentLength, "The capabilities are a list.",
       edit_result("initialize", setting("capabilities", json::array()))},
      {"lsp-nameless", breaks("lsp-init-server-info"), kContentLength, "The server has no name.",
       edit_result("initialize", [](json& each) { each["serverInfo"].erase("name"); })},
      {"lsp-encoding-of-its-own", breaks("lsp-position-encoding"), kContentLength,
       "Positions are counted in a way that was not offered.",
       declaring({{"positionEncoding", "utf-32"}})},
      {"lsp-capability-misshapen", breaks("lsp-metamodel"), kContentLength,
       "completionProvider is true, which is no option.",
       declaring({{"completionProvider", true}})},
      {"lsp-declared-and-unknown",
       breaks("lsp-capability-kept")
           .perhaps("lsp-error-code-invalid-params", "lsp-before-init-request",
                    "lsp-after-shutdown-request"),
       kContentLength, "Hovering is declared, and unknown.", refuse_call(kHover, -32601)},
      {"lsp-params-unchecked", breaks("lsp-error-code-invalid-params"), kContentLength,
       "A request without its params is served.", serve_call(kHover, has_no_document, nullptr)},
      {"lsp-params-wrong-code", breaks("lsp-error-code-reserved", "lsp-error-code-invalid-params"),
       kContentLength, "A request without its params is refused with a code that is reserved.",
       refuse_call(kHover, has_no_document, -32850)},
      {"lsp-error-without-message", breaks("lsp-error-shape").perhaps("err-message-string"),
       kContentLength, "An error has no message.",
       nested(edit_error(kDefinition, leaving_out("message")), refuse_call(kDefinition, 1))},
      {"lsp-position-negative",
       breaks("lsp-integer-range")
           .perhaps("lsp-after-shutdown-request", "lsp-before-init-request",
                    "lsp-error-code-invalid-params"),
       kContentLength, "A position is negative.",
       serve_call(kHover, {{"contents", "here"},
                           {"range",
                            {{"start", {{"line", -1}, {"character", 0}}},
                             {"end", {{"line", 0}, {"character", 0}}}}}})},
      {"lsp-hover-misshapen",
       breaks("lsp-metamodel")
           .perhaps("lsp-after-shutdown-request", "lsp-before-init-request",
                    "lsp-error-code-invalid-params"),
       kContentLength, "A hover has no contents.", serve_call(kHover, {{"text", "here"}})},
      {"lsp-colors-null", breaks("lsp-metamodel"), kContentLength,
       "The colors of a document are null, which is no list.",
       misserving("colorProvider", "true", "textDocument/documentColor", nullptr)},
      {"lsp-tokens-listed", breaks("lsp-metamodel"), kContentLength,
       "Semantic tokens are a list, and no Object that has one.",
       misserving("semanticTokensProvider",
                  R"({"legend":{"tokenTypes":[],"tokenModifiers":[]},"full":true})",
                  "textDocument/semanticTokens/full", json::array())},
      {"lsp-report-of-no-kind", breaks("lsp-metamodel"), kContentLength,
       "A report of diagnostics does not say of which kind it is.",
       misserving("diagnosticProvider",
                  R"({"interFileDependencies":false,"workspaceDiagnostics":false})",
                  "textDocument/diagnostic", {{"items", json::array()}})},
      {"lsp-symbols-of-plain-paths", breaks("lsp-uri"), kContentLength,
       "A place is named by a path, and by no URI.",
       serve_call(kDefinition, {{"uri", "/tmp/x"},
                                {"range",
                                 {{"start", {{"line", 0}, {"character", 0}}},
                                  {"end", {{"line", 0}, {"character", 0}}}}}})},
      {"lsp-dies-of-missing-document", breaks("rob-survives").perhaps("lsp-answer-every-request"),
       kContentLength, "A document that is not there ends the process.",
       dying_of_call(kDefinition)},
      {"lsp-dollar-request-dropped", breaks("lsp-dollar-request"), kContentLength,
       "A request whose name begins with $/ is not answered.",
       on_call([](const json& call, const ProperCall& proper) -> Reply {
         return has_id(call) && is_dollar(call) ? Reply() : proper();
       })},
      {"lsp-dollar-request-refused", breaks("lsp-dollar-request"), kContentLength,
       "A request whose name begins with $/ is refused with -32600.",
       refuse_call("", is_dollar, -32600)},
      {"lsp-dollar-notification-answered", breaks("lsp-dollar-notification"), kContentLength,
       "A notification whose name begins with $/ is answered.", answering_if(is_dollar)},
      {"lsp-notification-answered",
       breaks("lsp-notification-silent").perhaps("lsp-dollar-notification"), kContentLength,
       "An unknown notification is answered.", answering_if(is_unknown)},
      {"lsp-ready-answered", breaks("lsp-notification-silent"), kContentLength,
       "initialized is answered by an error with id null.",
       answering_if([](const json& call) { return call["method"] == "initialized"; })},
      {"lsp-initialize-answered-twice", breaks("lsp-answer-once").perhaps("res-once"),
       kContentLength, "initialize is answered twice.",
       on_call("initialize",
               [](const json&, const ProperCall& proper) -> Reply {
                 Reply reply = proper();
                 return reply ? Reply::several({*reply, *reply}) : reply;
               })},
      {"lsp-configuration-answered", breaks("lsp-notification-silent"), kContentLength,
       "A notification of configuration is answered.", answering_if([](const json& call) {
         return call["method"] == "workspace/didChangeConfiguration";
       })},
      {"lsp-dies-of-configuration", breaks("rob-survives"), kContentLength,
       "A notification of configuration ends the process.",
       dying_of_call("workspace/didChangeConfiguration")},
      {"lsp-trace-answered", breaks("lsp-notification-silent"), kContentLength,
       "$/setTrace is answered.",
       answering_if([](const json& call) { return call["method"] == "$/setTrace"; })},
      {"lsp-dies-of-trace", breaks("rob-survives"), kContentLength, "$/setTrace ends the process.",
       dying_of_call("$/setTrace")},
      {"lsp-cancelled-unanswered", breaks("lsp-cancel-answer"), kContentLength,
       "A request that is cancelled is not answered.",
       cancelled([](const json&) { return Reply(); })},
      {"lsp-cancelled-document-unanswered", breaks("lsp-cancel-answer"), kContentLength,
       "What is asked about a document and cancelled is not answered.",
       cancelled("textDocument/", [](const json&) { return Reply(); })},
      {"lsp-cancelled-wrong-code", breaks("lsp-cancel-code"), kContentLength,
       "A request that is cancelled is refused with -32603.",
       cancelled([](const json& call) { return failure_for(call, -32603); })},
      {"lsp-cancelled-again",
       breaks("lsp-answer-once", "lsp-notification-silent")
           .perhaps("lsp-cancel-answer", "res-once", "res-unasked"),
       kContentLength, "What was answered is answered again when it is cancelled.",
       answering_twice()},
      {"lsp-cancellation-answered", breaks("lsp-notification-silent").perhaps("lsp-cancel-answer"),
       kContentLength, "A cancellation is answered.",
       answering_if([](const json& call) { return call["method"] == "$/cancelRequest"; })},
      {"lsp-dies-of-cancellation", breaks("rob-survives").perhaps("lsp-cancel-answer"),
       kContentLength, "A cancellation of what nobody has asked ends the process.",
       dying_of_call("$/cancelRequest",
                     [](const json& call) { return at(call, "/params/id") == 1999999; })},
      {"lsp-digits-turned", breaks("lsp-id-string-integer"), kContentLength,
       "An id that is a text of digits comes back as a number.", ids_of_digits_turned()},
      {"lsp-largest-id-lost", breaks("lsp-id-string-integer"), kContentLength,
       "The largest and the smallest id come back as 0.", largest_id_lost()},
      {"lsp-dies-of-smallest-id", breaks("lsp-id-string-integer"), kContentLength,
       "The smallest id ends the process.",
       dying_of_call("", [](const json& call) { return at(call, "/id") == -2147483648LL; })},
  };
  return all;
}

std::vector<Mutant> lsp_provider_faults() {
  std::vector<Mutant> all;
  for (const auto& each : kProviders) {
    const std::string method(each.method);
    all.push_back({"lsp-lacks-" + std::string(each.name), breaks("lsp-capability-kept"),
                   kContentLength, method + " is declared, and unknown.", lacking(each)});
  }
  return all;
}

}  // namespace jrpcheck::reference
