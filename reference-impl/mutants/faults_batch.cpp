// Defects in batches (JSON-RPC 2.0 §6).
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/mutants/batch_edits.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kMostElementsServed = 100;
constexpr std::size_t kMostResponsesSent = 500;

/// Gives the empty batch this reply.
Behaviour on_empty_batch(Reply reply) {
  return on_batch([reply = std::move(reply)](const Texts& elements, const ProperReply& proper) {
    return elements.empty() ? reply : proper(array_of(elements));
  });
}

bool holds_request(const std::string& element) {
  const auto object = object_of(element);
  return object && object->has("method") && object->is("jsonrpc", "\"2.0\"");
}

bool is_notification(const std::string& element) {
  return ElementText{element, object_of(element)}.is_notification();
}

/// In place of silence.
Reply empty_where_all_succeed(const Texts& elements, const ProperReply& proper) {
  Reply reply = proper(array_of(elements));
  const bool are_notifications = std::all_of(elements.begin(), elements.end(), is_notification);
  if (reply || !are_notifications) return reply;
  const auto succeeds = [&](const std::string& element) {
    ObjectText call = *object_of(element);
    call.set("id", "null");
    const Reply answer = proper(call.text());
    return answer && object_of(*answer).value_or(ObjectText()).has("result");
  };
  return std::all_of(elements.begin(), elements.end(), succeeds) ? Reply("[]") : reply;
}

Texts with_ids(Texts responses, const Texts& ids) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    ObjectText response = *object_of(responses[i]);
    response.set("id", ids[i]);
    responses[i] = response.text();
  }
  return responses;
}

Texts ids_of(const Texts& responses) {
  Texts ids;
  for (const std::string& response : responses) ids.push_back(id_of_response(response));
  return ids;
}

Reply with_rotated_ids(const Texts& responses) {
  Texts ids = ids_of(responses);
  std::rotate(ids.begin(), ids.begin() + 1, ids.end());
  return array_of(with_ids(responses, ids));
}

/// Calls that share an id all get the Response to the last of them.
Reply with_last_of_each_id(Texts responses) {
  std::map<std::string, std::string> last;
  for (const std::string& response : responses) last[id_of_response(response)] = response;
  for (std::string& response : responses) {
    if (id_of_response(response) != "null") response = last[id_of_response(response)];
  }
  return array_of(responses);
}

/// Calls of one method all get the result of the last of them.
Reply with_last_result_of_each_method(const Texts& elements, const ProperReply& proper) {
  if (elements.empty()) return proper(array_of(elements));
  std::map<std::string, std::string> last;
  std::vector<std::pair<std::string, ObjectText>> answered;
  for (const std::string& element : elements) {
    const Reply reply = proper(array_of({element}));
    if (!reply) continue;
    const std::string method = ElementText{element, object_of(element)}.method();
    answered.emplace_back(method, *object_of(elements_of(*reply).front()));
    const std::string* result = answered.back().second.find("result");
    if (result != nullptr) last[method] = *result;
  }
  Texts responses;
  for (auto& [method, response] : answered) {
    if (response.has("result")) response.set("result", last[method]);
    responses.push_back(response.text());
  }
  return responses.empty() ? Reply() : Reply(array_of(responses));
}

/// Of calls that share an id only the first is answered.
Reply with_first_of_each_id(const Texts& responses) {
  std::set<std::string> seen;
  Texts kept;
  for (const std::string& response : responses) {
    if (id_of_response(response) == "null" || seen.insert(id_of_response(response)).second)
      kept.push_back(response);
  }
  return array_of(kept);
}

/// The elements of the batches within a batch, in their place.
Texts flattened(Texts elements) {
  Texts flat;
  for (const std::string& element : elements) {
    const Texts inner = is_array(element) ? elements_of(element) : Texts{};
    if (inner.empty()) {
      flat.push_back(element);
    } else {
      flat.insert(flat.end(), inner.begin(), inner.end());
    }
  }
  return flat;
}

/// Serves other elements than came.
Behaviour on_elements(Texts (*rewrite)(Texts elements)) {
  return on_batch([rewrite](const Texts& elements, const ProperReply& proper) {
    return proper(array_of(rewrite(elements)));
  });
}

Texts first_hundred(Texts elements) {
  elements.resize(std::min(elements.size(), kMostElementsServed));
  return elements;
}

Reply first_five_hundred(Texts responses) {
  responses.resize(std::min(responses.size(), kMostResponsesSent));
  return array_of(responses);
}

/// Gives this reply where none is due, to batches of so many elements or more.
Behaviour in_place_of_silence(std::string reply, std::size_t fewest = 1) {
  return on_batch([=](const Texts& elements, const ProperReply& proper) -> Reply {
    Reply answer = proper(array_of(elements));
    return answer || elements.size() < fewest ? answer : Reply(reply);
  });
}

/// Gives every batch this reply.
Behaviour on_every_batch(Reply reply) {
  return on_batch([reply = std::move(reply)](const Texts&, const ProperReply&) { return reply; });
}

bool is_other_than_object(const std::string& element) { return !object_of(element); }

/// Elements for which `applies` are passed over.
Behaviour dropping_elements(bool (*applies)(const std::string& element)) {
  return on_batch([applies](Texts elements, const ProperReply& proper) {
    const bool was_empty = elements.empty();
    std::erase_if(elements, applies);
    return elements.empty() && !was_empty ? Reply() : proper(array_of(elements));
  });
}

bool has_false_id(const std::string& element) {
  const auto object = object_of(element);
  return object && (object->is("id", "0") || object->is("id", "\"\""));
}

Reply lost_with_notification(const Texts& elements, const ProperReply& proper) {
  const bool is_lost = std::any_of(elements.begin(), elements.end(), is_notification);
  return is_lost ? Reply() : proper(array_of(elements));
}

Reply with_null_for_notifications(const Texts& elements, const ProperReply& proper) {
  Reply reply = proper(array_of(elements));
  if (!reply || !is_array(*reply)) return reply;
  Texts responses = elements_of(*reply);
  const auto silent = std::count_if(elements.begin(), elements.end(), is_notification);
  responses.insert(responses.end(), static_cast<std::size_t>(silent), "null");
  return array_of(responses);
}

Reply with_ids_of_the_first(const Texts& responses) {
  return array_of(with_ids(responses, Texts(responses.size(), id_of_response(responses.front()))));
}

Reply twice(Texts responses) {
  const Texts once = responses;
  responses.insert(responses.end(), once.begin(), once.end());
  return array_of(responses);
}

Reply first_of_all(const Texts& responses) { return array_of({responses.front()}); }

Reply unwrapped_if_one(const Texts& responses) {
  return responses.size() == 1 ? responses.front() : array_of(responses);
}

Reply stopping_at_invalid(Texts elements, const ProperReply& proper) {
  const auto invalid = std::find_if_not(elements.begin(), elements.end(), holds_request);
  if (invalid != elements.end()) elements.erase(invalid + 1, elements.end());
  return proper(array_of(elements));
}

Reply refusing_whole_for_invalid(const Texts& elements, const ProperReply& proper) {
  if (std::all_of(elements.begin(), elements.end(), holds_request)) {
    return proper(array_of(elements));
  }
  return error_text(-32600, "Invalid Request: an element of the batch is invalid");
}

/// Numbers in a batch come back as the ids of their errors.
Reply echoing_numbers(const Texts& elements, const ProperReply& proper) {
  return on_element([](const ElementText& element, const ProperReply& proper_member) {
           Reply reply = proper_member(element.text);
           const bool is_number = element.text.find_first_of("-0123456789") == 0;
           if (!is_number) return reply;
           return Reply(error_text(-32600, "Invalid Request", element.text));
         })
      .reply(array_of(elements), proper);
}

Reply one_by_one(const Texts& responses) { return Reply::several(responses); }

std::string in_result(const Texts& responses) {
  return R"({"jsonrpc":"2.0","result":)" + array_of(responses) + R"(,"id":null})";
}

/// What follows a Response with that error is not sent.
Behaviour ending_behind_error(std::string_view code) {
  return on_batch_reply([code](Texts responses) -> Reply {
    const auto last = std::find_if(responses.begin(), responses.end(), [&](const auto& each) {
      return code_of(*object_of(each)) == code;
    });
    if (last != responses.end()) responses.erase(last + 1, responses.end());
    return array_of(responses);
  });
}

}  // namespace

std::span<const Mutant> batch_faults() {
  static const Mutant all[] = {
      {"batch-empty-answered-empty", breaks("bat-empty"), kEverywhere, "[] is answered [].",
       on_empty_batch("[]")},
      {"batch-empty-unanswered", breaks("bat-empty"), kEverywhere, "[] is not answered.",
       on_empty_batch(std::nullopt)},
      {"batch-empty-answered-by-array", breaks("bat-empty"), kEverywhere,
       "[] is answered by an Array of one error.",
       on_empty_batch("[" + error_text(-32600, "Invalid Request") + "]")},
      {"batch-empty-parse-error", breaks("bat-empty"), kEverywhere, "[] is answered -32700.",
       on_empty_batch(error_text(-32700, "Parse error"))},
      {"batch-stops-at-invalid", breaks("bat-each").perhaps("bat-invalid-member"), kEverywhere,
       "What follows an invalid element of a batch is not answered.",
       on_batch(stopping_at_invalid)},
      {"batch-refused-for-invalid", breaks("bat-invalid-member").perhaps("bat-array", "bat-one"),
       kEverywhere, "A batch with an invalid element is refused as a whole.",
       on_batch(refusing_whole_for_invalid)},
      {"batch-non-objects-dropped", breaks("bat-invalid-member").perhaps("bat-nested"), kEverywhere,
       "Texts of a batch that are no Objects are not answered.",
       dropping_elements(is_other_than_object)},
      {"batch-numbers-echoed", breaks("bat-invalid-member").perhaps("id-null-undetectable"),
       kEverywhere, "A Number in a batch is refused with itself as id.", on_batch(echoing_numbers)},
      {"batch-of-one-unwrapped", breaks("bat-one"), kEverywhere,
       "An Array of one Response is sent as that Response.", on_batch_reply(unwrapped_if_one)},
      {"batch-nested-executed", breaks("bat-nested"), kEverywhere,
       "The elements of an Array within a batch are carried out.", on_elements(flattened)},
      {"batch-nested-echoed", breaks("bat-nested"), kEverywhere,
       "An Array within a batch comes back as it is.",
       answer([](const ElementText& element) { return is_array(element.text); },
              [](const ElementText& element) -> Reply { return element.text; })},
      {"batch-of-notifications-answered-empty", breaks("bat-all-notifications"), kEverywhere,
       "A batch of Notifications alone is answered [].", in_place_of_silence("[]")},
      {"batch-of-three-notifications-answered-empty", breaks("bat-all-notifications"), kEverywhere,
       "A batch of three Notifications or more is answered [].", in_place_of_silence("[]", 3)},
      {"batch-of-known-notifications-answered-empty", breaks("bat-all-notifications"), kEverywhere,
       "A batch of Notifications that all succeed is answered [].",
       on_batch(empty_where_all_succeed)},
      {"batch-of-notifications-answered-null", breaks("bat-all-notifications"), kEverywhere,
       "A batch of Notifications alone is answered null.", in_place_of_silence("null")},
      {"batch-of-notifications-refused", breaks("bat-all-notifications"), kEverywhere,
       "A batch of Notifications alone is answered -32600.",
       in_place_of_silence(error_text(-32600, "Invalid Request"))},
      {"batch-lost-with-notification",
       breaks("res-always").perhaps("bat-invalid-member", "bat-large"), kEverywhere,
       "A batch that holds a Notification is never answered.", on_batch(lost_with_notification)},
      {"batch-cut-after-a-hundred", breaks("bat-each", "bat-large"), kEverywhere,
       "What follows the hundredth element of a batch is dropped.", on_elements(first_hundred)},
      {"batch-answers-cut-after-five-hundred", breaks("bat-each"), kEverywhere,
       "Of the Responses to a batch no more than five hundred are sent.",
       on_batch_reply(first_five_hundred)},
      {"batch-first-call-only",
       breaks("bat-each")
           .perhaps("bat-duplicate-ids", "bat-invalid-member", "bat-large", "id-null-request",
                    "ntf-silent-in-batch"),
       kEverywhere, "Only the first Response of a batch is sent, in an Array.",
       on_batch_reply(first_of_all)},
      {"batch-ids-rotated",
       breaks("bat-each")
           .perhaps("err-code-method", "bat-invalid-member", "par-positional",
                    "req-method-required", "req-version"),
       kEverywhere, "Each Response of a batch carries the id of the next.",
       on_batch_reply(with_rotated_ids)},
      {"batch-results-of-the-last", breaks("bat-each").perhaps("bat-duplicate-ids"), kEverywhere,
       "Calls of one method in a batch all have the result of the last of them.",
       on_batch(with_last_result_of_each_method)},
      {"batch-ids-of-the-first",
       breaks("id-echo").perhaps("bat-each", "bat-invalid-member", "id-invalid-request",
                                 "id-null-request", "id-null-undetectable", "id-string-exact",
                                 "id-zero-and-empty"),
       kEverywhere, "All Responses of a batch carry the id of the first.",
       on_batch_reply(with_ids_of_the_first)},
      {"batch-answered-twice",
       breaks("bat-each")
           .perhaps("bat-duplicate-ids", "bat-invalid-member", "bat-large", "bat-nested",
                    "id-null-request", "ntf-silent-in-batch"),
       kEverywhere, "Each Response of a batch is in the Array twice.", on_batch_reply(twice)},
      {"batch-answered-one-by-one",
       breaks("bat-array")
           .perhaps("bat-duplicate-ids", "bat-invalid-member", "bat-large", "bat-one",
                    "id-null-undetectable", "res-once"),
       kStreams, "The Responses to a batch are sent as messages of their own.",
       on_batch_reply(one_by_one)},
      {"batch-answered-in-result",
       breaks("bat-array")
           .perhaps("bat-duplicate-ids", "bat-invalid-member", "bat-large", "bat-one",
                    "bat-supported"),
       kEverywhere, "The Array of Responses is wrapped in the result of a Response.",
       on_batch_reply(in_result)},
      {"batch-null-for-notification", breaks("ntf-silent-in-batch").perhaps("bat-each"),
       kEverywhere, "A Notification adds null to the Array of Responses.",
       on_batch(with_null_for_notifications)},
      {"batch-parse-error-in-array", breaks("bat-parse-error").perhaps("res-object", "rob-depth"),
       kEverywhere, "A batch that is not JSON is answered by an Array of one error.",
       on_message_and_reply([](std::string_view message, Reply reply) -> Reply {
         if (is_json(message) || !is_array(message) || !reply) return reply;
         return "[" + *reply + "]";
       })},
      {"batch-false-ids-dropped", breaks("id-zero-and-empty"), kEverywhere,
       "Calls of a batch with the ids 0 and \"\", which are false in some languages, are not "
       "answered.",
       dropping_elements(has_false_id)},
      {"batch-duplicate-ids-dropped", breaks("bat-duplicate-ids"), kEverywhere,
       "Of calls of a batch that share an id only the first is answered.",
       on_batch_reply(with_first_of_each_id)},
      {"batch-duplicate-ids-crossed", breaks("bat-duplicate-ids"), kEverywhere,
       "Calls of a batch that share an id are all answered as the last of them.",
       on_batch_reply(with_last_of_each_id)},
      {"batch-ignored", breaks("bat-supported"), kBatching, "Batches are not answered.",
       on_every_batch(Reply())},
      {"batch-is-parse-error", breaks("bat-supported"), kBatching, "Batches are answered -32700.",
       on_every_batch(error_text(-32700, "Parse error"))},
      {"batch-refused-without-id", breaks("bat-supported", "res-id-present"), kBatching,
       "Batches are refused by one error that has no id.",
       on_every_batch(R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No batches"}})")},
      {"batch-refused-under-another-id", breaks("bat-supported", "id-null-undetectable"), kBatching,
       "Batches are refused by one error under the id -1, the server's own sign for none.",
       on_every_batch(
           R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No batches"},"id":-1})")},
      {"batch-refused-unless-empty", breaks("bat-supported", "bat-empty"), kBatching,
       "Batches are refused by one error, but [] is answered [].",
       on_batch([](const Texts& elements, const ProperReply&) -> Reply {
         return elements.empty() ? "[]" : error_text(-32600, "No batches");
       })},
      {"batch-answered-in-object",
       breaks("bat-array").perhaps_any_of("bat-", "id-", "res-", "std-"), kBatching,
       "The Array of Responses stands in an Object that is none.",
       on_batch_reply([](const Texts& responses) -> Reply {
         return R"({"responses":)" + array_of(responses) + "}";
       })},
      {"batch-ends-at-application-error", breaks("bat-each"), kBatching,
       "What follows a call of a batch whose method fails is not answered.",
       ending_behind_error("1000")},
      {"batch-ends-at-invalid-params", breaks("bat-each"), kBatching,
       "What follows a call of a batch whose params are invalid is not answered.",
       ending_behind_error("-32602")},
      {"batch-comma-for-notification", breaks("res-json"), kBatching,
       "Where a batch begins with a Notification a comma stands before the first Response.",
       on_batch([](const Texts& elements, const ProperReply& proper) -> Reply {
         Reply reply = proper(array_of(elements));
         const bool has_call_first =
             elements.empty() || elements.front().find("\"id\"") != std::string::npos;
         if (!reply || has_call_first) return reply;
         return "[," + reply->substr(1);
       })},
  };
  return all;
}

}  // namespace jrpcheck::reference
