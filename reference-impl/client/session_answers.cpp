#include "reference-impl/client/session_answers.hpp"

#include <vector>

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

/// A result of a tool beside something else, or a use of one without a result.
bool mixes_tool_results(const Json& params) {
  bool has_use = false;
  for (const auto& message : params.value("messages", Json::array())) {
    const Json& content = message["content"];
    const Json parts = content.is_array() ? content : Json::array({content});
    std::size_t results = 0;
    for (const auto& part : parts) results += part.value("type", "") == "tool_result" ? 1 : 0;
    const bool is_result = results == parts.size();
    if ((results > 0 && !is_result) || (has_use && !is_result)) return true;
    has_use = parts.front().value("type", "") == "tool_use";
  }
  return has_use;
}

/// What the schema asks for, as far as it goes.
Json filled_in(const Json& schema) {
  Json content = Json::object();
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [name, each] : properties.items()) {
    const auto type = each.value("type", "");
    content[name] = each.contains("enum") ? each["enum"].front()
                    : type == "integer"   ? each.value("minimum", Json(1))
                                          : Json("reference");
  }
  return content;
}

}  // namespace

Json SessionAnswers::capabilities() const {
  if (is("mcp-no-roots")) return Json::object();
  Json all = {{"roots", Json::object()}};
  if (elicits_and_samples()) {
    all["elicitation"] = Json::object();
    all["sampling"] = Json::object();
    if (is("mcp-http-fetches-before")) {
      all["elicitation"] = {{"form", Json::object()}, {"url", Json::object()}};
    }
    if (samples_with_declared_tools()) all["sampling"]["tools"] = Json::object();
  }
  if (tasks_.serves_tasks()) all["tasks"] = SessionTasks::capability();
  return all;
}

std::optional<Json> SessionAnswers::result_of(const std::string& method, const Json& params) const {
  if (is("mcp-serves-all") || is("lsp-serves-all")) return Json::object();
  if (is_mcp_) return result_of_mcp(method, params);
  if (method == "workspace/configuration" && !is("lsp-configuration-refused")) {
    const std::size_t items = params["items"].size();
    return Json(std::vector<Json>(is("lsp-one-configuration") ? 1 : items));
  }
  const bool is_taken =
      method == "window/workDoneProgress/create" || method == "client/registerCapability";
  return is_taken ? std::optional(Json()) : std::nullopt;
}

bool SessionAnswers::refuses_a_part(const std::string& method, const Json& params) const {
  if (!elicits_and_samples()) return false;
  const bool has_no_mode = method == "elicitation/create" && !params.contains("mode");
  if (has_no_mode && is("mcp-elicits-with-mode-alone")) return true;
  if (method == "elicitation/create" && is("mcp-http-fetches-before")) return false;
  if (method == "sampling/createMessage" && samples_with_declared_tools()) {
    return mixes_tool_results(params) && !is("mcp-samples-mixed");
  }
  const bool is_by_url = method == "elicitation/create" && params.value("mode", "") == "url";
  const bool has_tools = method == "sampling/createMessage" && params.contains("tools");
  return (is_by_url && !is("mcp-elicits-by-url")) || (has_tools && !is("mcp-samples-with-tools"));
}

// Elicits by forms and samples, neither with all that there is.
bool SessionAnswers::elicits_and_samples() const {
  return is("mcp-elicits-and-samples") || is("mcp-elicits-by-url") ||
         is("mcp-samples-with-tools") || is("mcp-task-of-its-own") || is("mcp-fills-in-forms") ||
         is("mcp-elicits-anything") || is("mcp-elicits-with-mode-alone") ||
         is("mcp-http-fetches-before") || samples_with_declared_tools() || tasks_.serves_tasks();
}

bool SessionAnswers::samples_with_declared_tools() const {
  return is("mcp-samples-mixed") || is("mcp-samples-with-declared-tools");
}

Json SessionAnswers::elicited(const Json& params) const {
  if (is("mcp-http-fetches-before") && params.contains("url")) carrier_.fetch(params["url"]);
  const Json schema = params.value("requestedSchema", Json::object());
  if (is("mcp-fills-in-forms")) return {{"action", "accept"}, {"content", filled_in(schema)}};
  if (is("mcp-elicits-anything")) {
    return {{"action", "accept"}, {"content", {{"answer", "anything"}}}};
  }
  return {{"action", "decline"}};
}

std::optional<Json> SessionAnswers::result_of_mcp(const std::string& method,
                                                  const Json& params) const {
  if (elicits_and_samples() && !refuses_a_part(method, params)) {
    if (method == "elicitation/create") return elicited(params);
    const Json text = {{"type", "text"}, {"text", "reference"}};
    if (method == "sampling/createMessage") {
      return Json{{"role", "assistant"}, {"model", "none"}, {"content", text}};
    }
  }
  if (method == "ping" && !is("mcp-ping-refused")) {
    return is("mcp-result-text") ? Json("pong") : Json::object();
  }
  if (method == "roots/list" && !is("mcp-roots-refused") && !is("mcp-no-roots")) {
    const std::string uri = is("mcp-roots-paths") ? "/tmp" : "file:///tmp";
    return Json{{"roots", {{{"uri", uri}, {"name", "tmp"}}}}};
  }
  return std::nullopt;
}

}  // namespace jrpcheck::reference
