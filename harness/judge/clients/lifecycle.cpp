#include "judge/clients/lifecycle.hpp"

namespace jrpcheck::judge {

using json::Value;

void ClientLifecycle::hear(const Value& message, const std::string& method, bool is_request) {
  const auto& words = charges_.words();
  if (method == "initialize") return begin(message);
  if (method == words.initialized) return take_initialized(message);
  if (method == "ping" && charges_.is_mcp()) return;
  if (words.family == "lsp" && judge_leaving(message, method)) return;
  if (is_refused_) return;  // what follows a refusal is not written down
  if (!has_begun_) {
    charges_.exercise(words.init_first);
    has_begun_ = is_answered_ = is_initialized_ = true;  // that is told once
    return charges_.charge(words.init_first, message, "/method",
                           "The client's first message is " + method + ", and not initialize.",
                           "initialize first");
  }
  // MCP says it of requests alone.
  if (!is_request && charges_.is_mcp()) return;
  if (!is_answered_) {
    return charges_.charge(words.init_wait, message, "/method",
                           "The client does not wait for the answer to initialize.",
                           "nothing before it");
  }
  if (is_initialized_) return;
  charges_.charge(
      words.initialized_after, message, "/method",
      "The client asks for something before it has sent " + std::string(words.initialized) + ".",
      std::string(words.initialized) + " first");
}

void ClientLifecycle::begin(const Value& message) {
  const auto& words = charges_.words();
  for (const auto each : {words.init_first, words.init_shape, words.init_wait})
    charges_.exercise(each);
  if (charges_.is_mcp()) charges_.exercise("mcp-c-batch-init");
  if (has_begun_ && words.family == "lsp") {
    charges_.charge("lsp-c-init-first", message, "/method", "initialize comes a second time.",
                    "initialize once");
  }
  has_begun_ = true;
  is_answered_ = is_initialized_ = is_refused_ = asks_to_shut_down_ = false;
  const Value* params = message.find("params");
  for (const auto name : words.opening_members) {
    if (params != nullptr && params->find(name) != nullptr) continue;
    charges_.charge(words.init_shape, message, "/params",
                    "initialize has no " + std::string(name) + ".", std::string(name));
  }
}

void ClientLifecycle::take_answer(bool is_result) {
  if (is_result) {
    is_answered_ = true;
    return;
  }
  // It may ask again (InitializeError.retry), or leave; no session has begun.
  has_begun_ = false;
  is_refused_ = true;
}

void ClientLifecycle::take_initialized(const Value& message) {
  if (is_refused_) return;
  const auto& words = charges_.words();
  charges_.exercise(words.initialized_after);
  if (!is_answered_ || message.find("id") != nullptr) {
    charges_.charge(words.initialized_after, message, "/method",
                    is_answered_
                        ? "That the client is ready is said by a request."
                        : "The client says that it is ready before initialize is answered.",
                    "a notification after the answer");
  }
  if (is_initialized_ && words.family == "lsp") {
    charges_.charge(words.initialized_after, message, "/method", "initialized comes a second time.",
                    "initialized once");
  }
  is_initialized_ = true;
}

// LSP: shutdown, then exit, and nothing between them. True where all is said of the message.
bool ClientLifecycle::judge_leaving(const Value& message, const std::string& method) {
  const bool is_leave = method == "shutdown" || method == "exit";
  if (is_leave) {
    charges_.exercise("lsp-c-shutdown-params");
    // null is charged as params of no request (cl-req-params).
    const Value* params = message.find("params");
    if (params != nullptr && !params->is(json::Kind::null)) {
      charges_.charge("lsp-c-shutdown-params", message, "/params", method + " has params.",
                      "no params");
    }
  }
  if (method == "exit") {
    // Who gives up while initialize is not answered may send nothing else.
    if (!has_begun_ || !is_answered_) return true;
    charges_.exercise("lsp-c-shutdown-exit");
    if (!asks_to_shut_down_) {
      charges_.charge("lsp-c-shutdown-exit", message, "/method", "exit comes without shutdown.",
                      "shutdown first");
    }
    return true;
  }
  if (asks_to_shut_down_) {
    charges_.charge("lsp-c-shutdown-exit", message, "/method",
                    "Between shutdown and exit the client sends " + method + ".", "exit alone");
    return true;
  }
  asks_to_shut_down_ = method == "shutdown";
  return false;
}

}  // namespace jrpcheck::judge
