// Defects in batches (JSON-RPC 2.0 §6).
#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "reference-impl/deviations/catalogue.hpp"
#include "reference-impl/deviations/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kMostElementsServed = 100;

using Elements = std::vector<std::string>;

bool is_batch(std::string_view message) { return is_json(message) && is_array(message); }

/// Answers batches, the empty one included.
Behaviour on_batch(
    std::function<Reply(const Elements& elements, const ProperReply& proper)> answer) {
  return {
      .reply = [answer = std::move(answer)](std::string_view message, const ProperReply& proper) {
        return is_batch(message) ? answer(elements_of(message), proper) : proper(message);
      }};
}

/// Gives the empty batch this reply.
Behaviour on_empty_batch(Reply reply) {
  return on_batch([reply = std::move(reply)](const Elements& elements, const ProperReply& proper) {
    return elements.empty() ? reply : proper(array_of(elements));
  });
}

/// Rewrites the Responses to a batch.
Behaviour on_batch_reply(std::function<Reply(Elements responses)> rewrite) {
  return on_reply([rewrite = std::move(rewrite)](std::string reply) {
    return is_array(reply) ? rewrite(elements_of(reply)) : Reply(std::move(reply));
  });
}

bool holds_request(const std::string& element) {
  const auto object = object_of(element);
  return object && object->has("method") && object->is("jsonrpc", "\"2.0\"");
}

bool is_notification(const std::string& element) {
  return ElementText{element, object_of(element)}.is_notification();
}

std::string id_of_response(const std::string& object_text) {
  const auto object = object_of(object_text);
  const std::string* id = object ? object->find("id") : nullptr;
  return id != nullptr ? *id : "null";
}

Elements with_ids(Elements responses, const Elements& ids) {
  for (std::size_t i = 0; i < responses.size(); ++i) {
    ObjectText response = *object_of(responses[i]);
    response.set("id", ids[i]);
    responses[i] = response.text();
  }
  return responses;
}

Elements ids_of(const Elements& responses) {
  Elements ids;
  for (const std::string& response : responses) ids.push_back(id_of_response(response));
  return ids;
}

Reply with_rotated_ids(const Elements& responses) {
  Elements ids = ids_of(responses);
  std::rotate(ids.begin(), ids.begin() + 1, ids.end());
  return array_of(with_ids(responses, ids));
}

/// Calls that share an id all get the Response to the last of them.
Reply with_last_of_each_id(Elements responses) {
  std::map<std::string, std::string> last;
  for (const std::string& response : responses) last[id_of_response(response)] = response;
  for (std::string& response : responses) {
    if (id_of_response(response) != "null") response = last[id_of_response(response)];
  }
  return array_of(responses);
}

/// Of calls that share an id only the first is answered.
Reply with_first_of_each_id(const Elements& responses) {
  std::set<std::string> seen;
  Elements kept;
  for (const std::string& response : responses) {
    if (id_of_response(response) == "null" || seen.insert(id_of_response(response)).second)
      kept.push_back(response);
  }
  return array_of(kept);
}

/// The elements of the batches within a batch, in their place.
Elements flattened(const Elements& elements) {
  Elements flat;
  for (const std::string& element : elements) {
    const Elements inner = is_array(element) ? elements_of(element) : Elements{};
    if (inner.empty()) {
      flat.push_back(element);
    } else {
      flat.insert(flat.end(), inner.begin(), inner.end());
    }
  }
  return flat;
}

Reply without_elements(const Elements& elements, const ProperReply& proper,
                       bool (*unwanted)(const std::string& element)) {
  Elements kept = elements;
  std::erase_if(kept, unwanted);
  if (kept.empty() && !elements.empty()) return std::nullopt;
  return proper(array_of(kept));
}

bool is_no_object(const std::string& element) { return !object_of(element); }

Reply stopping_at_invalid(Elements elements, const ProperReply& proper) {
  const auto invalid = std::find_if_not(elements.begin(), elements.end(), holds_request);
  if (invalid != elements.end()) elements.erase(invalid + 1, elements.end());
  return proper(array_of(elements));
}

Reply refusing_whole_for_invalid(const Elements& elements, const ProperReply& proper) {
  if (std::all_of(elements.begin(), elements.end(), holds_request)) {
    return proper(array_of(elements));
  }
  return error_text(-32600, "Invalid Request: an element of the batch is invalid");
}

/// Numbers in a batch come back as the ids of their errors.
Reply echoing_numbers(const Elements& elements, const ProperReply& proper) {
  return on_element([](const ElementText& element, const ProperReply& proper_member) {
           Reply reply = proper_member(element.text);
           const bool is_number = element.text.find_first_of("-0123456789") == 0;
           if (!is_number) return reply;
           return Reply(error_text(-32600, "Invalid Request", element.text));
         })
      .reply(array_of(elements), proper);
}

std::string concatenated(const Elements& responses) {
  std::string reply;
  for (const std::string& response : responses) {
    if (!reply.empty()) reply += kNextMessage;
    reply += response;
  }
  return reply;
}

std::string in_result(const Elements& responses) {
  return R"({"jsonrpc":"2.0","result":)" + array_of(responses) + R"(,"id":null})";
}

constexpr Deviation kBatchFaults[] = {
    {"batch-empty-answered-empty", "bat-empty", kEverywhere, "[] is answered [].",
     [] { return on_empty_batch("[]"); }},
    {"batch-empty-unanswered", "bat-empty", kEverywhere, "[] is not answered.",
     [] { return on_empty_batch(std::nullopt); }},
    {"batch-empty-answered-by-array", "bat-empty", kEverywhere,
     "[] is answered by an Array of one error.",
     [] { return on_empty_batch("[" + error_text(-32600, "Invalid Request") + "]"); }},
    {"batch-empty-parse-error", "bat-empty", kEverywhere, "[] is answered -32700.",
     [] { return on_empty_batch(error_text(-32700, "Parse error")); }},
    {"batch-stops-at-invalid", "bat-each,(bat-invalid-member)", kEverywhere,
     "What follows an invalid element of a batch is not answered.",
     [] { return on_batch(stopping_at_invalid); }},
    {"batch-refused-for-invalid", "bat-invalid-member,(bat-array),(bat-one)", kEverywhere,
     "A batch with an invalid element is refused as a whole.",
     [] { return on_batch(refusing_whole_for_invalid); }},
    {"batch-non-objects-dropped", "bat-invalid-member,(bat-nested)", kEverywhere,
     "Elements of a batch that are no Objects are not answered.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) {
         return without_elements(elements, proper, is_no_object);
       });
     }},
    {"batch-numbers-echoed", "bat-invalid-member,(id-null-undetectable)", kEverywhere,
     "A Number in a batch is refused with itself as id.", [] { return on_batch(echoing_numbers); }},
    {"batch-of-one-unwrapped", "bat-one", kEverywhere,
     "An Array of one Response is sent as that Response.",
     [] {
       return on_batch_reply([](Elements responses) {
         return responses.size() == 1 ? responses.front() : array_of(responses);
       });
     }},
    {"batch-nested-executed", "bat-nested", kEverywhere,
     "The elements of an Array within a batch are carried out.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) {
         return proper(array_of(flattened(elements)));
       });
     }},
    {"batch-nested-echoed", "res-object", kEverywhere,
     "An Array within a batch comes back as it is.",
     [] {
       return on_element([](const ElementText& element, const ProperReply& proper) -> Reply {
         return is_array(element.text) ? Reply(element.text) : proper(element.text);
       });
     }},
    {"batch-of-notifications-answered-empty", "bat-all-notifications", kEverywhere,
     "A batch of Notifications alone is answered [].",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) {
         return Reply(proper(array_of(elements)).value_or("[]"));
       });
     }},
    {"batch-of-notifications-answered-null", "bat-all-notifications", kEverywhere,
     "A batch of Notifications alone is answered null.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) {
         return Reply(proper(array_of(elements)).value_or("null"));
       });
     }},
    {"batch-of-notifications-refused", "bat-all-notifications", kEverywhere,
     "A batch of Notifications alone is answered -32600.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) {
         return Reply(proper(array_of(elements)).value_or(error_text(-32600, "Invalid Request")));
       });
     }},
    {"batch-lost-with-notification", "res-always,(bat-invalid-member),(bat-large)", kEverywhere,
     "A batch that holds a Notification is never answered.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) -> Reply {
         const bool lost = std::any_of(elements.begin(), elements.end(), is_notification);
         return lost ? std::nullopt : proper(array_of(elements));
       });
     }},
    {"batch-cut-after-a-hundred", "bat-large", kEverywhere,
     "What follows the hundredth element of a batch is dropped.",
     [] {
       return on_batch([](Elements elements, const ProperReply& proper) {
         elements.resize(std::min(elements.size(), kMostElementsServed));
         return proper(array_of(elements));
       });
     }},
    {"batch-first-call-only",
     "bat-each,(bat-duplicate-ids),(bat-invalid-member),(bat-large),(id-null-request),(ntf-silent-"
     "in-batch)",
     kEverywhere, "Only the first Response of a batch is sent, in an Array.",
     [] {
       return on_batch_reply([](Elements responses) {
         responses.resize(1);
         return array_of(responses);
       });
     }},
    {"batch-ids-rotated",
     "bat-each,(bat-invalid-member),(par-positional),(req-method-required),(req-version)",
     kEverywhere, "Each Response of a batch carries the id of the next.",
     [] { return on_batch_reply(with_rotated_ids); }},
    {"batch-ids-of-the-first",
     "bat-each,(bat-invalid-member),(id-echo),(id-invalid-request),(id-null-undetectable)",
     kEverywhere, "All Responses of a batch carry the id of the first.",
     [] {
       return on_batch_reply([](const Elements& responses) -> Reply {
         return array_of(
             with_ids(responses, Elements(responses.size(), id_of_response(responses.front()))));
       });
     }},
    {"batch-answered-twice",
     "bat-each,(bat-duplicate-ids),(bat-invalid-member),(bat-large),(bat-nested),(id-null-request),"
     "(ntf-silent-in-batch)",
     kEverywhere, "Each Response of a batch is in the Array twice.",
     [] {
       return on_batch_reply([](Elements responses) {
         const Elements once = responses;
         responses.insert(responses.end(), once.begin(), once.end());
         return array_of(responses);
       });
     }},
    {"batch-answered-one-by-one",
     "bat-array,(bat-duplicate-ids),(bat-invalid-member),(bat-one),(id-null-undetectable),(res-"
     "once)",
     kStreams, "The Responses to a batch are sent as messages of their own.",
     [] { return on_batch_reply(concatenated); }},
    {"batch-answered-in-result",
     "bat-array,(bat-duplicate-ids),(bat-invalid-member),(bat-large),(bat-one),(bat-supported)",
     kEverywhere, "The Array of Responses is wrapped in the result of a Response.",
     [] { return on_batch_reply(in_result); }},
    {"batch-null-for-notification", "ntf-silent-in-batch,(bat-each),(res-object)", kEverywhere,
     "A Notification adds null to the Array of Responses.",
     [] {
       return on_batch([](const Elements& elements, const ProperReply& proper) -> Reply {
         Reply reply = proper(array_of(elements));
         if (!reply || !is_array(*reply)) return reply;
         Elements responses = elements_of(*reply);
         const auto silent = std::count_if(elements.begin(), elements.end(), is_notification);
         responses.insert(responses.end(), static_cast<std::size_t>(silent), "null");
         return array_of(responses);
       });
     }},
    {"batch-parse-error-in-array", "bat-parse-error,(res-object),(rob-depth)", kEverywhere,
     "A batch that is not JSON is answered by an Array of one error.",
     [] {
       return on_message_and_reply([](std::string_view message, Reply reply) -> Reply {
         if (is_json(message) || !is_array(message) || !reply) return reply;
         return "[" + *reply + "]";
       });
     }},
    {"batch-duplicate-ids-dropped", "bat-duplicate-ids", kEverywhere,
     "Of calls of a batch that share an id only the first is answered.",
     [] { return on_batch_reply(with_first_of_each_id); }},
    {"batch-duplicate-ids-crossed", "bat-duplicate-ids", kEverywhere,
     "Calls of a batch that share an id are all answered as the last of them.",
     [] { return on_batch_reply(with_last_of_each_id); }},
    {"batch-ignored", "bat-supported", kBatching, "Batches are not answered.",
     [] { return on_batch([](const Elements&, const ProperReply&) { return Reply(); }); }},
    {"batch-is-parse-error", "bat-supported", kBatching, "Batches are answered -32700.",
     [] {
       return on_batch([](const Elements&, const ProperReply&) {
         return Reply(error_text(-32700, "Parse error"));
       });
     }},
};

}  // namespace

std::span<const Deviation> batch_faults() { return kBatchFaults; }

}  // namespace jrpcheck::reference
