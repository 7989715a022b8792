#include "reference-impl/lsp_server.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "reference-impl/batch.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/request.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using LspMethod = json (*)(const json& params);

constexpr int kServerNotInitialized = -32002;

json capabilities() {
  return {{"textDocumentSync", 1},
          {"hoverProvider", true},
          {"completionProvider", json::object()},
          {"definitionProvider", true},
          {"documentSymbolProvider", false},
          {"workspaceSymbolProvider", true}};
}

json initialize() {
  return {{"capabilities", capabilities()},
          {"serverInfo", {{"name", "jrpcheck-reference"}, {"version", "1"}}}};
}

void need_document(const json& params) {
  const json document = params.value("textDocument", json());
  if (!document.is_object() || !document.value("uri", json()).is_string()) {
    throw invalid_params("textDocument names no document");
  }
}

/// Of a document that nobody has opened there is nothing to tell.
json nothing_about(const json& params) {
  need_document(params);
  return nullptr;
}

json no_items(const json& params) {
  need_document(params);
  return {{"isIncomplete", false}, {"items", json::array()}};
}

json symbols(const json& params) {
  if (!params.value("query", json()).is_string()) throw invalid_params("query must be a string");
  return json::array();
}

const std::map<std::string, LspMethod>& methods_of_lsp() {
  static const std::map<std::string, LspMethod> by_name = {
      {"textDocument/hover", &nothing_about},
      {"textDocument/definition", &nothing_about},
      {"textDocument/completion", &no_items},
      {"workspace/symbol", &symbols}};
  return by_name;
}

}  // namespace

LspServer::LspServer(Leave leave, Limits limits) : leave_(std::move(leave)), limits_(limits) {}

std::optional<std::string> LspServer::handle(std::string_view message) const {
  return answer_requests(message, limits_, "a message is one object",
                         [this](const Request& request) { return carry_out(request); });
}

nlohmann::json LspServer::carry_out(const Request& request) const {
  if (request.kind == Request::Kind::notification) {
    if (request.method == "exit") leave_(stage_ == Stage::shut_down ? 0 : 1);
    return nullptr;
  }
  if (!request.params_obstacle.empty()) throw invalid_params(request.params_obstacle);
  if (stage_ == Stage::shut_down) throw RpcError(kInvalidRequest, "the server is shut down");
  if (request.method == "initialize") {
    if (stage_ != Stage::begun) throw RpcError(kInvalidRequest, "initialize comes once");
    if (!request.params.is_object() || !request.params.value("capabilities", json()).is_object()) {
      throw invalid_params("initialize takes the capabilities of the client");
    }
    stage_ = Stage::initialized;
    return initialize();
  }
  if (stage_ == Stage::begun) throw RpcError(kServerNotInitialized, "initialize comes first");
  if (request.method == "shutdown") {
    stage_ = Stage::shut_down;
    return nullptr;
  }
  const auto found = methods_of_lsp().find(request.method);
  if (found == methods_of_lsp().end()) throw RpcError(kMethodNotFound, "there is no such method");
  return found->second(request.params.is_object() ? request.params : json::object());
}

}  // namespace jrpcheck::reference
