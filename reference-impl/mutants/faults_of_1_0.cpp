// Defects of a server of JSON-RPC 1.0, and legal choices.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr int kFirstOwnCode = -32000;  // above all that JSON-RPC 2.0 §5.1 reserves

bool is_error_of_1_0(const ObjectText& response) { return !response.is("error", "null"); }

bool has_succeeded(const ObjectText& response) { return !is_error_of_1_0(response); }

Behaviour failure(Edit edit) { return response(where(is_error_of_1_0, std::move(edit))); }

Behaviour success_of_1_0(Edit edit) { return response(where(has_succeeded, std::move(edit))); }

bool has_own_code(const ObjectText& response) {
  const std::string code = code_of(response);
  return !code.empty() && std::stoi(code) > kFirstOwnCode;
}

void fail_by_result(ObjectText& response) {
  response.set("result", *response.find("error"));
  response.set("error", "null");
}

std::vector<std::string> arguments_of(const ElementText& element) {
  const std::string* params = element.params();
  return params != nullptr && is_array(*params) ? elements_of(*params) : std::vector<std::string>();
}

bool has_null_argument(const ElementText& element) {
  const auto arguments = arguments_of(element);
  return std::find(arguments.begin(), arguments.end(), "null") != arguments.end();
}

bool has_one_argument(const ElementText& element) { return arguments_of(element).size() == 1; }

bool has_false_as_id(const ElementText& element) { return element.is("id", "false"); }

bool has_other_params(const ElementText& element) {
  return element.params() != nullptr && !is_array(*element.params());
}

/// A request is answered as a call with another id would be, and its id put back.
Behaviour answering_notifications() {
  return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
    Reply reply = proper(element.text);
    if (reply || !element.is("id", "null")) return reply;
    ObjectText call = *element.object;
    call.set("id", "0");
    Reply answer = proper(call.text());
    if (!answer) return answer;
    ObjectText response = *object_of(*answer);
    response.set("id", "null");
    return response.text();
  });
}

Behaviour in_array() {
  return on_response_text([](const ObjectText& response) {
    return is_error_of_1_0(response) ? response.text() : "[" + response.text() + "]";
  });
}

bool is_structured(const std::string& text) {
  return text.starts_with('[') || text.starts_with('{');
}

void reverse_params(ObjectText& request) {
  const std::string* params = request.find("params");
  if (params == nullptr || !is_array(*params)) return;
  auto values = elements_of(*params);
  std::reverse(values.begin(), values.end());
  request.set("params", array_of(values));
}

/// Answers what is no request, as far as its members go, and what is not JSON.
Behaviour answering_what_is_no_request(std::function<Reply(const Reply& proper_reply)> with) {
  return {.reply = [with](std::string_view message, const ProperReply& proper) -> Reply {
    const auto request = is_json(message) ? object_of(message) : std::nullopt;
    const std::string* method = request ? request->find("method") : nullptr;
    const bool is_request =
        method != nullptr && is_string(*method) && request->has("params") && request->has("id");
    Reply reply = proper(message);
    return is_request ? reply : with(reply);
  }};
}

/// Whose version nobody can tell is answered as JSON-RPC 2.0 §5.1 has it.
Reply in_2_0(const Reply& reply) {
  if (!reply) return reply;
  ObjectText response = *object_of(*reply);
  response.remove("result");
  response.set("id", "null");
  response.add("jsonrpc", "\"2.0\"");
  return response.text();
}

}  // namespace

std::span<const Mutant> variants_in_1_0() {
  static const Mutant all[] = {
      {"v1-no-request-unanswered", kLegal, kEverywhereAndTcp, "What is no request is not answered.",
       answering_what_is_no_request([](const Reply&) -> Reply { return std::nullopt; })},
      {"v1-no-request-answered-in-2.0", kLegal, kEverywhereAndTcp,
       "What is no request is answered in the shape of 2.0.", answering_what_is_no_request(in_2_0)},
      {"v1-no-request-answered-by-a-text", kLegal, kEverywhereAndTcp,
       "What is no request is answered by a String.",
       answering_what_is_no_request([](const Reply&) -> Reply { return R"("What was that?")"; })},
  };
  return all;
}

std::span<const Mutant> faults_in_1_0() {
  static const Mutant all[] = {
      {"v1-error-missing", breaks("v1-both-members"), kEverywhere,
       "A Response of success has no error member.", success_of_1_0(remove("error"))},
      {"v1-result-missing", breaks("v1-both-members"), kEverywhere,
       "A Response of failure has no result member.", failure(remove("result"))},
      {"v1-neither-null", breaks("v1-both-members"), kEverywhere,
       "A Response of failure has a result that is not null.", failure(set("result", "false"))},
      {"v1-notification-answered", breaks("v1-notification"), kEverywhere,
       "A request with id null is answered.", answering_notifications()},
      {"v1-false-id-unanswered", breaks("v1-id-any"), kEverywhere,
       "The id false is taken for a notification's.", answer(has_false_as_id, silence())},
      {"v1-id-as-string", breaks("v1-id-any"), kEverywhere,
       "The id comes back as its JSON text in a String.",
       response([](ObjectText& each) { each.set("id", encoded(*each.find("id"))); })},
      {"v1-structured-id-lost", breaks("v1-id-any"), kEverywhere,
       "An Array or Object as id comes back as null.",
       on_id([](const std::string& id) { return is_structured(id) ? "null" : id; })},
      {"v1-id-missing", breaks("v1-id-any"), kEverywhere, "A Response of success has no id.",
       success_of_1_0(remove("id"))},
      {"v1-null-argument-unanswered", breaks("v1-response"), kEverywhere,
       "A call with null as an argument is dropped.", answer(has_null_argument, silence())},
      {"v1-success-in-array", breaks("v1-response"), kEverywhere,
       "A Response of success stands in an Array of its own.", in_array()},
      {"v1-one-argument-unanswered", breaks("v1-response"), kStreams,
       "A call with a single argument is dropped.", answer(has_one_argument, silence())},
      {"v1-failure-as-result", breaks("v1-both-members"), kEverywhere,
       "What a method of the server's own fails with is the result.",
       response(where(has_own_code, fail_by_result))},
      {"v1-params-other-than-array", breaks("v1-params-array"), kEverywhere,
       "Whatever has params other than an Array succeeds.",
       answer(has_other_params,
              [](const ElementText& element) -> Reply {
                return R"({"result":true,"error":null,"id":)" + element.id() + "}";
              })},
      {"v1-params-reversed", breaks("v1-params-array"), kEverywhere,
       "The params Array is taken from its end.", on_object(reverse_params)},
  };
  return all;
}

}  // namespace jrpcheck::reference
