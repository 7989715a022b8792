// Defects in finding the method that a Request names.
#include <algorithm>
#include <array>
#include <string>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::array<std::string_view, 7> kInheritedNames = {
    "__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "__class__", "__init__"};

/// Rewrites the name of the method where there is one.
Behaviour on_method(std::function<std::string(const std::string& name)> rewrite) {
  return on_object([rewrite = std::move(rewrite)](ObjectText& object) {
    const std::string* method = object.find("method");
    if (method != nullptr && is_string(*method)) {
      object.set("method", encoded(rewrite(decoded(*method))));
    }
  });
}

/// Calls of the methods for which `applies`.
Applies calls(std::function<bool(const std::string& method)> applies) {
  return [applies = std::move(applies)](const ElementText& element) {
    return element.is_call() && applies(element.method());
  };
}

Applies calls_beginning_with(std::string beginning) {
  return calls([beginning = std::move(beginning)](const std::string& method) {
    return method.starts_with(beginning);
  });
}

Behaviour unknown_method_with(std::string code) {
  return error_object(-32601, set("code", std::move(code)));
}

Behaviour unknown_method_with_named_params(int code, const char* message) {
  return on_element([=](const ElementText& element, const ProperReply& proper) -> Reply {
    Reply reply = proper(element.text);
    if (!reply || element.params() == nullptr || !object_of(*element.params())) return reply;
    const bool is_unknown = code_of(object_of(*reply).value_or(ObjectText())) == "-32601";
    return is_unknown ? error_text(code, message, element.id()) : reply;
  });
}

bool has_more_than_ascii(const std::string& name) { return characters_in(name) != name.size(); }

bool is_inherited(const std::string& name) {
  return std::find(kInheritedNames.begin(), kInheritedNames.end(), name) != kInheritedNames.end();
}

void wrap_error_in_result(ObjectText& response) {
  response.set("error", R"({"error":)" + *response.find("error") + "}");
  response.rename("error", "result");
}

}  // namespace

std::span<const Mutant> method_faults() {
  static const Mutant all[] = {
      {"unknown-method-internal-error", breaks("err-code-method"), kEverywhere,
       "An unknown method is answered -32603.", unknown_method_with("-32603")},
      {"unknown-method-invalid-params", breaks("err-code-method"), kEverywhere,
       "An unknown method is answered -32602.", unknown_method_with("-32602")},
      {"unknown-method-sign-lost", breaks("err-code-method"), kEverywhere,
       "An unknown method is answered 32601, without the sign.", unknown_method_with("32601")},
      {"unknown-method-own-code", breaks("err-code-method"), kEverywhere,
       "An unknown method is answered with a code of the server's own.",
       unknown_method_with("-32001")},
      {"unknown-method-beyond-ascii-invalid", breaks("err-code-method"), kEverywhere,
       "An unknown method whose name is not ASCII is answered -32600.",
       answer(calls(has_more_than_ascii), refused(-32600))},
      {"unknown-method-succeeds", breaks("err-code-method"), kEverywhere,
       "A call of an unknown method succeeds with null.",
       error(-32601, both(set("error", "null"), rename("error", "result")))},
      {"unknown-method-unanswered", breaks("res-always"), kStreamsAndTcp,
       "A call of an unknown method is not answered.",
       on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         Reply reply = proper(element.text);
         const auto response = reply ? object_of(*reply) : std::nullopt;
         const bool is_unknown = response && code_of(*response) == "-32601";
         return is_unknown ? std::nullopt : reply;
       })},
      {"unknown-method-with-params-unanswered",
       breaks("res-always").perhaps("bat-each", "ntf-silent-in-batch", "rob-depth", "tcp-strings"),
       kEverywhere, "A call of an unknown method is not answered when it has params.",
       on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         Reply reply = proper(element.text);
         if (!reply || !element.has("params")) return reply;
         const bool is_unknown = code_of(object_of(*reply).value_or(ObjectText())) == "-32601";
         return is_unknown ? std::nullopt : reply;
       })},
      {"unknown-method-named-params-invalid", breaks("err-code-method"), kEverywhere,
       "A call of an unknown method is answered -32602 when its params are an Object.",
       unknown_method_with_named_params(-32602, "Invalid params")},
      {"unknown-method-named-params-internal-error", breaks("err-code-method"), kEverywhere,
       "A call of an unknown method is answered -32603 when its params are an Object.",
       unknown_method_with_named_params(-32603, "Internal error")},
      {"method-name-trimmed", breaks("req-method-exact"), kEverywhere,
       "Spaces around the name of a method are ignored.",
       on_method([](const std::string& name) { return std::string(stripped(name)); })},
      {"method-name-folded", breaks("req-method-exact"), kEverywhere,
       "Names of methods are matched whatever their case.", on_method(in_lower_case)},
      {"method-name-cut", breaks("req-method-exact"), kEverywhere,
       "What follows a dot or a slash in the name of a method is ignored.",
       on_method([](const std::string& name) { return name.substr(0, name.find_first_of("./")); })},
      {"reserved-names-refused", breaks("req-reserved-names"), kEverywhere,
       "Names that begin with rpc. are refused with -32600.",
       answer(calls_beginning_with("rpc."), refused(-32600))},
      {"reserved-names-succeed", breaks("req-reserved-names"), kEverywhere,
       "Any name that begins with rpc. succeeds with null.",
       answer(calls_beginning_with("rpc."), succeeding_with("null"))},
      {"inherited-names-found", breaks("rob-inherited-names"), kEverywhere,
       "Names that every object of the language has are methods.",
       answer(calls(is_inherited), succeeding_with("{}"))},
      {"inherited-names-internal-error", breaks("rob-inherited-names"), kEverywhere,
       "Names that every object of the language has are answered -32603.",
       answer(calls(is_inherited), refused(-32603))},
      {"template-names-evaluated", breaks("sec-reserved-injection"), kEverywhere,
       "A name in double braces is evaluated.",
       answer(calls_beginning_with("{{"), succeeding_with("49"))},
      {"path-names-opened", breaks("sec-reserved-injection"), kEverywhere,
       "A name that is a path is answered by what the path leads to.",
       answer(calls_beginning_with("../"), succeeding_with("\"root:x:0:0\""))},
      {"format-names-expanded", breaks("sec-reserved-injection"), kEverywhere,
       "A name with a format specification is answered -32603.",
       answer(calls([](const std::string& method) { return method.find("%n") != method.npos; }),
              refused(-32603))},
      {"unknown-method-error-in-result", breaks("err-code-method").perhaps("res-error-on-failure"),
       kEverywhere, "An unknown method is answered by a result that holds the error.",
       error(-32601, wrap_error_in_result)},
      {"everything-fails-alike", breaks("err-code-method").wherever_it_strikes(), kEverywhere,
       "Every call is answered -32603.", answer(&ElementText::is_call, refused(-32603))},
      {"everything-succeeds-alike", breaks("err-code-method").wherever_it_strikes(), kEverywhere,
       "Every call succeeds with the same result.",
       answer(&ElementText::is_call, succeeding_with("\"ok\""))},
      {"empty-method-parse-error", breaks("err-code-invalid"), kEverywhere,
       "An empty method name is answered -32700.",
       answer(calls([](const std::string& method) { return method.empty(); }), refused(-32700))},
      {"inherited-names-with-params-found", breaks("rob-inherited-names"), kEverywhere,
       "Names that every object of the language has are methods where params are an empty Array.",
       answer(
           [](const ElementText& element) {
             return element.is_call() && is_inherited(element.method()) &&
                    element.is("params", "[]");
           },
           succeeding_with("{}"))},
      {"inherited-names-with-params-fatal", breaks("rob-survives"), kEverywhere,
       "Names that every object of the language has end the process where params are an empty "
       "Array.",
       answer(
           [](const ElementText& element) {
             return element.is_call() && is_inherited(element.method()) &&
                    element.is("params", "[]");
           },
           death())},
  };
  return all;
}

}  // namespace jrpcheck::reference
