// What the head of a request says of its body, from 2026-07-28 on.
#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/mcp_http.hpp"

namespace jrpcheck::reference {
namespace {

using nlohmann::json;

constexpr int kHeaderMismatch = -32020;
constexpr std::string_view kEncodedBegin = "=?base64?";
constexpr std::string_view kEncodedEnd = "?=";

/// The text that a value stands for: itself, or what it is the Base64 of. Nothing where it is none.
std::optional<std::string> decoded(std::string_view value) {
  if (!value.starts_with(kEncodedBegin) || !value.ends_with(kEncodedEnd) ||
      value.size() < kEncodedBegin.size() + kEncodedEnd.size()) {
    return std::string(value);
  }
  value.remove_prefix(kEncodedBegin.size());
  value.remove_suffix(kEncodedEnd.size());
  return from_base64(value);
}

/// What of the body the field says again; nothing where there is none.
std::optional<std::string> text_at(const json& body, const char* pointer) {
  const json::json_pointer at(pointer);
  if (!body.is_object() || !body.contains(at) || !body[at].is_string()) return std::nullopt;
  return body[at].get<std::string>();
}

std::optional<McpRefusal> mismatch(const wire::HttpMessage& request, const char* field,
                                   const std::optional<std::string>& due) {
  if (!due) return std::nullopt;
  const auto value = request.field(field);
  if (!value) return McpRefusal{kHeaderMismatch, std::string(field) + " is missing"};
  if (decoded(*value) == due) return std::nullopt;
  return McpRefusal{kHeaderMismatch, std::string(field) + " is not what the body says"};
}

}  // namespace

std::optional<McpRefusal> refusal_by_head(const wire::HttpMessage& request, const json& body,
                                          std::string_view version) {
  const auto method = text_at(body, "/method");
  if (!method || !body.contains("id")) return std::nullopt;
  const auto named = text_at(body, "/params/_meta/io.modelcontextprotocol~1protocolVersion");
  if (auto refused = mismatch(request, "MCP-Protocol-Version",
                              named ? named : std::optional(std::string(version)))) {
    return refused;
  }
  if (auto refused = mismatch(request, "Mcp-Method", method)) return refused;
  const bool has_name = *method == "tools/call" || *method == "prompts/get";
  if (has_name) return mismatch(request, "Mcp-Name", text_at(body, "/params/name"));
  if (*method == "resources/read") {
    return mismatch(request, "Mcp-Name", text_at(body, "/params/uri"));
  }
  return std::nullopt;
}

}  // namespace jrpcheck::reference
