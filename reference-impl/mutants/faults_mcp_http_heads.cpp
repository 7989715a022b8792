// Defects of an MCP server over HTTP since 2026-07-28, where the head says again what the body
// says.
#include "base/letter_case.hpp"
#include "reference-impl/mutants/mcp_edits.hpp"
#include "reference-impl/mutants/mcp_http_edits.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using wire::HttpMessage;

constexpr const char* kMethodField = "Mcp-Method";
constexpr const char* kNameField = "Mcp-Name";
constexpr const char* kVersionField = "MCP-Protocol-Version";

std::string text_in(const HttpMessage& request, const char* pointer) {
  const json found = at(json::parse(request.body, nullptr, false), pointer);
  return found.is_string() ? found.get<std::string>() : std::string();
}

void mend(HttpMessage& request, const char* field, const std::string& value) {
  if (!value.empty()) set_field(request, field, value);
}

void mend_method(HttpMessage& request) { mend(request, kMethodField, mcp_method_of(request)); }

void mend_name(HttpMessage& request) {
  const std::string name = text_in(request, "/params/name");
  mend(request, kNameField, name.empty() ? text_in(request, "/params/uri") : name);
}

void mend_all(HttpMessage& request) {
  mend(request, kVersionField,
       text_in(request, "/params/_meta/io.modelcontextprotocol~1protocolVersion"));
  mend_method(request);
  mend_name(request);
}

/// Responses with one of these codes have this status.
Behaviour errors_under(int status, std::vector<int> codes) {
  return mcp_http_response([status, codes](HttpMessage& response) {
    const json body = json::parse(response.body, nullptr, false);
    const json code = at(body, "/error/code");
    for (const int each : codes) {
      if (code == each) response.status = status;
    }
  });
}

/// The refusal of a head that does not fit is edited: it has -32020.
Behaviour head_refusals(std::function<void(HttpMessage& response)> edit) {
  return mcp_http_response([](const HttpMessage& request) { return request.body.starts_with('{'); },
                           [edit = std::move(edit)](HttpMessage& response) {
                             const json body = json::parse(response.body, nullptr, false);
                             if (at(body, "/error/code") == -32020) edit(response);
                           });
}

/// A request for which `applies` is refused as one whose head does not fit.
Behaviour misread(HttpCondition applies) {
  return edit_http_request([applies = std::move(applies)](HttpMessage& request) {
    if (applies(request)) set_field(request, kMethodField, "misread");
  });
}

bool has_field_named_like(const HttpMessage& request, std::string_view beginning) {
  for (const auto& [name, value] : request.fields) {
    if (begins_ignoring_case(name, beginning)) return true;
  }
  return false;
}

bool has_other_case(const HttpMessage& request) {
  for (const auto& [name, value] : request.fields) {
    if (same_ignoring_case(name, kMethodField) && name != kMethodField) return true;
  }
  return false;
}

}  // namespace

std::span<const Mutant> mcp_http_head_faults() {
  static const Mutant all[] = {
      {"mcp-http-heads-unread",
       breaks("mcp-hdr-version-missing", "mcp-hdr-version-mismatch", "mcp-hdr-method-missing",
              "mcp-hdr-method-mismatch", "mcp-hdr-value-case", "mcp-hdr-name-missing",
              "mcp-hdr-name-mismatch", "mcp-hdr-base64-wrong", "mcp-hdr-base64-bad"),
       kHttp, "Nobody reads what the head says.", edit_http_request(mend_all)},
      {"mcp-http-head-method-unread",
       breaks("mcp-hdr-method-missing", "mcp-hdr-method-mismatch", "mcp-hdr-value-case"), kHttp,
       "Nobody reads Mcp-Method.", edit_http_request(mend_method)},
      {"mcp-http-head-name-unread",
       breaks("mcp-hdr-name-missing", "mcp-hdr-name-mismatch", "mcp-hdr-base64-wrong",
              "mcp-hdr-base64-bad"),
       kHttp, "Nobody reads Mcp-Name.", edit_http_request(mend_name)},
      {"mcp-http-head-refused-200",
       breaks("mcp-hdr-version-missing", "mcp-hdr-version-mismatch", "mcp-hdr-method-missing",
              "mcp-hdr-method-mismatch", "mcp-hdr-value-case", "mcp-hdr-name-missing",
              "mcp-hdr-name-mismatch", "mcp-hdr-base64-wrong", "mcp-hdr-base64-bad"),
       kHttp, "A head that does not fit is refused under 200.", errors_under(200, {-32020})},
      {"mcp-http-head-refused-bare",
       breaks("mcp-hdr-version-mismatch", "mcp-hdr-method-missing", "mcp-hdr-method-mismatch",
              "mcp-hdr-value-case", "mcp-hdr-name-missing", "mcp-hdr-name-mismatch",
              "mcp-hdr-base64-wrong", "mcp-hdr-base64-bad"),
       kHttp, "A head that does not fit is refused under 400, and nothing says why.",
       head_refusals([](HttpMessage& response) { response.body.clear(); })},
      {"mcp-http-head-refused-otherwise",
       breaks("mcp-hdr-version-mismatch", "mcp-hdr-method-missing", "mcp-hdr-method-mismatch",
              "mcp-hdr-value-case", "mcp-hdr-name-missing", "mcp-hdr-name-mismatch",
              "mcp-hdr-base64-wrong", "mcp-hdr-base64-bad"),
       kHttp, "A head that does not fit is refused under 400 with -32600.",
       head_refusals([](HttpMessage& response) {
         response.body = replaced(response.body, "-32020", "-32600");
       })},
      {"mcp-http-head-value-case", breaks("mcp-hdr-value-case"), kHttp,
       "Mcp-Method is compared whatever its case.", edit_http_request([](HttpMessage& request) {
         const auto value = request.field(kMethodField);
         if (value && same_ignoring_case(*value, mcp_method_of(request))) mend_method(request);
       })},
      {"mcp-http-head-field-case", breaks("mcp-hdr-field-case"), kHttp,
       "Fields are found by their exact names.", misread(has_other_case)},
      {"mcp-http-head-value-space", breaks("mcp-hdr-value-space"), kHttp,
       "White space around a value counts.", misread([](const HttpMessage& request) {
         return request.head.find("Mcp-Method:  ") != std::string::npos;
       })},
      {"mcp-http-head-base64", breaks("mcp-hdr-base64"), kHttp, "Base64 is not decoded.",
       misread([](const HttpMessage& request) {
         return request.field(kNameField).value_or("").starts_with("=?base64?");
       })},
      {"mcp-http-head-param", breaks("mcp-hdr-param-unknown"), kHttp,
       "A field of params that nobody knows is refused.", misread([](const HttpMessage& request) {
         return has_field_named_like(request, "Mcp-Param-");
       })},
      {"mcp-http-errors-200", breaks("mcp-st-meta-400", "mcp-st-version-400"), kHttp,
       "Requests that lack metadata are refused under 200.", errors_under(200, {-32602, -32022})},
      {"mcp-http-unknown-method-200", breaks("mcp-http-method-404"), kHttp,
       "An unknown method is answered under 200.", errors_under(200, {-32601})},
      {"mcp-http-get-served", breaks("mcp-http-get-405"), kHttp, "GET is served.",
       mcp_http_refusing(200, [](const HttpMessage& request) { return request.method == "GET"; })},
      {"mcp-http-delete-served", breaks("mcp-http-delete-405"), kHttp, "DELETE is served.",
       mcp_http_refusing(200,
                         [](const HttpMessage& request) { return request.method == "DELETE"; })},
      {"mcp-http-session-heeded", breaks("mcp-http-session-ignored"), kHttp,
       "Whoever names a session is refused.",
       mcp_http_refusing(
           400,
           [](const HttpMessage& request) { return request.field("Mcp-Session-Id").has_value(); })},
      {"mcp-http-last-event-heeded", breaks("mcp-http-last-event-ignored"), kHttp,
       "Whoever names an event is refused.",
       mcp_http_refusing(
           400,
           [](const HttpMessage& request) { return request.field("Last-Event-ID").has_value(); })},
      {"mcp-http-stream-buffered", breaks("mcp-http-x-accel"), kHttp,
       "Streams do not ask proxies to pass them on.", mcp_http_response([](HttpMessage& response) {
         remove_field(response, "X-Accel-Buffering");
       })},
      {"mcp-http-session-given", breaks("mcp-http-session-none"), kHttp,
       "A session id is given out.", mcp_http_response([](HttpMessage& response) {
         set_field(response, "Mcp-Session-Id", "1");
       })},
      {"mcp-http-stream-tells-changes",
       breaks("mcp-http-sse-related-4").perhaps("mcp-list-changed-declared", "mcp-sub-acked"),
       kHttp, "Changes of lists are told on any stream.",
       say_before("tools/list",
                  {R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})"})},
  };
  return all;
}

}  // namespace jrpcheck::reference
