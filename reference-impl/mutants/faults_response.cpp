// Defects in the shape of Responses (JSON-RPC 2.0 §5).
#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

Behaviour with_version(std::string version) { return response(set("jsonrpc", std::move(version))); }

bool has_null_result(const ObjectText& each) { return each.is("result", "null"); }

bool has_zero_result(const ObjectText& each) { return each.is("result", "0"); }

/// Edits the Responses whose result is 0, as who takes it for none does.
Behaviour zero_result(Edit edit) { return success(where(has_zero_result, std::move(edit))); }

/// Edits the Responses whose result is null.
Behaviour null_result(Edit edit) { return success(where(has_null_result, std::move(edit))); }

Behaviour with_name(std::string from, std::string to) {
  return response(rename(std::move(from), std::move(to)));
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

/// Rewrites the first of those replies alone that the process gives.
Behaviour on_first_reply(std::function<std::string(ObjectText response)> rewrite) {
  const auto has_replied = std::make_shared<std::atomic<bool>>(false);
  return on_single_reply([has_replied, rewrite = std::move(rewrite)](const std::string& reply) {
    const auto response = object_of(reply);
    return response && !has_replied->exchange(true) ? rewrite(*response) : reply;
  });
}

Behaviour first_reply_without_version() {
  return on_first_reply([](ObjectText response) {
    response.remove("jsonrpc");
    return response.text();
  });
}

Behaviour first_reply_cut() {
  return on_first_reply([](const ObjectText& response) {
    std::string text = response.text();
    text.pop_back();
    return text;
  });
}

bool has_string_result(const ObjectText& response) {
  const std::string* result = response.find("result");
  return result != nullptr && result->find('"') != result->npos;
}

void with_single_quotes(ObjectText& each) {
  std::string result = *each.find("result");
  std::replace(result.begin(), result.end(), '"', '\'');
  each.set("result", result);
}

}  // namespace

std::span<const Mutant> response_faults() {
  static const Mutant all[] = {
      {"reply-error-null-on-success", breaks("res-exclusive"), kEverywhere,
       "Successful Responses have an error of null.", success(add("error", "null"))},
      {"reply-result-null-on-error", breaks("res-exclusive"), kEverywhere,
       "Error Responses have a result of null.", error(add("result", "null"))},
      {"reply-result-begun-before-error", breaks("res-exclusive"), kEverywhere,
       "A method that fails leaves the result it had begun beside the error.",
       error(1000, add("result", "[]"))},
      {"reply-without-null-result", breaks("res-result-on-success").perhaps("res-exclusive"),
       kEverywhere, "A result of null is left out.", null_result(remove("result"))},
      {"reply-without-result", breaks("res-result-on-success").perhaps("res-exclusive"),
       kEverywhere, "Successful Responses have no result.", success(remove("result"))},
      {"reply-null-error-alone", breaks("res-result-on-success"), kEverywhere,
       "Successful Responses have an error of null and no result.",
       success(both(remove("result"), add("error", "null")))},
      {"reply-null-error-for-null-result", breaks("res-result-on-success"), kEverywhere,
       "A method whose result is null is answered with an error of null and no result.",
       null_result(both(remove("result"), add("error", "null")))},
      {"reply-null-result-as-text", breaks("res-result-on-success"), kEverywhere,
       "A result of null is the String \"null\".", null_result(set("result", "\"null\""))},
      {"reply-null-result-as-error", breaks("res-result-on-success"), kEverywhere,
       "A method whose result is null is answered -32603.",
       null_result(both(set("result", R"({"code":-32603,"message":"Internal error"})"),
                        rename("result", "error")))},
      {"reply-null-result-empty", breaks("res-json"), kEverywhere,
       "A result of null has a name and no value.", null_result(set("result", ""))},
      {"reply-without-zero-result", breaks("res-result-on-success").perhaps("res-exclusive"),
       kEverywhere, "A result of 0 is left out.", zero_result(remove("result"))},
      {"reply-null-error-for-zero-result", breaks("res-result-on-success"), kEverywhere,
       "A method whose result is 0 is answered with an error of null and no result.",
       zero_result(both(remove("result"), add("error", "null")))},
      {"reply-zero-result-as-null", breaks("res-result-on-success"), kEverywhere,
       "A result of 0 is null.", zero_result(set("result", "null"))},
      {"reply-without-version", breaks("res-version"), kEverywhere,
       "Successful Responses have no jsonrpc.", success(remove("jsonrpc"))},
      {"reply-without-version-on-error", breaks("res-version"), kEverywhere,
       "Error Responses have no jsonrpc.", error(remove("jsonrpc"))},
      {"reply-version-number", breaks("res-version"), kEverywhere, "jsonrpc is the Number 2.0.",
       with_version("2.0")},
      {"reply-version-legacy", breaks("res-version"), kEverywhere, "jsonrpc is \"1.0\".",
       with_version("\"1.0\"")},
      {"reply-version-empty-on-parse-error", breaks("res-version"), kEverywhere,
       "jsonrpc is empty in the reply to what is not JSON.", error(-32700, set("jsonrpc", "\"\""))},
      {"reply-result-capitalised", breaks("res-member-names"), kEverywhere,
       "result is spelled Result.", with_name("result", "Result")},
      {"reply-error-capitalised", breaks("res-member-names").perhaps("par-named-exact"),
       kEverywhere, "error is spelled Error.", with_name("error", "Error")},
      {"reply-id-capitalised", breaks("res-member-names"), kEverywhere, "id is spelled ID.",
       with_name("id", "ID")},
      {"reply-version-capitalised", breaks("res-member-names"), kEverywhere,
       "jsonrpc is spelled JsonRpc.", with_name("jsonrpc", "JsonRpc")},
      {"reply-error-in-result", breaks("res-error-on-failure").wherever_it_strikes(), kEverywhere,
       "Errors are wrapped in the result.", on_response_text(error_in_result)},
      {"reply-bare-error", breaks("res-version", "res-id-present").perhaps("res-exclusive"),
       kMarked,
       "Instead of a Response that refuses an invalid Request the error Object alone is sent.",
       on_response_text([](const ObjectText& response) {
         return code_of(response) == "-32600" ? *response.find("error") : response.text();
       })},
      {"reply-id-twice", breaks("res-duplicate-members"), kEverywhere,
       "Error Responses have their id twice.",
       error([](ObjectText& each) { each.add("id", *each.find("id")); })},
      {"reply-in-array", breaks("res-object"), kEverywhere,
       "The Response to a single Request stands in an Array.",
       on_single_reply([](const std::string& reply) { return "[" + reply + "]"; })},
      {"reply-trailing-comma", breaks("res-json"), kEverywhere, "Responses end in a comma.",
       on_response_text([](const ObjectText& response) {
         std::string text = response.text();
         return text.insert(text.size() - 1, ",");
       })},
      {"reply-byte-order-mark", breaks("res-json"), kEverywhere,
       "Replies begin with a byte order mark.",
       on_reply([](const std::string& reply) { return "\xEF\xBB\xBF" + reply; })},
      {"reply-single-quotes", breaks("res-json"), kEverywhere,
       "Strings of a result are written in single quotation marks.",
       success(where(has_string_result, with_single_quotes))},
      {"reply-nan", breaks("res-json"), kEverywhere, "A result of null is written as NaN.",
       null_result(set("result", "NaN"))},
      {"reply-cut", breaks("res-json"), kEverywhere,
       "Error Responses end before their last bracket.",
       on_response_text([](const ObjectText& response) {
         std::string text = response.text();
         if (response.has("error")) text.pop_back();
         return text;
       })},
      {"reply-without-version-at-first", breaks("res-version").wherever_it_strikes(),
       kEverywhereAndTcp, "The first Response of the process has no jsonrpc.",
       first_reply_without_version},
      {"reply-cut-at-first", breaks("res-json").wherever_it_strikes(), kEverywhereAndTcp,
       "The first Response of the process ends before its last bracket.", first_reply_cut},
      {"reply-plain-text", breaks("res-json"), kMarked, "An error of params is sent as plain text.",
       on_single_reply([](const std::string& reply) {
         const auto response = object_of(reply);
         const bool applies = response && code_of(*response) == "-32602";
         return applies ? "error: invalid params" : reply;
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
