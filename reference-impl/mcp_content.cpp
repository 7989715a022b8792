#include "reference-impl/mcp_content.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reference-impl/error.hpp"
#include "reference-impl/mcp_server.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

constexpr std::size_t kPage = 2;
constexpr const char* kCursor = "page-";
constexpr int kResourceNotFound = -32002;
// A picture of one pixel.
constexpr const char* kPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+"
    "M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/// Lists are given in pages of two, so that a client has to follow the cursors.
json page_of(const json& items, const char* name, const json& params) {
  std::size_t from = 0;
  if (params.contains("cursor")) {
    const std::string cursor =
        params["cursor"].is_string() ? params["cursor"].get<std::string>() : std::string();
    const auto number = cursor.starts_with(kCursor) ? cursor.substr(5) : std::string();
    const bool is_ours =
        !number.empty() && number.size() < 6 &&
        std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    from = is_ours ? std::stoul(number) : 0;
    if (from == 0 || from >= items.size()) throw invalid_params("the cursor is not one of ours");
  }
  const std::size_t to = std::min(from + kPage, items.size());
  json result = {{name, json::array()}};
  for (std::size_t i = from; i < to; ++i) result[name].push_back(items[i]);
  if (to < items.size()) result["nextCursor"] = kCursor + std::to_string(to);
  return result;
}

std::string text_of(const json& params, const char* name) {
  const auto found = params.find(name);
  if (found == params.end() || !found->is_string()) {
    throw invalid_params(std::string(name) + " must be a string");
  }
  return found->get<std::string>();
}

json object_schema(const json& properties, const json& required) {
  json schema = {{"type", "object"}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

json tools_of(const McpServer& server) {
  const json only_reads = {{"readOnlyHint", true}, {"openWorldHint", false}};
  const json text = {{"type", "string"}};
  const json number = {{"type", "number"}};
  json add = {{"name", "add"},
              {"description", "Adds two numbers"},
              {"inputSchema", object_schema({{"a", number}, {"b", number}}, {"a", "b"})},
              {"annotations", only_reads}};
  if (server.is_since("2025-06-18")) {
    add["outputSchema"] = object_schema({{"sum", number}}, {"sum"});
  }
  return {{{"name", "echo"},
           {"description", "Gives back a message"},
           {"inputSchema", object_schema({{"message", text}}, {"message"})},
           {"annotations", only_reads}},
          add,
          {{"name", "picture"},
           {"description", "Gives a picture, a sound and a resource"},
           {"inputSchema", object_schema(json::object(), json::array())},
           {"annotations", only_reads}},
          {{"name", "forget"},
           {"description", "Does something that cannot be undone"},
           {"inputSchema", object_schema(json::object(), json::array())},
           {"annotations", {{"readOnlyHint", false}, {"destructiveHint", true}}}}};
}

json text_content(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

json failed(const std::string& why) {
  return {{"content", json::array({text_content(why)})}, {"isError", true}};
}

/// Why the arguments do not fit; empty where they do.
std::string mismatch(const json& schema, const json& arguments) {
  for (const auto& [name, property] : schema.at("properties").items()) {
    const auto found = arguments.find(name);
    if (found == arguments.end()) return name + " is missing";
    const bool is_text = property.at("type") == "string";
    if (is_text ? !found->is_string() : !found->is_number()) return name + " has the wrong type";
  }
  return {};
}

json resources() {
  return {{{"uri", "reference://text"},
           {"name", "text"},
           {"mimeType", "text/plain"},
           {"size", 5},
           {"annotations", {{"audience", {"user"}}, {"priority", 0.5}}}},
          {{"uri", "reference://picture"}, {"name", "picture"}, {"mimeType", "image/png"}},
          {{"uri", "reference://empty"}, {"name", "empty"}, {"size", 0}}};
}

json contents_of(const std::string& uri) {
  json contents = {{"uri", uri}};
  if (uri == "reference://picture") {
    contents["mimeType"] = "image/png";
    contents["blob"] = kPixel;
  } else {
    contents["text"] = uri == "reference://text" ? "hello" : "";
  }
  return contents;
}

bool is_resource(const std::string& uri) {
  const json all = resources();
  return std::any_of(all.begin(), all.end(), [&](const json& each) { return each["uri"] == uri; });
}

json prompts() {
  return {{{"name", "hello"}, {"description", "Says hello"}},
          {{"name", "greet"},
           {"description", "Greets somebody"},
           {"arguments", {{{"name", "who"}, {"required", true}}, {{"name", "how"}}}}},
          {{"name", "picture"}, {"description", "Shows a picture"}}};
}

json message_of(const json& content) { return {{"role", "user"}, {"content", content}}; }

json picture_content() { return {{"type", "image"}, {"data", kPixel}, {"mimeType", "image/png"}}; }

}  // namespace

json mcp_list_tools(const McpServer& server, const json& params) {
  return page_of(tools_of(server), "tools", params);
}

json mcp_call_tool(const McpServer& server, const json& params) {
  const std::string name = text_of(params, "name");
  const json arguments = params.value("arguments", json::object());
  const json all = tools_of(server);
  const auto tool =
      std::find_if(all.begin(), all.end(), [&](const json& each) { return each["name"] == name; });
  if (tool == all.end()) throw invalid_params("there is no tool '" + name + "'");
  const std::string wrong = mismatch((*tool)["inputSchema"], arguments);
  if (!wrong.empty() && !server.is_since("2025-11-25")) throw invalid_params(wrong);
  if (!wrong.empty()) return failed(wrong);
  if (name == "echo") return {{"content", {text_content(arguments["message"])}}};
  if (name == "picture") {
    const json resource = {{"type", "resource"}, {"resource", contents_of("reference://text")}};
    return {{"content",
             {picture_content(),
              {{"type", "audio"}, {"data", "UklGRg=="}, {"mimeType", "audio/wav"}},
              resource}}};
  }
  if (name == "forget") return {{"content", {text_content("forgotten")}}};
  const json sum = {{"sum", arguments["a"].get<double>() + arguments["b"].get<double>()}};
  json result = {{"content", {text_content(sum.dump())}}};
  if (server.is_since("2025-06-18")) result["structuredContent"] = sum;
  return result;
}

json mcp_list_resources(const McpServer&, const json& params) {
  return page_of(resources(), "resources", params);
}

json mcp_list_templates(const McpServer&, const json& params) {
  return page_of({{{"uriTemplate", "reference://number/{n}"}, {"name", "number"}}},
                 "resourceTemplates", params);
}

json mcp_read_resource(const McpServer& server, const json& params) {
  const std::string uri = text_of(params, "uri");
  if (!is_resource(uri)) {
    const int code = server.is_stateless() ? static_cast<int>(kInvalidParams) : kResourceNotFound;
    throw RpcError(code, "there is no such resource", {{"uri", uri}});
  }
  return {{"contents", {contents_of(uri)}}};
}

json mcp_subscribe(const McpServer&, const json& params) {
  if (!is_resource(text_of(params, "uri"))) throw invalid_params("there is no such resource");
  return json::object();
}

json mcp_listen(const McpServer&, const json& params) {
  const json asked = params.value("notifications", json());
  if (!asked.is_object()) throw invalid_params("notifications must be an object");
  json promised = json::object();
  if (asked.value("toolsListChanged", json()) == true) promised["toolsListChanged"] = true;
  const json uris = asked.value("resourceSubscriptions", json::array());
  if (!uris.is_array()) throw invalid_params("resourceSubscriptions must be an array");
  for (const auto& uri : uris) {
    if (uri.is_string() && is_resource(uri)) promised["resourceSubscriptions"].push_back(uri);
  }
  return {{"notifications", promised}};
}

json mcp_list_prompts(const McpServer&, const json& params) {
  return page_of(prompts(), "prompts", params);
}

json mcp_get_prompt(const McpServer&, const json& params) {
  const std::string name = text_of(params, "name");
  const json arguments = params.value("arguments", json::object());
  if (name == "hello") return {{"messages", {message_of(text_content("hello"))}}};
  if (name == "picture") return {{"messages", {message_of(picture_content())}}};
  if (name != "greet") throw invalid_params("there is no prompt '" + name + "'");
  return {{"messages", {message_of(text_content("greet " + text_of(arguments, "who")))}}};
}

json mcp_complete(const McpServer&, const json& params) {
  const json ref = params.value("ref", json::object());
  const json argument = params.value("argument", json::object());
  const std::string type = text_of(ref, "type");
  const bool is_template =
      type == "ref/resource" && text_of(ref, "uri") == "reference://number/{n}";
  if (!is_template && (type != "ref/prompt" || text_of(ref, "name") != "greet")) {
    throw invalid_params("there is nothing like that to complete");
  }
  text_of(argument, "name");
  text_of(argument, "value");
  return {{"completion", {{"values", {"Ada", "Alan"}}, {"total", 2}, {"hasMore", false}}}};
}

}  // namespace jrpcheck::reference
