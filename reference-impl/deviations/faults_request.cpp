// Defects in telling Requests from what is none (JSON-RPC 2.0 §4).
#include <algorithm>
#include <string>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// Takes this spelling of the jsonrpc member for the right one.
void accept_version(ObjectText& object, std::string_view spelling) {
  if (object.is("jsonrpc", spelling)) object.set("jsonrpc", "\"2.0\"");
}

/// Whether the element names a version other than the two that there have been.
void accept_foreign_version(ObjectText& object) {
  const std::string* version = object.find("jsonrpc");
  if (version != nullptr && is_string(*version) && *version != "\"1.0\"") {
    object.set("jsonrpc", "\"2.0\"");
  }
}

/// Reads a method of another type as a String, by `to_name`.
Behaviour coercing_method(bool (*applies)(const std::string& method),
                          std::string (*to_name)(const std::string& method)) {
  return on_object([=](ObjectText& object) {
    const std::string* method = object.find("method");
    if (method != nullptr && applies(*method)) object.set("method", encoded(to_name(*method)));
  });
}

bool is_number(const std::string& text) { return text.find_first_of("-0123456789") == 0; }

bool is_request_member(const std::string& name) {
  return name == "jsonrpc" || name == "method" || name == "params" || name == "id";
}

/// Members of another case count, where the right ones are missing.
void fold_missing_members(ObjectText& object) {
  for (auto& [name, value] : object.members) {
    const std::string folded = in_lower_case(name);
    if (is_request_member(folded) && !object.has(folded)) name = folded;
  }
}

/// Members of another case count, where the right ones are there as well.
void fold_rival_members(ObjectText& object) {
  for (auto& [name, value] : object.members) {
    const std::string folded = in_lower_case(name);
    if (name != folded && is_request_member(folded) && object.has(folded)) name = folded;
  }
}

/// An invalid Request that lacks a method, or has one of a wrong type.
bool lacks_method(const ElementText& element) {
  return element.object && !element.has("method") && !element.has("result") &&
         !element.has("error");
}

/// Gives the proper reply to everything but the elements for which `applies`: these get `reply`.
Behaviour answering(bool (*applies)(const ElementText& element),
                    Reply (*answer)(const ElementText& element)) {
  return on_element([=](const ElementText& element, const ProperReply& proper) {
    return applies(element) ? answer(element) : proper(element.text);
  });
}

Reply silence(const ElementText&) { return std::nullopt; }

bool is_no_object(const ElementText& element) { return !element.object; }

bool is_invalid_without_id(const ElementText& element) {
  return element.object && !element.has("id") && !element.is_notification() &&
         !element.has("result") && !element.has("error");
}

bool is_response_shaped(const ElementText& element) {
  return !element.has("method") && (element.has("result") || element.has("error"));
}

std::string id_text(const ElementText& element) {
  const std::string* id = element.object ? element.object->find("id") : nullptr;
  return id != nullptr ? *id : "null";
}

constexpr Deviation kRequestFaults[] = {
    {"version-unchecked", "req-version,(ntf-invalid-answered)", kEverywhere,
     "Any String is taken for the version, but \"1.0\".",
     [] { return on_object(accept_foreign_version); }},
    {"version-number-accepted", "req-version", kEverywhere,
     "The Number 2.0 is taken for the version.",
     [] { return on_object([](ObjectText& object) { accept_version(object, "2.0"); }); }},
    {"version-null-accepted", "req-version", kEverywhere, "A version of null is taken for 2.0.",
     [] { return on_object([](ObjectText& object) { accept_version(object, "null"); }); }},
    {"version-legacy-accepted", "req-version", kEverywhere,
     "Requests of version 1.0 are served as 2.0.",
     [] { return on_object([](ObjectText& object) { accept_version(object, "\"1.0\""); }); }},
    {"version-missing-accepted", "req-version-missing", kEverywhere,
     "Requests without version are served as 2.0.",
     [] {
       return on_object([](ObjectText& object) {
         if (!object.has("jsonrpc") && object.has("method")) object.add("jsonrpc", "\"2.0\"");
       });
     }},
    {"method-missing-internal-error", "req-method-required,(bat-invalid-member),(req-members-case)",
     kEverywhere, "A Request without method is answered -32603.",
     [] {
       return answering(lacks_method, [](const ElementText& element) -> Reply {
         return error_text(-32603, "Internal error", id_text(element));
       });
     }},
    {"method-missing-unanswered", "res-always,(bat-each)", kEverywhere,
     "A Request with an id and without method is dropped.",
     [] {
       return answering(
           [](const ElementText& element) { return lacks_method(element) && element.has("id"); },
           silence);
     }},
    {"method-number-coerced", "req-method-string,(ntf-invalid-answered)", kEverywhere,
     "A method that is a Number is looked up by its digits.",
     [] { return coercing_method(is_number, [](const std::string& method) { return method; }); }},
    {"method-null-coerced", "req-method-string", kEverywhere,
     "A method of null is taken for the empty name.",
     [] {
       return coercing_method([](const std::string& method) { return method == "null"; },
                              [](const std::string&) { return std::string(); });
     }},
    {"method-structured-coerced", "req-method-string", kEverywhere,
     "A method that is an Array or an Object is looked up by its text.",
     [] {
       return coercing_method(
           [](const std::string& method) { return is_array(method) || object_of(method); },
           [](const std::string& method) { return method; });
     }},
    {"invalid-request-parse-error", "err-code-invalid,(bat-invalid-member),(bat-nested)",
     kEverywhere, "JSON that is no Object is answered -32700.",
     [] {
       return answering(is_no_object, [](const ElementText&) -> Reply {
         return error_text(-32700, "Parse error");
       });
     }},
    {"invalid-request-internal-error", "err-code-invalid,(bat-invalid-member),(bat-nested)",
     kEverywhere, "JSON that is no Object is answered -32603.",
     [] {
       return answering(is_no_object, [](const ElementText&) -> Reply {
         return error_text(-32603, "Internal error");
       });
     }},
    {"non-object-dropped", "err-code-invalid", kHttp,
     "JSON that is no Object, and no batch either, is not answered.",
     [] {
       return Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         const bool is_dropped = is_json(message) && !is_array(message) && !object_of(message);
         return is_dropped ? std::nullopt : proper(message);
       }};
     }},
    {"invalid-without-id-dropped", "ntf-invalid-answered", kEverywhere,
     "An invalid Request without an id is not answered.",
     [] { return answering(is_invalid_without_id, silence); }},
    {"member-names-folded", "req-members-case,(req-version-missing)", kEverywhere,
     "Member names of Requests are matched whatever their case.",
     [] { return on_object(fold_missing_members); }},
    {"folded-member-wins", "req-members-case", kEverywhere,
     "A member spelled in another case takes the place of the right one.",
     [] { return on_object(fold_rival_members); }},
    {"response-answered", "req-response-shaped", kStreams,
     "A Response sent to the server is refused with an error.",
     [] {
       return answering(is_response_shaped, [](const ElementText& element) -> Reply {
         return error_text(-32600, "Invalid Request: there is no method", id_text(element));
       });
     }},
    {"extra-members-unanswered", "res-always", kEverywhere,
     "A call with a member beyond the four is not answered.",
     [] {
       return answering(
           [](const ElementText& element) {
             return element.has("id") && element.has("method") &&
                    std::any_of(
                        element.object->members.begin(), element.object->members.end(),
                        [](const auto& member) { return !is_request_member(member.first); });
           },
           silence);
     }},
    {"member-order-fixed", "err-code-method,(rob-split)", kEverywhere,
     "A Request whose first member is not jsonrpc is refused.",
     [] {
       return on_object([](ObjectText& object) {
         const bool starts_well = object.members.empty() || object.members[0].first == "jsonrpc";
         if (!starts_well && object.has("jsonrpc")) object.remove("method");
       });
     }},
};

}  // namespace

std::span<const Deviation> request_faults() { return kRequestFaults; }

}  // namespace jrpcheck::reference
