// Defects of a language server within its results: what is wrong is not the outermost value.
#include "reference-impl/mutants/lsp_mutants.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

/// Declares it without options, and gives this; R in it stands for a range.
Behaviour giving(const std::string& capability, const std::string& method, std::string result) {
  const std::string range = R"({"start":{"line":0,"character":0},"end":{"line":0,"character":0}})";
  if (const auto at = result.find(":R"); at != result.npos) result.replace(at + 1, 1, range);
  return misserving(capability, "{}", method, json::parse(result));
}

/// Tokens of these numbers, by a legend of one type.
Behaviour telling_tokens(const json& numbers) {
  return misserving("semanticTokensProvider",
                    R"({"legend":{"tokenTypes":["a"],"tokenModifiers":[]},"full":true})",
                    "textDocument/semanticTokens/full", {{"data", numbers}});
}

/// Each document has nothing to report, and the workspace a report without what it is of.
Behaviour unchanged_from_nothing() {
  const json report = {{"kind", "unchanged"}, {"uri", "file:///a"}, {"version", 1}};
  return nested(serve_call("textDocument/diagnostic", {{"kind", "full"}, {"items", json::array()}}),
                misserving("diagnosticProvider",
                           R"({"interFileDependencies":false,"workspaceDiagnostics":true})",
                           "workspace/diagnostic", {{"items", json::array({report})}}));
}

}  // namespace

std::span<const Mutant> lsp_result_faults() {
  static const Mutant all[] = {
      {"lsp-symbols-placeless", breaks("lsp-metamodel"), kContentLength,
       "A symbol of a document is nowhere in it.",
       giving("documentSymbolProvider", "textDocument/documentSymbol",
              R"([{"name":"a","kind":1}])")},
      {"lsp-actions-of-text", breaks("lsp-metamodel"), kContentLength, "A code action is text.",
       giving("codeActionProvider", "textDocument/codeAction", R"(["fix"])")},
      {"lsp-edits-unversioned", breaks("lsp-metamodel"), kContentLength,
       "Renaming edits a document, and does not say which version of it.",
       giving("renameProvider", "textDocument/rename",
              R"({"documentChanges":[{"textDocument":{"uri":"file:///a"},"edits":[]}]})")},
      {"lsp-hover-of-no-kind",
       breaks("lsp-metamodel")
           .perhaps("lsp-after-shutdown-request", "lsp-before-init-request",
                    "lsp-error-code-invalid-params"),
       kContentLength, "The contents of a hover do not say whether they are Markdown.",
       serve_call("textDocument/hover", {{"contents", {{"value", "here"}}}})},
      {"lsp-completion-kind-unknown", breaks("lsp-metamodel"), kContentLength,
       "What completes a text is of a kind that there is not.",
       giving("completionProvider", "textDocument/completion", R"([{"label":"a","kind":99}])")},
      {"lsp-tokens-of-four", breaks("lsp-metamodel"), kContentLength,
       "A semantic token is four numbers.", telling_tokens({0, 0, 1, 0})},
      {"lsp-tokens-of-no-type", breaks("lsp-metamodel"), kContentLength,
       "A semantic token is of a type that the legend does not have.",
       telling_tokens({0, 0, 1, 1, 0})},
      {"lsp-report-unchanged-from-nothing", breaks("lsp-metamodel"), kContentLength,
       "Diagnostics of the workspace are unchanged, and from what is not said.",
       unchanged_from_nothing()},
      {"lsp-symbols-found-nowhere", breaks("lsp-metamodel"), kContentLength,
       "A symbol of the workspace is in no document.",
       giving("workspaceSymbolProvider", "workspace/symbol",
              R"([{"name":"a","kind":1,"location":{}}])")},
      {"lsp-signatures-of-text", breaks("lsp-metamodel"), kContentLength, "A signature is text.",
       giving("signatureHelpProvider", "textDocument/signatureHelp", R"({"signatures":["f"]})")},
      {"lsp-hint-of-number", breaks("lsp-metamodel"), kContentLength,
       "The label of a hint is a number.",
       giving("inlayHintProvider", "textDocument/inlayHint",
              R"([{"position":{"line":0,"character":0},"label":5}])")},
      {"lsp-colors-of-bytes", breaks("lsp-metamodel"), kContentLength,
       "The red of a color is 255, and not between 0 and 1.",
       giving("colorProvider", "textDocument/documentColor",
              R"([{"range":R,"color":{"red":255,"green":0,"blue":0,"alpha":1}}])")},
      {"lsp-notebooks-unselected", breaks("lsp-metamodel"), kContentLength,
       "Notebooks are followed, and it is not said which.",
       declaring({{"notebookDocumentSync", json::object()}})},
      {"lsp-uri-with-space", breaks("lsp-uri"), kContentLength,
       "A URI has a space that is not encoded.",
       giving("definitionProvider", "textDocument/definition",
              R"({"uri":"file:///a b","range":R})")},
  };
  return all;
}

}  // namespace jrpcheck::reference
