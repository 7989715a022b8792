// What the rules of clients know of each protocol: its words, and what has to be declared for what.
#pragma once

#include <array>
#include <string_view>

namespace jrpcheck::judge {

inline constexpr std::array<std::string_view, 3> kVersionsWithHandshake = {
    "2025-03-26", "2025-06-18", "2025-11-25"};

// How a protocol calls what all of them have; an empty requirement is not asked.
struct WordsOfClients {
  std::string_view family;
  std::string_view initialized;
  std::string_view cancelled;
  std::string_view cancelled_id;  // a pointer
  std::array<std::string_view, 3> opening_members;
  std::string_view init_first, init_shape, init_wait, initialized_after, id_type, id_unique,
      params_object, no_batch, cancel_own;
};

inline constexpr std::array kWordsOfClients = {
    WordsOfClients{"mcp",
                   "notifications/initialized",
                   "notifications/cancelled",
                   "/params/requestId",
                   {"protocolVersion", "capabilities", "clientInfo"},
                   "mcp-c-init-first",
                   "mcp-c-init-first",
                   "mcp-c-init-wait",
                   "mcp-c-initialized",
                   "mcp-c-request-id",
                   "mcp-c-request-id-unique",
                   "mcp-c-params-object",
                   "mcp-c-batch-none",
                   "mcp-c-cancel-own"},
    WordsOfClients{"lsp",
                   "initialized",
                   "$/cancelRequest",
                   "/params/id",
                   {"processId", "rootUri", "capabilities"},
                   "lsp-c-init-first",
                   "lsp-c-init-capabilities",
                   "lsp-c-init-wait",
                   "lsp-c-initialized",
                   "lsp-c-id",
                   "",
                   "",
                   "lsp-c-batch",
                   "lsp-c-cancel-known"},
};

// What a client must have declared to be asked for it, and what the server must have declared.
struct DeclaredUse {
  std::string_view family;
  std::string_view method;
  std::string_view capability;
};
inline constexpr std::array kUsesOfClients = {
    DeclaredUse{"mcp", "roots/list", "/roots"},
    DeclaredUse{"mcp", "sampling/createMessage", "/sampling"},
    DeclaredUse{"mcp", "elicitation/create", "/elicitation"},
    DeclaredUse{"mcp", "tasks/list", "/tasks/list"},
    DeclaredUse{"mcp", "tasks/cancel", "/tasks/cancel"},
    DeclaredUse{"mcp", "tasks/get", "/tasks"},
    DeclaredUse{"mcp", "tasks/result", "/tasks"},
    DeclaredUse{"lsp", "workspace/configuration", "/workspace/configuration"},
    DeclaredUse{"lsp", "workspace/workspaceFolders", "/workspace/workspaceFolders"},
    DeclaredUse{"lsp", "workspace/applyEdit", "/workspace/applyEdit"},
    DeclaredUse{"lsp", "window/workDoneProgress/create", "/window/workDoneProgress"},
};
inline constexpr std::array kUsesOfServers = {
    DeclaredUse{"mcp", "resources/subscribe", "/resources/subscribe"},
    DeclaredUse{"mcp", "tasks/list", "/tasks/list"},
    DeclaredUse{"mcp", "tasks/cancel", "/tasks/cancel"},
    DeclaredUse{"mcp", "tasks/", "/tasks"},
    DeclaredUse{"mcp", "tools/", "/tools"},
    DeclaredUse{"mcp", "resources/", "/resources"},
    DeclaredUse{"mcp", "prompts/", "/prompts"},
    DeclaredUse{"mcp", "logging/", "/logging"},
    DeclaredUse{"mcp", "completion/", "/completions"},
    DeclaredUse{"lsp", "textDocument/hover", "/hoverProvider"},
    DeclaredUse{"lsp", "textDocument/completion", "/completionProvider"},
    DeclaredUse{"lsp", "textDocument/definition", "/definitionProvider"},
    DeclaredUse{"lsp", "textDocument/references", "/referencesProvider"},
    DeclaredUse{"lsp", "textDocument/documentSymbol", "/documentSymbolProvider"},
    DeclaredUse{"lsp", "textDocument/formatting", "/documentFormattingProvider"},
    DeclaredUse{"lsp", "textDocument/rename", "/renameProvider"},
    DeclaredUse{"lsp", "workspace/symbol", "/workspaceSymbolProvider"},
};

}  // namespace jrpcheck::judge
