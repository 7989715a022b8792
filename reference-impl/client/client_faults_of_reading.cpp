// Faults in how the client finds the call that a Response is for, and whether it is one at all.
#include <array>

#include "base/letter_case.hpp"
#include "reference-impl/client/client_edits.hpp"
#include "reference-impl/client/client_mutants.hpp"

namespace jrpcheck::reference {

namespace {

bool is_response(const ClientJson& object) { return !object.contains("method"); }

// To be called where it is the next call's, as far as the mutant is concerned.
void give_to_first(ClientJson& object, const Waiting& waiting) {
  if (!waiting.empty()) object["id"] = waiting.front();
}

void take_any_id(ClientJson& object, const Waiting& waiting) {
  if (is_response(object) && object.contains("id") && !object["id"].is_null()) {
    give_to_first(object, waiting);
  }
}

void take_id_as_text(ClientJson& object, const Waiting&) {
  if (!is_response(object) || !object.contains("id") || !object["id"].is_string()) return;
  const auto number = ClientJson::parse(object["id"].get<std::string>(), nullptr, false);
  if (number.is_number_integer()) object["id"] = number;
}

// As languages do in which true is equal to 1.
void take_true_for_one(ClientJson& object, const Waiting&) {
  if (!is_response(object) || !object.contains("id") || !object["id"].is_boolean()) return;
  object["id"] = object["id"].get<bool>() ? 1 : 0;
}

void compare_ids_as_spelled(ClientJson& object, const Waiting&) {
  if (object.contains("id") && object["id"].is_number_float()) object["id"] = "another";
}

void take_without_id(ClientJson& object, const Waiting& waiting) {
  if (is_response(object) && object.contains("result") && !object.contains("id")) {
    give_to_first(object, waiting);
  }
}

void fold_member_names(ClientJson& object, const Waiting&) {
  const ClientJson as_it_came = object;
  for (const auto& [other, value] : as_it_came.items()) {
    const std::string name = in_lower_case(other);
    if (!object.contains(name)) object[name] = value;
  }
}

void take_any_version(ClientJson& object, const Waiting&) {
  if (is_response(object)) object["jsonrpc"] = "2.0";
}

void settle_by_message(ClientJson& object, const Waiting& waiting, bool with_id) {
  if (!object.contains("method") || object.contains("id") != with_id) return;
  if (with_id && (waiting.empty() || object["id"] != waiting.front())) return;
  object.erase("method");
  object["result"] = object.value("params", ClientJson());
  object.erase("params");
  give_to_first(object, waiting);
}

// As who reads whatever comes as a Response whose id is a Number.
void refuse_requests_with_text_ids(ClientJson& object, const Waiting& waiting) {
  if (is_response(object) || !object.contains("id") || !object["id"].is_string()) return;
  object.erase("method");
  object["error"] = {{"code", -32603}, {"message", "The id is no Number"}};
  give_to_first(object, waiting);
}

// What has a result is a Response to it, whatever else it has.
void take_result_of_notification(ClientJson& object, const Waiting& waiting) {
  if (!object.contains("method") || !object.contains("result") || object.contains("id")) return;
  object.erase("method");
  object.erase("params");
  give_to_first(object, waiting);
}

// The id of a call by its place in the batch.
void match_by_place(ClientJson& value, const Waiting& waiting) {
  if (!value.is_array()) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (!value[i].is_object()) continue;
    value[i]["id"] = i < waiting.size() ? ClientJson(waiting[i]) : ClientJson("surplus");
  }
}

void fill_batch(ClientJson& value, const Waiting& waiting) {
  if (!value.is_array() || waiting.size() < 2) return;
  for (const auto id : waiting) {
    const bool is_there = std::any_of(value.begin(), value.end(), [&](const ClientJson& each) {
      return each.is_object() && each.value("id", ClientJson()) == id;
    });
    if (!is_there) value.push_back({{"jsonrpc", "2.0"}, {"result", nullptr}, {"id", id}});
  }
}

// Of elements with one id the last is left.
void keep_last_of_batch(ClientJson& value, const Waiting& waiting) {
  if (!value.is_array() || waiting.size() < 2) return;
  const auto id_of = [](const ClientJson& each) {
    return each.is_object() ? each.value("id", ClientJson()) : ClientJson();
  };
  ClientJson kept = ClientJson::array();
  for (auto each = value.begin(); each != value.end(); ++each) {
    const auto id = id_of(*each);
    const bool comes_again = !id.is_null() && std::any_of(each + 1, value.end(), [&](auto& other) {
      return id_of(other) == id;
    });
    if (!comes_again) kept.push_back(*each);
  }
  value = kept;
}

// One failure, or a surplus, is taken for that of all.
void refuse_batch_with_an_error(ClientJson& value, const Waiting& waiting) {
  if (!value.is_array() || waiting.size() < 2) return;
  const bool has_error = std::any_of(value.begin(), value.end(), [](const ClientJson& each) {
    return each.is_object() && each.contains("error");
  });
  if (has_error) value = ClientJson("broken");
}

void take_object_for_batch(ClientJson& value, const Waiting& waiting) {
  if (value.is_object() && waiting.size() > 1 && value.contains("error") &&
      value.value("id", ClientJson()).is_null()) {
    value = ClientJson::parse(success_for(waiting, nullptr));
  }
}

void take_array_for_nothing(ClientJson& value, const Waiting& waiting) {
  if (value.is_array() && waiting.size() == 1) {
    value = ClientJson::parse(success_for(waiting, nullptr));
  }
}

void take_null_id(ClientJson& object, const Waiting& waiting) {
  if (is_response(object) && object.contains("result") && object.contains("id") &&
      object["id"].is_null()) {
    give_to_first(object, waiting);
  }
}

// As a stack, and not by their ids.
void give_to_last(ClientJson& object, const Waiting& waiting) {
  if (is_response(object) && !waiting.empty()) object["id"] = waiting.back();
}

void take_anything(ClientJson& value, const Waiting& waiting) {
  const bool is_response_form = value.is_structured() && !value.empty();
  if (!is_response_form && !value.is_array() && !waiting.empty()) {
    value = ClientJson::parse(success_for(waiting, value));
  }
}

// An answer to a call that has its answer is given to the next one.
void take_late(ClientJson& object, const Waiting& waiting) {
  if (!is_response(object) || waiting.empty() || !object.contains("id")) return;
  const auto& id = object["id"];
  if (id.is_number_integer() && id > 0 && id < waiting.front()) give_to_first(object, waiting);
}

void settle_by_unknown_text(ClientJson& object, const Waiting& waiting) {
  if (!is_response(object) || !object.contains("id") || waiting.empty()) return;
  const auto& id = object["id"];
  if (id != "__proto__" && id != "constructor") return;
  object["result"] = nullptr;
  give_to_first(object, waiting);
}

const ClientMutant kFaultsOfReading[] = {
    {"takes-any-id",
     breaks("cl-unknown-id")
         .perhaps("cl-error-reported", "cl-late", "cl-id-same-type", "cl-special-ids",
                  "cl-match-by-id", "cl-once", "cl-bat-surplus", "cl-bat-missing",
                  "cl-ntf-answered"),
     kOverAll, "A Response answers the first call in flight, whatever its id.",
     on_object(take_any_id)},
    {"answers-last-call-first", breaks("cl-match-by-id", "cl-unknown-id").perhaps_any_of("cl-"),
     kOverAll, "A Response answers the last call in flight, whatever its id.",
     on_object(give_to_last)},
    {"takes-null-ids", breaks("cl-unknown-id").perhaps("cl-ntf-answered"), kOverAll,
     "A result with id null answers the first call in flight.", on_object(take_null_id)},
    {"takes-ids-as-text", breaks("cl-id-same-type"), kOverAll, "It takes \"2\" for the id 2.",
     on_object(take_id_as_text)},
    {"takes-true-for-one", breaks("cl-unknown-id"), kOverStreams,
     "It takes true for the id 1, and false for 0.", on_object(take_true_for_one)},
    {"compares-ids-as-spelled", breaks("cl-id-number-value"), kOverAll,
     "It does not take 2.0 for the id 2.", on_object(compare_ids_as_spelled)},
    {"takes-results-without-id", breaks("cl-id-missing"), kOverAll,
     "A Response without an id answers the first call in flight.", on_object(take_without_id)},
    {"folds-member-names", breaks("cl-rejects-both", "cl-id-missing"), kOverAll,
     "Capitals in the names of members are small letters.", on_object(fold_member_names)},
    {"takes-any-version", breaks("cl-version-checked"), kOverAll,
     "It does not look at the version.", on_object(take_any_version)},
    {"takes-notifications", breaks("cl-unsolicited"), kOverStreams,
     "A Notification of the server answers the call in flight.",
     on_object([](ClientJson& object, const Waiting& waiting) {
       settle_by_message(object, waiting, false);
     })},
    {"takes-results-of-notifications", breaks("cl-unsolicited"), kOverStreams,
     "A Notification of the server that has a member result answers the call in flight.",
     on_object(take_result_of_notification)},
    {"takes-requests", breaks("cl-server-call-same-id"), kOverStreams,
     "A Request of the server that has the id of a call answers that.",
     on_object([](ClientJson& object, const Waiting& waiting) {
       settle_by_message(object, waiting, true);
     })},
    {"stumbles-over-requests", breaks("cl-unsolicited").perhaps("cl-server-call"), kOverStreams,
     "A Request of the server whose id is a String ends the call in flight in an error.",
     on_object(refuse_requests_with_text_ids)},
    {"takes-the-last-answer",
     breaks("cl-once").perhaps("cl-error-null-id", "cl-bad-json", "cl-ntf-answered"), kOverStreams,
     "Of several answers that come at once it takes the last first.",
     [](ClientHooks& hooks) { hooks.reads_last_first = true; }},
    {"takes-late-answers", breaks("cl-late", "cl-unknown-id").perhaps("cl-once", "cl-ntf-answered"),
     kOverStreams, "An answer to an earlier call answers the one in flight.", on_object(take_late)},
    {"settles-by-special-ids", breaks("cl-special-ids"), kOverAll,
     "An id that is the name of a built-in member settles the call in flight.",
     on_object(settle_by_unknown_text)},
    {"matches-batch-by-place",
     breaks("cl-match-by-id", "cl-bat-surplus")
         .perhaps("cl-bat-missing", "cl-error-reported", "cl-array-for-single", "cl-once"),
     kOverAll, "Results of a batch are given to calls by their place.", on_value(match_by_place)},
    {"fills-batch-with-null", breaks("cl-bat-missing", "cl-bat-empty-answer"), kOverAll,
     "A call of a batch that is not answered has null for its result.", on_value(fill_batch)},
    {"takes-the-last-of-a-batch", breaks("cl-once"), kOverAll,
     "Of two answers to one call of a batch it takes the last.", on_value(keep_last_of_batch)},
    {"fails-batch-with-one", breaks("cl-error-reported"), kOverAll,
     "One error in a batch is that of every call.", on_value(refuse_batch_with_an_error)},
    {"takes-object-for-batch", breaks("cl-bat-object"), kOverAll,
     "One error in place of a batch's Array is success without results.",
     on_value(take_object_for_batch)},
    {"takes-arrays-for-nothing", breaks("cl-array-for-single"), kOverAll,
     "An Array in place of a Response is success without a result.",
     on_value(take_array_for_nothing)},
    {"takes-anything", breaks("cl-not-an-object").perhaps("cl-bad-json"), kOverAll,
     "What is no Response is the result of the call in flight.", on_value(take_anything)},
};

}  // namespace

std::span<const ClientMutant> client_faults_of_reading() { return kFaultsOfReading; }

}  // namespace jrpcheck::reference
