// Defects in finding the method that a Request names.
#include <algorithm>
#include <array>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

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

/// Answers the calls of those methods for which `applies`.
Behaviour on_call(const std::function<bool(const std::string& method)>& applies,
                  const std::function<std::string(const std::string& id)>& answer) {
  return on_element([=](const ElementText& element, const ProperReply& proper) -> Reply {
    const bool is_call = element.has("id") && element.is("jsonrpc", "\"2.0\"") &&
                         element.has("method") && is_string(*element.object->find("method"));
    if (!is_call || !applies(element.method())) return proper(element.text);
    return answer(*element.object->find("id"));
  });
}

std::string result_text(std::string_view result, const std::string& id) {
  return R"({"jsonrpc":"2.0","result":)" + std::string(result) + R"(,"id":)" + id + "}";
}

/// Answers what is properly -32601 with another code.
Behaviour unknown_method_with(std::string code) {
  return on_error_of(-32601, [code = std::move(code)](ObjectText&, ObjectText& error) {
    error.set("code", code);
  });
}

bool is_inherited(const std::string& name) {
  return std::find(kInheritedNames.begin(), kInheritedNames.end(), name) != kInheritedNames.end();
}

constexpr Deviation kMethodFaults[] = {
    {"unknown-method-internal-error", "err-code-method", kEverywhere,
     "An unknown method is answered -32603.", [] { return unknown_method_with("-32603"); }},
    {"unknown-method-invalid-params", "err-code-method", kEverywhere,
     "An unknown method is answered -32602.", [] { return unknown_method_with("-32602"); }},
    {"unknown-method-sign-lost", "err-code-method", kEverywhere,
     "An unknown method is answered 32601, without the sign.",
     [] { return unknown_method_with("32601"); }},
    {"unknown-method-own-code", "err-code-method", kEverywhere,
     "An unknown method is answered with a code of the server's own.",
     [] { return unknown_method_with("-32001"); }},
    {"unknown-method-succeeds", "err-code-method,(bat-each),(bat-supported),(par-positional)",
     kEverywhere, "A call of an unknown method succeeds with null.",
     [] {
       return on_error_of(-32601, [](ObjectText& response, ObjectText&) {
         response.set("error", "null");
         response.rename("error", "result");
       });
     }},
    {"unknown-method-with-params-unanswered",
     "res-always,(bat-each),(ntf-silent-in-batch),(rob-depth)", kEverywhere,
     "A call of an unknown method is not answered when it has params.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         Reply reply = proper(element.text);
         if (!reply || !element.has("params")) return reply;
         const bool is_unknown = code_of(object_of(*reply).value_or(ObjectText())) == "-32601";
         return is_unknown ? std::nullopt : reply;
       });
     }},
    {"method-name-trimmed", "req-method-exact", kEverywhere,
     "Spaces around the name of a method are ignored.",
     [] { return on_method([](const std::string& name) { return std::string(stripped(name)); }); }},
    {"method-name-folded", "req-method-exact", kEverywhere,
     "Names of methods are matched whatever their case.", [] { return on_method(in_lower_case); }},
    {"method-name-cut", "req-method-exact", kEverywhere,
     "What follows a dot or a slash in the name of a method is ignored.",
     [] {
       return on_method(
           [](const std::string& name) { return name.substr(0, name.find_first_of("./")); });
     }},
    {"reserved-names-refused", "req-reserved-names", kEverywhere,
     "Names that begin with rpc. are refused with -32600.",
     [] {
       return on_call([](const std::string& name) { return name.starts_with("rpc."); },
                      [](const std::string& id) { return error_text(-32600, "Reserved", id); });
     }},
    {"reserved-names-succeed", "req-reserved-names", kEverywhere,
     "Any name that begins with rpc. succeeds with null.",
     [] {
       return on_call([](const std::string& name) { return name.starts_with("rpc."); },
                      [](const std::string& id) { return result_text("null", id); });
     }},
    {"inherited-names-found", "rob-inherited-names", kEverywhere,
     "Names that every object of the language has are methods.",
     [] {
       return on_call(is_inherited, [](const std::string& id) { return result_text("{}", id); });
     }},
    {"inherited-names-internal-error", "rob-inherited-names", kEverywhere,
     "Names that every object of the language has are answered -32603.",
     [] {
       return on_call(is_inherited, [](const std::string& id) {
         return error_text(-32603, "Internal error", id);
       });
     }},
    {"template-names-evaluated", "sec-reserved-injection", kEverywhere,
     "A name in double braces is evaluated.",
     [] {
       return on_call([](const std::string& name) { return name.starts_with("{{"); },
                      [](const std::string& id) { return result_text("49", id); });
     }},
    {"path-names-opened", "sec-reserved-injection", kEverywhere,
     "A name that is a path is answered by what the path leads to.",
     [] {
       return on_call([](const std::string& name) { return name.starts_with("../"); },
                      [](const std::string& id) { return result_text("\"root:x:0:0\"", id); });
     }},
    {"format-names-expanded", "sec-reserved-injection", kEverywhere,
     "A name with a format specification is answered -32603.",
     [] {
       return on_call(
           [](const std::string& name) { return name.find("%n") != name.npos; },
           [](const std::string& id) { return error_text(-32603, "Internal error", id); });
     }},
};

}  // namespace

std::span<const Deviation> method_faults() { return kMethodFaults; }

}  // namespace jrpcheck::reference
