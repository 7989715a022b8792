// Defects in taking params (JSON-RPC 2.0 §4.2).
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// Rewrites params where they are there.
Behaviour on_params(std::function<std::string(const std::string& params)> rewrite) {
  return on_object([rewrite = std::move(rewrite)](ObjectText& object) {
    if (const std::string* params = object.find("params")) object.set("params", rewrite(*params));
  });
}

/// Rewrites the named params of calls to subtract, the method whose parameters have names.
Behaviour on_named_params(std::function<std::string(const ObjectText& params)> rewrite) {
  return on_object([rewrite = std::move(rewrite)](ObjectText& object) {
    const std::string* params = object.find("params");
    const auto named = params != nullptr ? object_of(*params) : std::nullopt;
    if (named && object.is("method", "\"subtract\"")) object.set("params", rewrite(*named));
  });
}

std::string by_position(const ObjectText& named) {
  std::vector<std::string> values;
  for (const auto& member : named.members) values.push_back(member.second);
  return array_of(values);
}

std::string with_names_folded(ObjectText named) {
  for (auto& member : named.members) member.first = in_lower_case(member.first);
  return named.text();
}

std::string reversed(const std::string& params) {
  if (!is_array(params)) return params;
  std::vector<std::string> values = elements_of(params);
  std::reverse(values.begin(), values.end());
  return array_of(values);
}

std::string through_int32_each(const std::string& params) {
  constexpr std::size_t kDigitsOfInt64 = 18;
  if (!is_array(params)) return params;
  std::vector<std::string> values = elements_of(params);
  for (std::string& value : values) {
    const bool is_whole = !value.empty() && value.size() <= kDigitsOfInt64 &&
                          value.find_first_not_of("0123456789") == value.npos;
    if (is_whole) value = std::to_string(static_cast<std::int32_t>(std::stoll(value)));
  }
  return array_of(values);
}

bool is_primitive(const std::string& params) { return !is_array(params) && !object_of(params); }

/// "42" becomes ["4", "2"] and any other primitive a list of none.
std::string spread(const std::string& params) {
  if (!is_primitive(params) || params == "null") return params;
  std::vector<std::string> values;
  if (is_string(params)) {
    for (const char c : decoded(params)) values.emplace_back(1, c);
  }
  for (std::string& value : values) value = encoded(value);
  return array_of(values);
}

Behaviour invalid_params_with(std::string code) {
  return error_object(-32602, set("code", std::move(code)));
}

Behaviour on_invalid_params(std::function<Reply()> answer) {
  return on_element(
      [answer = std::move(answer)](const ElementText& element, const ProperReply& proper) -> Reply {
        Reply reply = proper(element.text);
        if (!reply || code_of(object_of(*reply).value_or(ObjectText())) != "-32602") return reply;
        return answer();
      });
}

/// As where a decoder of types refuses the message, in place of the method its params.
Reply refusing_named_texts(const ElementText& element, const ProperReply& proper) {
  Reply reply = proper(element.text);
  const std::string* params = element.params();
  const auto named = params != nullptr ? object_of(*params) : std::nullopt;
  const std::string* minuend = named ? named->find("minuend") : nullptr;
  const bool is_refused = reply && minuend != nullptr && is_string(*minuend) &&
                          code_of(object_of(*reply).value_or(ObjectText())) == "-32602";
  return is_refused ? error_text(-32600, "Invalid Request", *element.object->find("id")) : reply;
}

bool has_primitive_params(const ElementText& element) {
  const std::string* params = element.params();
  return params != nullptr && is_primitive(*params) && *params != "null" && element.has("id") &&
         !element.method().empty();
}

bool is_call_with_null(const ElementText& element) {
  return element.is("params", "null") && element.has("id");
}

bool is_call_with_empty_array(const ElementText& element) {
  return element.is_call() && element.is("params", "[]");
}

bool is_call_without_params(const ElementText& element) {
  return element.is_call() && !element.has("params");
}

}  // namespace

std::span<const Mutant> params_faults() {
  static const Mutant all[] = {
      {"positional-params-reversed",
       breaks("par-positional")
           .perhaps("bat-duplicate-ids", "bat-each", "json-numbers", "res-result-on-success",
                    "rob-concurrent", "rob-prototype-params", "tcp-isolation"),
       kEverywhere, "An Array of params is taken from its end.", on_params(reversed)},
      {"positional-params-cut", breaks("par-positional").perhaps("bat-duplicate-ids"), kEverywhere,
       "Of an Array of params only the first two are taken.",
       on_params([](const std::string& params) {
         std::vector<std::string> values = elements_of(is_array(params) ? params : "[]");
         if (values.size() <= 2) return params;
         values.resize(2);
         return array_of(values);
       })},
      {"params-numbers-through-int32", breaks("json-numbers"), kEverywhere,
       "Whole Numbers in an Array of params wrap at 32 bits.", on_params(through_int32_each)},
      {"named-params-by-position", breaks("par-named").perhaps("par-named-exact"), kEverywhere,
       "Named params are taken in the order in which they stand.", on_named_params(by_position)},
      {"named-params-in-one-order", breaks("par-named"), kEverywhere,
       "Named params in another order than that of the method are refused with -32602.",
       on_named_params([](const ObjectText& named) {
         const bool is_other = named.members.empty() || named.members.front().first != "minuend";
         return is_other ? std::string("{}") : named.text();
       })},
      {"escaped-param-names-unknown", breaks("json-escapes"), kEverywhere,
       "The name of a parameter is not known where it is written with an escape.",
       on_params([](const std::string& params) {
         const bool is_escaped = object_of(params) && params.find("\\u") < params.find(':');
         return is_escaped ? std::string("{}") : params;
       })},
      {"named-params-refused", breaks("par-named"), kEverywhere,
       "Named params are refused with -32602.",
       on_named_params([](const ObjectText&) { return std::string("[]"); })},
      {"named-params-folded", breaks("par-named-exact"), kEverywhere,
       "Names of params are matched whatever their case.", on_named_params(with_names_folded)},
      {"params-primitive-spread", breaks("req-params-structured"), kEverywhere,
       "A String as params is taken for an Array of its characters, and other primitives for none.",
       on_object([](ObjectText& object) {
         const std::string* params = object.find("params");
         if (params == nullptr || !is_primitive(*params) || *params == "null") return;
         object.set("params", object.is("method", "\"subtract\"") ? "[42,23]" : spread(*params));
       })},
      {"params-false-is-absent", breaks("req-params-structured"), kEverywhere,
       "Params that are false in some languages, false, 0 or \"\", are taken for none.",
       on_object([](ObjectText& object) {
         for (const auto* value : {"false", "0", "\"\""}) {
           if (object.is("params", value)) object.remove("params");
         }
       })},
      {"params-primitive-internal-error", breaks("req-params-structured"), kEverywhere,
       "Params that are a primitive are answered -32603.",
       answer(has_primitive_params, refused(-32603))},
      {"params-null-internal-error", breaks("err-code-invalid"), kEverywhere,
       "Params of null are answered -32603.", answer(is_call_with_null, refused(-32603))},
      {"params-empty-array-refused", breaks("err-code-method").perhaps("par-invalid"), kEverywhere,
       "A call whose params are an empty Array is refused with -32600, whatever its method.",
       answer(is_call_with_empty_array, refused(-32600))},
      {"params-omitted-refused",
       breaks("req-params-omitted").perhaps("bat-each", "res-result-on-success"), kEverywhere,
       "A call of a known method without params is refused as invalid.",
       on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         Reply reply = proper(element.text);
         const auto response = reply ? object_of(*reply) : std::nullopt;
         const bool applies = response && element.has("method") && !element.has("params");
         if (!applies || code_of(*response) == "-32601") return reply;
         return error_text(-32600, "Invalid Request: params are missing", *response->find("id"));
       })},
      {"params-invalid-internal-error", breaks("par-invalid"), kEverywhere,
       "Params that a method cannot take are answered -32603.", invalid_params_with("-32603")},
      {"params-invalid-own-code", breaks("par-invalid"), kEverywhere,
       "Params that a method cannot take are answered with a code of the application.",
       invalid_params_with("1")},
      {"params-named-of-wrong-type-refused", breaks("par-invalid"), kEverywhere,
       "Named params of a wrong type are answered -32600.", on_element(refusing_named_texts)},
      {"params-invalid-unanswered", breaks("res-always").perhaps("rob-depth", "bat-each"),
       kEverywhere, "A call with params that its method cannot take is not answered.",
       on_invalid_params([] { return std::nullopt; })},
      {"params-invalid-fatal", breaks("rob-survives"), kEverywhere,
       "Params that a method cannot take end the process.",
       on_invalid_params([]() -> Reply { throw Catastrophe{Catastrophe::Manner::abort}; })},
      {"calls-without-params-ignored", breaks("req-params-omitted").wherever_it_strikes(),
       kEverywhere, "A call without params is not answered.",
       answer(is_call_without_params, silence())},
      {"calls-without-params-refused", breaks("req-params-omitted").wherever_it_strikes(),
       kEverywhere, "A call without params is refused with -32602, whatever its method.",
       answer(is_call_without_params, refused(-32602))},
      {"params-null-fatal", breaks("rob-survives"), kEverywhere,
       "Params of null to a method that takes params end the process.",
       answer(
           [](const ElementText& element) {
             return element.is("params", "null") && element.method() == "subtract";
           },
           death())},
      {"params-too-many-unanswered", breaks("res-always"), kEverywhere,
       "A call with more params than its method takes is not answered.",
       answer(
           [](const ElementText& element) {
             const std::string* params = element.params();
             return element.is_call() && element.method() == "subtract" && params != nullptr &&
                    is_array(*params) && elements_of(*params).size() > 2;
           },
           silence())},
  };
  return all;
}

}  // namespace jrpcheck::reference
