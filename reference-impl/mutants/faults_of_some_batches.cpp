// Defects that show in batches of one kind alone (JSON-RPC 2.0 §6).
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reference-impl/mutants/batch_edits.hpp"
#include "reference-impl/mutants/catalogue.hpp"

namespace jrpcheck::reference {

namespace {

constexpr const char* kOfApplication = "1000";
constexpr const char* kOfParams = "-32602";

Reply first_three_of_few(Texts responses) {
  constexpr std::size_t kMost = 8;
  if (responses.size() > 3 && responses.size() <= kMost) responses.resize(3);
  return array_of(responses);
}

/// Each of three calls that succeed has the result of the next.
Reply three_results_rotated(const Texts& responses) {
  std::vector<ObjectText> objects;
  for (const std::string& each : responses) objects.push_back(*object_of(each));
  const bool are_results = std::all_of(objects.begin(), objects.end(), [](const auto& each) {
    return each.find("result") != nullptr;
  });
  if (objects.size() != 3 || !are_results) return array_of(responses);
  const std::string first = *objects.front().find("result");
  for (std::size_t i = 0; i < 3; ++i) {
    objects[i].set("result", i == 2 ? first : *objects[i + 1].find("result"));
  }
  Texts rotated;
  for (const auto& each : objects) rotated.push_back(each.text());
  return array_of(rotated);
}

/// Of the errors with that code only the first is sent.
Behaviour with_one_error_of(std::string code) {
  return on_batch_reply([code = std::move(code)](Texts responses) -> Reply {
    bool has_come = false;
    std::erase_if(responses, [&](const std::string& each) {
      if (code_of(object_of(each).value_or(ObjectText())) != code) return false;
      return std::exchange(has_come, true);
    });
    return array_of(responses);
  });
}

/// A batch of Notifications that would all fail so as calls is answered [].
Behaviour empty_where_all_fail_with(std::string code) {
  return on_batch([code = std::move(code)](const Texts& elements,
                                           const ProperReply& proper) -> Reply {
    const auto fails = [&](const std::string& text) {
      const ElementText element{text, object_of(text)};
      if (!element.is_notification()) return false;
      ObjectText call = *element.object;
      call.set("id", "null");
      const Reply reply = proper(call.text());
      return reply && code_of(object_of(*reply).value_or(ObjectText())) == code;
    };
    const bool is_empty = !elements.empty() && std::all_of(elements.begin(), elements.end(), fails);
    return is_empty ? Reply("[]") : proper(array_of(elements));
  });
}

Reply unanswered_with_null_id_alone(const Texts& elements, const ProperReply& proper) {
  const auto only = elements.size() == 1 ? object_of(elements.front()) : std::nullopt;
  return only && only->is("id", "null") ? Reply() : proper(array_of(elements));
}

/// Up to the first character beyond the Basic Multilingual Plane, which has four bytes.
std::string cut_at_astral(const std::string& id) {
  constexpr unsigned kFirstOfFour = 0xF0;
  const auto astral = std::find_if(id.begin(), id.end(), [](char byte) {
    return static_cast<unsigned char>(byte) >= kFirstOfFour;
  });
  return astral == id.end() ? id : std::string(id.begin(), astral) + "\"";
}

std::string in_32_bits(const std::string& id) {
  constexpr std::size_t kDigitsOfInt64 = 18;
  const bool is_whole =
      !id.empty() && id.size() <= kDigitsOfInt64 && id.find_first_not_of("0123456789") == id.npos;
  return is_whole ? std::to_string(static_cast<std::int32_t>(std::stoll(id))) : id;
}

/// Gives the Responses to a batch other ids, where they have `member`.
Behaviour with_ids_where(std::string member, std::string (*rewrite)(const std::string& id)) {
  return on_batch_reply([member = std::move(member), rewrite](Texts responses) -> Reply {
    for (std::string& each : responses) {
      auto response = *object_of(each);
      if (!response.has(member)) continue;
      response.set("id", rewrite(*response.find("id")));
      each = response.text();
    }
    return array_of(responses);
  });
}

/// Of what all fails nothing is told apart.
Reply refused_where_all_fail(const Texts& responses) {
  const bool all_fail = std::all_of(responses.begin(), responses.end(), [](const auto& each) {
    return object_of(each).value_or(ObjectText()).has("error");
  });
  if (responses.size() < 2 || !all_fail) return array_of(responses);
  return error_text(-32600, "Invalid Request");
}

constexpr std::size_t kTwenty = 20;

Reply with_one_of_many_twice(Texts responses) {
  if (responses.size() >= kTwenty) responses.push_back(responses.front());
  return array_of(responses);
}

Reply with_one_id_of_many_twice(Texts responses) {
  if (responses.size() < kTwenty) return array_of(responses);
  auto last = *object_of(responses.back());
  last.set("id", id_of_response(responses.front()));
  responses.back() = last.text();
  return array_of(responses);
}

Reply two_of_each_id(Texts responses) {
  std::map<std::string, int> seen;
  std::erase_if(responses,
                [&](const std::string& each) { return ++seen[id_of_response(each)] > 2; });
  return array_of(responses);
}

Reply taking_null_for_a_version(Texts elements, const ProperReply& proper) {
  for (std::string& each : elements) {
    auto object = object_of(each);
    if (!object || !object->is("jsonrpc", "null")) continue;
    object->set("jsonrpc", "\"2.0\"");
    each = object->text();
  }
  return proper(array_of(elements));
}

Reply taking_primitive_params(Texts elements, const ProperReply& proper) {
  for (std::string& each : elements) {
    auto object = object_of(each);
    const std::string* params = object ? object->find("params") : nullptr;
    if (params == nullptr || is_array(*params) || object_of(*params)) continue;
    object->remove("params");
    each = object->text();
  }
  return proper(array_of(elements));
}

Behaviour refusing_white_space() {
  return {.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
    const bool is_spaced = message.find("[ {") != message.npos && is_json(message);
    return is_spaced ? Reply(error_text(-32700, "Parse error")) : proper(message);
  }};
}

}  // namespace

std::span<const Mutant> faults_of_some_batches() {
  static const Mutant all[] = {
      {"batch-of-more-than-three-cut",
       breaks("bat-each").perhaps("bat-array", "bat-invalid-member", "ntf-silent-in-batch"),
       kBatching, "Of four to eight Responses to a batch the first three are sent.",
       on_batch_reply(first_three_of_few)},
      {"batch-of-three-results-rotated", breaks("bat-each"), kBatching,
       "Each of three calls of a batch has the result of the next.",
       on_batch_reply(three_results_rotated)},
      {"batch-second-application-error-lost", breaks("bat-each"), kBatching,
       "Of calls of a batch whose methods fail only the first is answered.",
       with_one_error_of(kOfApplication)},
      {"batch-second-invalid-params-lost", breaks("bat-each"), kBatching,
       "Of calls of a batch whose params are invalid only the first is answered.",
       with_one_error_of(kOfParams)},
      {"batch-of-failing-notifications-answered-empty",
       breaks("bat-all-notifications").perhaps("ntf-silent-application-error"), kBatching,
       "A batch of Notifications whose methods fail is answered [].",
       empty_where_all_fail_with(kOfApplication)},
      {"batch-of-invalid-notifications-answered-empty",
       breaks("bat-all-notifications").perhaps("ntf-silent-invalid-params"), kBatching,
       "A batch of Notifications whose params are invalid is answered [].",
       empty_where_all_fail_with(kOfParams)},
      {"batch-of-null-id-alone-unanswered", breaks("id-null-request").perhaps("bat-one"), kBatching,
       "The only call of a batch is taken for a Notification if its id is null.",
       on_batch(unanswered_with_null_id_alone)},
      {"batch-astral-ids-cut", breaks("id-string-exact"), kBatching,
       "Ids of errors in a batch end at a character beyond the Basic Multilingual Plane.",
       with_ids_where("error", cut_at_astral)},
      {"batch-ids-of-successes-as-32-bits", breaks("id-echo"), kBatching,
       "Ids of results in a batch have 32 bits.", with_ids_where("result", in_32_bits)},
      {"batch-third-duplicate-id-dropped", breaks("bat-duplicate-ids").wherever_it_strikes(),
       kBatching, "Of calls of a batch that share an id the first two are answered.",
       on_batch_reply(two_of_each_id)},
      {"batch-version-null-taken", breaks("req-version"), kBatching,
       "A call of a batch whose jsonrpc is null is served.", on_batch(taking_null_for_a_version)},
      {"batch-primitive-params-taken", breaks("req-params-structured"), kBatching,
       "A call of a batch whose params are a primitive is carried out without them.",
       on_batch(taking_primitive_params)},
      {"batch-of-failing-calls-refused",
       breaks("bat-array").perhaps("bat-duplicate-ids", "bat-invalid-member", "bat-supported"),
       kBatching, "Batches of calls that all fail are answered by one error.",
       on_batch_reply(refused_where_all_fail)},
      {"batch-of-twenty-with-one-answer-twice", breaks("bat-each"), kBatching,
       "In batches of twenty calls or more the first Response comes twice.",
       on_batch_reply(with_one_of_many_twice)},
      {"batch-of-twenty-with-one-id-twice", breaks("id-echo").perhaps("bat-large"), kBatching,
       "In batches of twenty calls or more the last Response has the id of the first.",
       on_batch_reply(with_one_id_of_many_twice)},
      {"batch-empty-spaced-answered-empty", breaks("bat-empty"), kEverywhere,
       "An empty Array with a space in it is answered [].",
       Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         return message == "[ ]" ? Reply("[]") : proper(message);
       }}},
      {"batch-with-white-space-refused", breaks("json-whitespace"), kBatching,
       "A batch with white space before its first call is refused.", refusing_white_space()},
  };
  return all;
}

}  // namespace jrpcheck::reference
