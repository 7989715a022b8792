#include "reference-impl/client/stateless_metadata.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "wire/header_text.hpp"

namespace jrpcheck::reference {

namespace {

using Json = SessionJson;

constexpr const char* kAnnotation = "x-mcp-header";

}  // namespace

Json RequestMetadata::meta(const std::string& version, int last) const {
  Json meta = {
      {"io.modelcontextprotocol/protocolVersion", version},
      {"io.modelcontextprotocol/clientCapabilities",
       {{"roots", Json::object()},
        {"sampling", Json::object()},
        {"elicitation", {{"form", Json::object()}}}}},
      {"io.modelcontextprotocol/clientInfo", {{"name", "jrpcheck-reference"}, {"version", "1"}}}};
  if (is("no-version")) meta.erase("io.modelcontextprotocol/protocolVersion");
  if (is("no-capabilities")) meta.erase("io.modelcontextprotocol/clientCapabilities");
  if (is("declares-nothing")) meta["io.modelcontextprotocol/clientCapabilities"] = Json::object();
  if (is("client-name-number")) meta["io.modelcontextprotocol/clientInfo"]["name"] = 7;
  if (is("no-client-info")) meta.erase("io.modelcontextprotocol/clientInfo");
  if (is("odd-meta-key")) meta["-odd-/key"] = 1;
  if (is("own-meta-key")) meta["com.example/a_b.c-d"] = 1;
  if (is("progress-token")) meta["progressToken"] = Json::array();
  if (is("own-progress-token")) meta["progressToken"] = last;
  return meta;
}

wire::HttpFields RequestMetadata::head(const Json& message, const std::string& version,
                                       const std::vector<Json>& tools) const {
  const Json& one = message.is_array() ? message.front() : message;
  wire::HttpFields fields;
  if (!one.contains("method") || !one.contains("id")) return fields;
  const std::string method = one["method"];
  if (!is("http-no-version")) {
    fields.emplace_back("MCP-Protocol-Version", is("http-old-version") ? "2025-11-25" : version);
  }
  if (!is("http-no-method")) fields.emplace_back("Mcp-Method", method);
  if (method != "tools/call" || !one["params"].is_object()) return fields;
  const std::string name = one["params"]["name"];
  if (!is("http-no-name")) {
    const std::string encoded = "=?base64?" + to_base64(name) + "?=";
    fields.emplace_back("Mcp-Name", is("http-raw-name")       ? name
                                    : is("encodes-all-names") ? encoded
                                                              : wire::field_value_of(name));
  }
  for (const auto& tool : tools) {
    if (tool["name"] == name && !is("http-no-params")) add_arguments(one["params"], tool, fields);
  }
  return fields;
}

void RequestMetadata::add_arguments(const Json& params, const Json& tool,
                                    wire::HttpFields& fields) const {
  const Json properties = properties_of(tool);
  for (const auto& [property, schema] : properties.items()) {
    const Json value = params["arguments"].value(property, Json());
    if (!schema.contains(kAnnotation) || !has_valid_annotations(tool)) continue;
    if (value.is_null() && !is("http-null-param")) continue;
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_number() && is("http-odd-number")) text = "-4.2e1";
    const bool is_raw = value.is_string() && is("http-raw-param");
    fields.emplace_back("Mcp-Param-" + schema[kAnnotation].get<std::string>(),
                        is_raw ? text : wire::field_value_of(text));
  }
}

Json properties_of(const Json& tool) {
  return tool.value("inputSchema", Json::object()).value("properties", Json::object());
}

bool has_valid_annotations(const Json& tool) {
  const Json properties = properties_of(tool);
  return std::all_of(properties.begin(), properties.end(), [](const Json& each) {
    return !each.contains(kAnnotation) || wire::is_token(each[kAnnotation].get<std::string>());
  });
}

}  // namespace jrpcheck::reference
