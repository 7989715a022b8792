// Defects in the shape of Responses (JSON-RPC 2.0 §5).
#include <algorithm>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

Behaviour with_version(std::string version) {
  return on_response(
      [version = std::move(version)](ObjectText& response) { response.set("jsonrpc", version); });
}

void remove_null_result(ObjectText& response) {
  if (response.is("result", "null")) response.remove("result");
}

Behaviour with_null_result(std::string value) {
  return on_success([value = std::move(value)](ObjectText& response) {
    if (response.is("result", "null")) response.set("result", value);
  });
}

Behaviour with_name(std::string_view from, std::string_view to) {
  return on_response([from, to](ObjectText& response) { response.rename(from, to); });
}

std::string error_in_result(const ObjectText& response) {
  ObjectText wrapped = response;
  if (const std::string* error = response.find("error")) {
    wrapped.set("error", R"({"error":)" + *error + "}");
    wrapped.rename("error", "result");
  }
  return wrapped.text();
}

/// Rewrites the reply to one message that is no batch.
Behaviour on_single_reply(std::function<std::string(const std::string& reply)> rewrite) {
  return on_reply([rewrite = std::move(rewrite)](const std::string& reply) -> Reply {
    return is_array(reply) ? reply : rewrite(reply);
  });
}

bool has_string_result(const ObjectText& response) {
  const std::string* result = response.find("result");
  return result != nullptr && result->find('"') != result->npos;
}

constexpr Deviation kResponseFaults[] = {
    {"reply-error-null-on-success", "res-exclusive", kEverywhere,
     "Successful Responses have an error of null.",
     [] { return on_success([](ObjectText& response) { response.add("error", "null"); }); }},
    {"reply-result-null-on-error", "res-exclusive", kEverywhere,
     "Error Responses have a result of null.",
     [] {
       return on_error([](ObjectText& response, ObjectText&) { response.add("result", "null"); });
     }},
    {"reply-result-begun-before-error", "res-exclusive", kEverywhere,
     "A method that fails leaves the result it had begun beside the error.",
     [] {
       return on_error_of(1000,
                          [](ObjectText& response, ObjectText&) { response.add("result", "[]"); });
     }},
    {"reply-without-null-result", "res-result-on-success", kEverywhere,
     "A result of null is left out.", [] { return on_success(remove_null_result); }},
    {"reply-without-result", "res-result-on-success,(res-exclusive)", kEverywhere,
     "Successful Responses have no result.",
     [] { return on_success([](ObjectText& response) { response.remove("result"); }); }},
    {"reply-null-result-as-text", "res-result-on-success", kEverywhere,
     "A result of null is the String \"null\".", [] { return with_null_result("\"null\""); }},
    {"reply-null-result-as-error", "res-result-on-success", kEverywhere,
     "A method whose result is null is answered -32603.",
     [] {
       return on_success([](ObjectText& response) {
         if (!response.is("result", "null")) return;
         response.set("result", R"({"code":-32603,"message":"Internal error"})");
         response.rename("result", "error");
       });
     }},
    {"reply-null-result-empty", "res-json", kEverywhere,
     "A result of null has a name and no value.", [] { return with_null_result(""); }},
    {"reply-without-version", "res-version", kEverywhere, "Successful Responses have no jsonrpc.",
     [] { return on_success([](ObjectText& response) { response.remove("jsonrpc"); }); }},
    {"reply-without-version-on-error", "res-version", kEverywhere,
     "Error Responses have no jsonrpc.",
     [] {
       return on_error([](ObjectText& response, ObjectText&) { response.remove("jsonrpc"); });
     }},
    {"reply-version-number", "res-version", kEverywhere, "jsonrpc is the Number 2.0.",
     [] { return with_version("2.0"); }},
    {"reply-version-legacy", "res-version", kEverywhere, "jsonrpc is \"1.0\".",
     [] { return with_version("\"1.0\""); }},
    {"reply-version-empty-on-parse-error", "res-version", kEverywhere,
     "jsonrpc is empty in the reply to what is not JSON.",
     [] {
       return on_error_of(
           -32700, [](ObjectText& response, ObjectText&) { response.set("jsonrpc", "\"\""); });
     }},
    {"reply-result-capitalised", "res-member-names", kEverywhere, "result is spelled Result.",
     [] { return with_name("result", "Result"); }},
    {"reply-error-capitalised", "res-member-names,(par-named-exact)", kEverywhere,
     "error is spelled Error.", [] { return with_name("error", "Error"); }},
    {"reply-id-capitalised", "res-member-names", kEverywhere, "id is spelled ID.",
     [] { return with_name("id", "ID"); }},
    {"reply-version-capitalised", "res-member-names", kEverywhere, "jsonrpc is spelled JsonRpc.",
     [] { return with_name("jsonrpc", "JsonRpc"); }},
    {"reply-error-in-result", "res-error-on-failure,(*)", kEverywhere,
     "Errors are wrapped in the result.", [] { return on_response_text(error_in_result); }},
    {"reply-bare-error", "res-version,res-id-present,(res-exclusive)", kMarked,
     "Instead of a Response that refuses an invalid Request the error Object alone is sent.",
     [] {
       return on_response_text([](const ObjectText& response) {
         return code_of(response) == "-32600" ? *response.find("error") : response.text();
       });
     }},
    {"reply-id-twice", "res-duplicate-members", kEverywhere, "Error Responses have their id twice.",
     [] {
       return on_error(
           [](ObjectText& response, ObjectText&) { response.add("id", *response.find("id")); });
     }},
    {"reply-in-array", "res-object", kEverywhere,
     "The Response to a single Request stands in an Array.",
     [] { return on_single_reply([](const std::string& reply) { return "[" + reply + "]"; }); }},
    {"reply-trailing-comma", "res-json", kEverywhere, "Responses end in a comma.",
     [] {
       return on_response_text([](const ObjectText& response) {
         std::string text = response.text();
         return text.insert(text.size() - 1, ",");
       });
     }},
    {"reply-byte-order-mark", "res-json", kEverywhere, "Replies begin with a byte order mark.",
     [] { return on_reply([](const std::string& reply) { return "\xEF\xBB\xBF" + reply; }); }},
    {"reply-single-quotes", "res-json", kEverywhere,
     "Strings of a result are written in single quotation marks.",
     [] {
       return on_success([](ObjectText& response) {
         if (!has_string_result(response)) return;
         std::string result = *response.find("result");
         std::replace(result.begin(), result.end(), '"', '\'');
         response.set("result", result);
       });
     }},
    {"reply-nan", "res-json", kEverywhere, "A result of null is written as NaN.",
     [] { return with_null_result("NaN"); }},
    {"reply-cut", "res-json", kEverywhere, "Error Responses end before their last bracket.",
     [] {
       return on_response_text([](const ObjectText& response) {
         std::string text = response.text();
         if (response.has("error")) text.pop_back();
         return text;
       });
     }},
    {"reply-plain-text", "res-json", kMarked, "An error of params is sent as plain text.",
     [] {
       return on_single_reply([](const std::string& reply) {
         const auto response = object_of(reply);
         const bool applies = response && code_of(*response) == "-32602";
         return applies ? "error: invalid params" : reply;
       });
     }},
};

}  // namespace

std::span<const Deviation> response_faults() { return kResponseFaults; }

}  // namespace jrpcheck::reference
