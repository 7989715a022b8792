// Deep faults in one Request, alone or in a batch: method, params, id and spelling together.
#include <algorithm>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/deep.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kBuffer = 256;
constexpr std::size_t kLevels = 12;

template <typename Predicate>
bool any_value(const std::optional<ObjectText>& params, Predicate predicate) {
  return params && std::any_of(params->members.begin(), params->members.end(),
                               [&](const auto& member) { return predicate(member.second); });
}

template <typename Predicate>
bool any_argument(const Seat& seat, Predicate predicate) {
  const auto arguments = seat.positional();
  return arguments && std::any_of(arguments->begin(), arguments->end(), predicate);
}

bool holds_an_object(const std::string& text) {
  if (!is_array(text)) return false;
  const auto elements = elements_of(text);
  return std::any_of(elements.begin(), elements.end(),
                     [](const std::string& each) { return object_of(each).has_value(); });
}

bool has_repeated_name(const ObjectText& object) {
  for (std::size_t i = 0; i < object.members.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (object.members[i].first == object.members[j].first) return true;
    }
  }
  return false;
}

/// How deep Objects nest in Objects, whatever Arrays stand between them; looks so far down only.
std::size_t depth_of_objects(const std::string& text, std::size_t levels = kLevels) {
  if (levels == 0) return 0;
  std::size_t deepest = 0;
  if (const auto object = object_of(text)) {
    for (const auto& member : object->members) {
      deepest = std::max(deepest, depth_of_objects(member.second, levels - 1));
    }
    return deepest + 1;
  }
  if (!is_array(text)) return 0;
  for (const auto& each : elements_of(text)) {
    deepest = std::max(deepest, depth_of_objects(each, levels - 1));
  }
  return deepest;
}

bool names_the_prototype_within(const std::string& text) {
  const auto object = object_of(text);
  return object && object->has("__proto__");
}

std::size_t place_of(const ObjectText& object, std::string_view name) {
  const auto found = std::find_if(object.members.begin(), object.members.end(),
                                  [name](const auto& member) { return member.first == name; });
  return static_cast<std::size_t>(found - object.members.begin());
}

}  // namespace

std::span<const Mutant> deep_faults_in_calls() {
  static const Mutant all[] = {
      {"deep-null-by-name", breaks("rob-survives"), kLines,
       "Subtraction of a minuend that is null, and passed by name, ends the server.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             return seat.element.method() == "subtract" && params && params->is("minuend", "null");
           },
           death)},
      {"deep-fraction-by-name", breaks("res-always"), kLines,
       "A call with a String as id and a fraction among the params passed by name is not answered.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.has_string_id() && any_value(seat.named(), has_fraction);
           },
           unanswered)},
      {"deep-object-in-array-by-name", breaks("id-echo"), kLines,
       "A call with an Object within an Array among the params passed by name loses its id.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && any_value(seat.named(), holds_an_object);
           },
           without_id)},
      {"deep-escape-in-parameter-name", breaks("err-code-integer"), kLines,
       "The error of a call with an escape in the name of a parameter has a String as code.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             const auto escaped = [](const auto& member) {
               return has_unicode_escape(encoded(member.first));
             };
             const std::string* text = params ? seat.element.object->find("params") : nullptr;
             return seat.is_call() && text != nullptr && has_unicode_escape(*text) &&
                    std::none_of(params->members.begin(), params->members.end(), escaped) &&
                    !any_value(params,
                               [](const std::string& each) { return has_unicode_escape(each); });
           },
           [](const Seat&, const Reply& proper) {
             return with_error(proper, set("code", "\"-32602\""));
           })},
      {"deep-repeated-parameter", breaks("res-exclusive"), kLines,
       "A call that passes a parameter twice by name is answered with result and error.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             return seat.is_call() && params && has_repeated_name(*params);
           },
           both_members)},
      {"deep-ids-of-two-types", breaks("rob-survives"), kLines,
       "A Request with two ids, a Number and a String, ends the server.",
       when(
           [](const Seat& seat) {
             bool number = false;
             bool text = false;
             if (!seat.element.object) return false;
             for (const auto& [name, value] : seat.element.object->members) {
               number = number || (name == "id" && is_number(value));
               text = text || (name == "id" && is_string(value));
             }
             return number && text;
           },
           death)},
      {"deep-quoted-argument", breaks("res-json"), kLines,
       "The refusal of an argument with a quotation mark in it quotes it without an escape.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && any_argument(seat, [](const std::string& each) {
                      return is_string(each) && decoded(each).find('"') != std::string::npos;
                    });
           },
           [](const Seat&, const Reply& proper) {
             return with_error(proper, set("message", R"("not a Number: """)"));
           })},
      {"deep-id-before-method", breaks("res-always"), kLines,
       "A call whose id comes before its method, and its params, passed by name, after it, is "
       "taken "
       "for a Notification.",
       when(
           [](const Seat& seat) {
             if (!seat.is_call() || !seat.named()) return false;
             const ObjectText& object = *seat.element.object;
             const std::size_t method = place_of(object, "method");
             return place_of(object, "id") < method && method < place_of(object, "params");
           },
           unanswered)},
      {"deep-member-of-a-response", breaks("res-always"), kLines,
       "A call with params that also has a member named error is taken for a Response.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.element.has("error") && seat.element.has("params");
           },
           unanswered)},
      {"deep-exponent-with-arguments", breaks("id-echo").perhaps("id-fraction"), kLines,
       "The id of a call with arguments loses its exponent when it has failed.",
       when(
           [](const Seat& seat) {
             const auto arguments = seat.positional();
             return seat.is_call() && has_exponent(seat.id()) && arguments && !arguments->empty();
           },
           [](const Seat& seat, const Reply& proper) {
             const std::string id = seat.id();
             const bool failed = proper && object_of(*proper)->has("error");
             return failed ? with_id_text(proper, id.substr(0, id.find_first_of("eE"))) : proper;
           })},
      {"deep-escape-in-silent-method", breaks("ntf-silent"), kLines,
       "A Notification with params whose method is written with an escape is answered.",
       when(
           [](const Seat& seat) {
             return seat.is_notification() && seat.element.has("params") &&
                    has_unicode_escape(*seat.element.object->find("method"));
           },
           answered_all_the_same)},
      {"deep-parameter-named-id", breaks("id-echo").perhaps("id-string-exact"), kLines,
       "A String passed by name as \"id\" takes the place of the call's own id.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             const std::string* id = params ? params->find("id") : nullptr;
             return seat.is_call() && id != nullptr && is_string(*id);
           },
           [](const Seat& seat, const Reply& proper) {
             return with_id_text(proper, *seat.named()->find("id"));
           })},
      {"deep-prototype-within", breaks("rob-survives"), kLines,
       "An argument that is an Object with the member __proto__ ends the server.",
       when([](const Seat& seat) { return any_argument(seat, names_the_prototype_within); },
            death)},
      {"deep-objects-in-objects", breaks("id-echo"), kLines,
       "A call with Objects that nest five deep in its params loses its id.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.element.has("params") &&
                    depth_of_objects(*seat.element.object->find("params")) >= 5;
           },
           without_id)},
      {"deep-true-and-no-id", breaks("id-null-request"), kLines,
       "A call with id null and true among its arguments is not answered.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.id() == "null" &&
                    any_argument(seat, [](const std::string& each) { return each == "true"; });
           },
           unanswered)},
      {"deep-empty-parameter-name", breaks("err-object"), kLines,
       "The error of a sum with a parameter of an empty name is a String.",
       when(
           [](const Seat& seat) {
             const auto params = seat.named();
             return seat.is_call() && seat.element.method() == "sum" && params && params->has("");
           },
           [](const Seat& seat, const Reply&) -> Reply {
             return R"({"jsonrpc":"2.0","error":"Invalid params","id":)" + seat.id() + "}";
           })},
      {"deep-sign-and-accent", breaks("id-echo").perhaps("id-fraction"), kLines,
       "The negative id of a call of a method with characters beyond ASCII loses its sign.",
       when(
           [](const Seat& seat) {
             const std::string method = seat.element.method();
             return seat.is_call() && seat.id().starts_with('-') &&
                    std::any_of(method.begin(), method.end(),
                                [](char c) { return static_cast<unsigned char>(c) > 0x7F; });
           },
           [](const Seat& seat, const Reply& proper) {
             return with_id_text(proper, seat.id().substr(1));
           })},
      {"deep-long-argument", breaks("res-json"), kLines,
       "The reply to a call with a String as id and an argument of 256 bytes is cut.",
       when(
           [](const Seat& seat) {
             return seat.is_call() && seat.has_string_id() &&
                    any_argument(seat, [](const std::string& each) {
                      return is_string(each) && each.size() > kBuffer;
                    });
           },
           [](const Seat&, const Reply& proper) {
             return proper ? Reply(proper->substr(0, proper->size() / 2)) : proper;
           })},
  };
  return all;
}

}  // namespace jrpcheck::reference
