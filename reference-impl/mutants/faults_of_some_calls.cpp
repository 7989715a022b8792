// Defects that show in Requests and answers of one kind alone (JSON-RPC 2.0 §4 and §5).
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

bool calls_subtract(const ObjectText& object) { return object.is("method", "\"subtract\""); }

/// Takes this for the version of what `applies` to.
Behaviour taking_for_a_version(bool (*is_taken)(const std::string& value),
                               bool (*applies)(const ObjectText& object)) {
  return on_object([=](ObjectText& object) {
    const std::string* version = object.find("jsonrpc");
    if (version != nullptr && is_taken(*version) && applies(object)) {
      object.set("jsonrpc", "\"2.0\"");
    }
  });
}

void lose_named_params_before_method(ObjectText& object) {
  const auto place_of = [&object](std::string_view wanted) {
    return std::find_if(object.members.begin(), object.members.end(),
                        [wanted](const auto& member) { return member.first == wanted; });
  };
  const std::string* params = object.find("params");
  const bool is_lost =
      params != nullptr && object_of(*params) && place_of("params") < place_of("method");
  if (is_lost) object.remove("params");
}

/// A call with the id of the one before it has the reply to that one.
Behaviour keeping_the_last_answer() {
  struct Last {
    std::mutex mutex;
    std::string id;
    Reply reply;
  };
  const auto last = std::make_shared<Last>();
  return {.reply = [last](std::string_view message, const ProperReply& proper) -> Reply {
    const auto call = is_json(message) ? object_of(message) : std::nullopt;
    const std::string* id = call ? call->find("id") : nullptr;
    if (id == nullptr || *id == "null") return proper(message);
    const std::lock_guard lock(last->mutex);
    if (*id != last->id) {
      last->id = *id;
      last->reply = proper(message);
    }
    return last->reply;
  }};
}

/// Carried out all the same, and the id sent back.
Behaviour serving_object_ids() {
  return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
    const std::string id = element.id();
    if (id.front() != '{' || !calls_subtract(*element.object)) return proper(element.text);
    ObjectText call = *element.object;
    call.set("id", "1");
    auto response = *object_of(*proper(call.text()));
    response.set("id", id);
    return response.text();
  });
}

/// Notifications whose method nobody has, where `applies`.
Behaviour answering_unknown_notifications(bool (*applies)(const ElementText& element)) {
  return on_element([applies](const ElementText& element, const ProperReply& proper) -> Reply {
    if (!element.is_notification() || !applies(element)) return proper(element.text);
    return error_text(-32601, "Method not found");
  });
}

bool is_dotted(const ElementText& element) {
  const std::string method = element.method();
  return !method.starts_with("rpc.") && method.find('.') != method.npos;
}

bool has_name_beyond_ascii(const ElementText& element) {
  return characters_in(element.method()) != element.method().size();
}

bool begins_with_method(const ElementText& element) {
  return element.object->members.front().first == "method";
}

bool has_empty_name(const ElementText& element) { return element.method().empty(); }

bool has_extra_member(const ElementText& element) { return element.has("extra"); }

bool is_empty_result(const ObjectText& response) {
  return response.is("result", "[]") || response.is("result", "{}");
}

/// Rewrites the values that subtract takes by position.
Behaviour on_numbers(std::string (*rewrite)(const std::string& number)) {
  return on_object([rewrite](ObjectText& object) {
    const std::string* params = object.find("params");
    if (params == nullptr || !is_array(*params) || !calls_subtract(object)) return;
    std::vector<std::string> values = elements_of(*params);
    for (std::string& value : values) {
      if (value.find_first_not_of("-0123456789") == value.npos) value = rewrite(value);
    }
    object.set("params", array_of(values));
  });
}

std::string made_positive(const std::string& number) {
  return number.front() == '-' ? number.substr(1) : number;
}

std::string as_float(const std::string& number) {
  constexpr std::size_t kDigitsOfInt32 = 9;
  if (number.size() > kDigitsOfInt32) return number;
  return std::to_string(static_cast<std::int64_t>(std::stof(number)));
}

bool is_notification_with_null(const ElementText& element) {
  return !element.has("id") && element.has("method") && element.is("params", "null");
}

/// The process ends at batches for which `applies`.
Behaviour dying_of_batch(bool (*applies)(const std::vector<std::string>& elements)) {
  return {.reply = [applies](std::string_view message, const ProperReply& proper) -> Reply {
    const bool is_batch = is_json(message) && is_array(message);
    if (is_batch && applies(elements_of(message))) throw Catastrophe{};
    return proper(message);
  }};
}

bool has_call_with_text(const std::vector<std::string>& elements) {
  return std::any_of(elements.begin(), elements.end(), [](const std::string& text) {
    const auto object = object_of(text);
    const std::string* params = object ? object->find("params") : nullptr;
    return params != nullptr && is_string(*params);
  });
}

bool has_nested_batches(const std::vector<std::string>& elements) {
  return std::any_of(elements.begin(), elements.end(), [](const std::string& text) {
    return is_array(text) && !elements_of(text).empty() && is_array(elements_of(text).front());
  });
}

/// A `__proto__` in params hides the methods there are from all later calls.
Behaviour hiding_methods_behind_prototypes() {
  const auto is_hidden = std::make_shared<std::atomic<bool>>(false);
  return on_element([is_hidden](const ElementText& element, const ProperReply& proper) -> Reply {
    const std::string* params = element.params();
    if (params != nullptr && params->find("__proto__") != params->npos) *is_hidden = true;
    if (*is_hidden && element.object && element.is_call() && calls_subtract(*element.object)) {
      return error_text(-32601, "Method not found", element.id());
    }
    return proper(element.text);
  });
}

}  // namespace

std::span<const Mutant> faults_of_some_calls() {
  static const Mutant all[] = {
      {"version-object-taken", breaks("req-version"), kEverywhere,
       "A Request whose jsonrpc is an Object is taken for one of 2.0.",
       taking_for_a_version([](const std::string& value) { return value.front() == '{'; },
                            [](const ObjectText&) { return true; })},
      {"version-number-served", breaks("req-version"), kEverywhere,
       "A call of a known method whose jsonrpc is the Number 2.0 is served.",
       taking_for_a_version([](const std::string& value) { return value == "2.0"; },
                            calls_subtract)},
      {"version-null-served", breaks("req-version"), kEverywhere,
       "A call of a known method whose jsonrpc is null is served.",
       taking_for_a_version([](const std::string& value) { return value == "null"; },
                            calls_subtract)},
      {"named-params-before-method-lost", breaks("res-result-on-success"), kEverywhere,
       "Named params that stand before the method are skipped.",
       on_object(lose_named_params_before_method)},
      {"last-answer-kept-by-id", breaks("res-result-on-success").wherever_it_strikes(), kEverywhere,
       "A call with the id of the one before it has the same answer.", keeping_the_last_answer},
      {"known-call-with-object-id-served", breaks("req-id-type"), kEverywhere,
       "A call of a known method is carried out although its id is an Object.",
       serving_object_ids()},
      {"unknown-method-with-colon-invalid", breaks("err-code-method"), kEverywhere,
       "A name with a colon that no method has is answered -32602.",
       answer(
           [](const ElementText& element) {
             return element.is_call() && element.method().find(':') != std::string::npos;
           },
           refused(-32602))},
      {"notification-of-dotted-name-answered", breaks("ntf-silent-unknown-method"), kEverywhere,
       "A Notification of an unknown method with a dot in its name is answered.",
       answering_unknown_notifications(is_dotted)},
      {"notification-of-name-beyond-ascii-answered", breaks("ntf-silent-unknown-method"),
       kEverywhere, "A Notification of an unknown method whose name is not ASCII is answered.",
       answering_unknown_notifications(has_name_beyond_ascii)},
      {"notification-method-first-answered", breaks("ntf-silent-unknown-method"), kEverywhere,
       "A Notification that begins with its method is answered.",
       answering_unknown_notifications(begins_with_method)},
      {"notification-of-empty-name-answered", breaks("ntf-silent-unknown-method"), kEverywhere,
       "A Notification whose name is empty is answered.",
       answering_unknown_notifications(has_empty_name)},
      {"notification-with-extra-member-answered", breaks("ntf-silent-unknown-method"), kEverywhere,
       "A Notification with a further member is answered.",
       answering_unknown_notifications(has_extra_member)},
      {"empty-result-left-out", breaks("res-result-on-success").perhaps("res-exclusive"),
       kEverywhere, "A result that is an empty Array or Object is left out.",
       success(where(is_empty_result, remove("result")))},
      {"positional-params-made-positive", breaks("par-positional"), kEverywhere,
       "Numbers below zero lose their sign.", on_numbers(made_positive)},
      {"positional-params-as-floats", breaks("par-positional"), kEverywhere,
       "Numbers have 24 bits.", on_numbers(as_float)},
      {"is-prototype-of-found", breaks("rob-inherited-names"), kEverywhere,
       "isPrototypeOf is the name of a method.",
       answer(
           [](const ElementText& element) {
             return element.is_call() && element.method() == "isPrototypeOf";
           },
           succeeding_with("{}"))},
      {"proto-with-named-params-found", breaks("rob-inherited-names"), kEverywhere,
       "__proto__ with an empty Object of params is the name of a method.",
       answer(
           [](const ElementText& element) {
             return element.is_call() && element.method() == "__proto__" &&
                    element.is("params", "{}");
           },
           succeeding_with("{}"))},
      {"reply-beyond-300-kib-cut", breaks("res-json").wherever_it_strikes(), kEverywhereAndTcp,
       "Replies end after 300 KiB.",
       on_reply([](const std::string& reply) { return reply.substr(0, 300UL * 1024); })},
      {"text-params-in-batch-fatal", breaks("rob-survives"), kEverywhere,
       "Params of a batch that are a String end the process.", dying_of_batch(has_call_with_text)},
      {"nested-batch-of-two-fatal", breaks("rob-survives"), kEverywhere,
       "A batch in a batch in a batch ends the process.", dying_of_batch(has_nested_batches)},
      {"null-params-of-notification-fatal", breaks("rob-survives"), kEverywhere,
       "A Notification whose params are null ends the process.",
       answer(is_notification_with_null, death())},
      {"prototype-hides-methods", breaks("rob-prototype-params").wherever_it_strikes(), kEverywhere,
       "A __proto__ in params hides methods from all later calls.",
       hiding_methods_behind_prototypes},
  };
  return all;
}

}  // namespace jrpcheck::reference
