// Defects in telling Requests from what is none (JSON-RPC 2.0 §4).
#include <algorithm>
#include <string>

#include "base/letter_case.hpp"
#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

/// Takes this spelling of the jsonrpc member for the right one.
void accept_version(ObjectText& object, std::string_view spelling) {
  if (object.is("jsonrpc", spelling)) object.set("jsonrpc", "\"2.0\"");
}

/// Takes any String but "1.0" for the right version.
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

/// Where Objects and Arrays are one type: a first element is there.
Reply reading_numbers_as_places(std::string_view message, const ProperReply& proper) {
  const auto object = object_of(std::string(message));
  const std::string* first = object ? object->find("0") : nullptr;
  return proper(first != nullptr ? array_of({*first}) : std::string(message));
}

bool looks_like_number(const std::string& text) { return text.find_first_of("-0123456789") == 0; }

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

/// An Object that is neither a Request nor a Response.
bool lacks_method(const ElementText& element) {
  return element.object && !element.has("method") && !element.has("result") &&
         !element.has("error");
}

bool is_no_object(const ElementText& element) { return !element.object; }

bool is_invalid_without_id(const ElementText& element) {
  return element.object && !element.has("id") && !element.is_notification() &&
         !element.has("result") && !element.has("error");
}

bool is_response_shaped(const ElementText& element) {
  return !element.has("method") && (element.has("result") || element.has("error"));
}

bool lacks_method_but_has_id(const ElementText& element) {
  return lacks_method(element) && element.has("id");
}

bool stands_before(const ObjectText& object, std::string_view name, std::string_view other) {
  const auto place_of = [&object](std::string_view wanted) {
    return std::find_if(object.members.begin(), object.members.end(),
                        [wanted](const auto& member) { return member.first == wanted; });
  };
  return place_of(name) < place_of(other);
}

bool has_extra_members(const ElementText& element) {
  return element.has("id") && element.has("method") &&
         std::any_of(element.object->members.begin(), element.object->members.end(),
                     [](const auto& member) { return !is_request_member(member.first); });
}

}  // namespace

std::span<const Mutant> request_faults() {
  static const Mutant all[] = {
      {"version-unchecked", breaks("req-version").perhaps("ntf-invalid-answered"), kEverywhere,
       "Any String is taken for the version, but \"1.0\".", on_object(accept_foreign_version)},
      {"numbered-object-taken-for-batch", breaks("err-code-invalid"), kEverywhere,
       "An Object with a member 0 is served as a batch.",
       Behaviour{.reply = reading_numbers_as_places}},
      {"version-number-accepted", breaks("req-version"), kEverywhere,
       "The Number 2.0 is taken for the version.",
       on_object([](ObjectText& object) { accept_version(object, "2.0"); })},
      {"version-null-accepted", breaks("req-version"), kEverywhere,
       "A version of null is taken for 2.0.",
       on_object([](ObjectText& object) { accept_version(object, "null"); })},
      {"version-by-value-accepted", breaks("req-version"), kEverywhere,
       "What a loose comparison takes for \"2.0\" is the version: \"2\", \"2.0 \", 2, true, "
       "[\"2.0\"].",
       on_object([](ObjectText& object) {
         for (const auto* spelling : {"\"2\"", "\"2.0 \"", "2", "true", "[\"2.0\"]"}) {
           accept_version(object, spelling);
         }
       })},
      {"version-false-is-missing", breaks("req-version"), kEverywhere,
       "A version that is false in some languages, \"\" or false, is taken for one left out, and "
       "that for 2.0.",
       on_object([](ObjectText& object) {
         for (const auto* spelling : {"\"\"", "false"}) accept_version(object, spelling);
       })},
      {"version-legacy-accepted", breaks("req-version"), kEverywhere,
       "Requests of version 1.0 are served as 2.0.",
       on_object([](ObjectText& object) { accept_version(object, "\"1.0\""); })},
      {"version-missing-accepted", breaks("req-version-missing"), kEverywhere,
       "Requests without version are served as 2.0.", on_object([](ObjectText& object) {
         if (!object.has("jsonrpc") && object.has("method")) object.add("jsonrpc", "\"2.0\"");
       })},
      {"method-missing-internal-error",
       breaks("req-method-required").perhaps("bat-invalid-member", "req-members-case"), kEverywhere,
       "A Request without method is answered -32603.", answer(lacks_method, refused(-32603))},
      {"method-missing-unanswered", breaks("res-always").perhaps("bat-each", "bat-invalid-member"),
       kEverywhere, "A Request with an id and without method is dropped.",
       answer(lacks_method_but_has_id, silence())},
      {"method-number-coerced", breaks("req-method-string").perhaps("ntf-invalid-answered"),
       kEverywhere, "A method that is a Number is looked up by its digits.",
       coercing_method(looks_like_number, [](const std::string& method) { return method; })},
      {"method-null-coerced", breaks("req-method-string"), kEverywhere,
       "A method of null is taken for the empty name.",
       coercing_method([](const std::string& method) { return method == "null"; },
                       [](const std::string&) { return std::string(); })},
      {"method-in-array-found", breaks("req-method-string"), kEverywhere,
       "A method that is an Array of the name of a known one is found, as by a key of an object.",
       coercing_method([](const std::string& method) { return method == R"(["subtract"])"; },
                       [](const std::string&) { return std::string("subtract"); })},
      {"method-structured-coerced", breaks("req-method-string"), kEverywhere,
       "A method that is an Array or an Object is looked up by its text.",
       coercing_method(
           [](const std::string& method) { return is_array(method) || object_of(method); },
           [](const std::string& method) { return method; })},
      {"invalid-request-parse-error",
       breaks("err-code-invalid").perhaps("bat-invalid-member", "bat-nested"), kEverywhere,
       "JSON that is no Object is answered -32700.", answer(is_no_object, refused(-32700))},
      {"invalid-request-internal-error",
       breaks("err-code-invalid").perhaps("bat-invalid-member", "bat-nested"), kEverywhere,
       "JSON that is no Object is answered -32603.", answer(is_no_object, refused(-32603))},
      {"non-object-dropped", breaks("err-code-invalid"), kHttp,
       "JSON that is no Object, and no batch either, is not answered.",
       Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         const bool is_dropped = is_json(message) && !is_array(message) && !object_of(message);
         return is_dropped ? std::nullopt : proper(message);
       }}},
      {"invalid-without-id-dropped", breaks("ntf-invalid-answered"), kEverywhere,
       "An invalid Request without an id is not answered.",
       answer(is_invalid_without_id, silence())},
      {"member-names-folded", breaks("req-members-case").perhaps("req-version-missing"),
       kEverywhere, "Member names of Requests are matched whatever their case.",
       on_object(fold_missing_members)},
      {"folded-member-wins", breaks("req-members-case"), kEverywhere,
       "A member spelled in another case takes the place of the right one.",
       on_object(fold_rival_members)},
      {"response-answered", breaks("req-response-shaped"), kStreams,
       "A Response sent to the server is refused with an error.",
       answer(is_response_shaped, refused(-32600))},
      {"extra-members-unanswered", breaks("res-always"), kEverywhere,
       "A call with a member beyond the four is not answered.",
       answer(has_extra_members, silence())},
      {"id-before-method-refused", breaks("err-code-method").perhaps("res-result-on-success"),
       kEverywhere, "A Request whose id stands before its method is refused.",
       on_object([](ObjectText& object) {
         if (stands_before(object, "id", "method")) object.remove("method");
       })},
      {"params-before-method-lost", breaks("res-result-on-success"), kEverywhere,
       "Params that stand before the method are skipped.", on_object([](ObjectText& object) {
         if (stands_before(object, "params", "method")) object.remove("params");
       })},
      {"member-order-fixed",
       breaks("err-code-method").perhaps("res-result-on-success", "ntf-silent-unknown-method"),
       kEverywhere, "A Request whose first member is not jsonrpc is refused.",
       on_object([](ObjectText& object) {
         const bool starts_well = object.members.empty() || object.members[0].first == "jsonrpc";
         if (!starts_well && object.has("jsonrpc")) object.remove("method");
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
