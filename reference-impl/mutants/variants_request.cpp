// Legal choices in what is served and what is refused.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>

#include "reference-impl/mutants/catalogue.hpp"
#include "reference-impl/mutants/rewrites.hpp"

namespace jrpcheck::reference {

namespace {

constexpr std::size_t kBatchLimit = 100;

/// Refuses the calls for which `applies`.
Behaviour refusing(int code, bool (*applies)(const ElementText& call), bool echoing_id = true) {
  const Answer with_null = [code](const ElementText&) -> Reply {
    return error_text(code, "Refused");
  };
  return answer(
      [applies](const ElementText& element) { return element.is_sound_call() && applies(element); },
      echoing_id ? refused(code) : with_null);
}

/// Answers batches for which `applies` by one error.
Behaviour refusing_batch(bool (*applies)(const std::vector<std::string>& elements)) {
  return {.reply = [applies](std::string_view message, const ProperReply& proper) -> Reply {
    const bool is_batch = is_json(message) && is_array(message);
    if (!is_batch || !applies(elements_of(message))) return proper(message);
    return error_text(-32600, "Batches like this one are not served");
  }};
}

bool has_duplicates(const ElementText& call) {
  std::set<std::string> names;
  for (const auto& member : call.object->members) names.insert(member.first);
  return names.size() < call.object->members.size();
}

bool has_more_members(const ElementText& call) {
  const std::set<std::string> known = {"jsonrpc", "method", "params", "id"};
  return std::any_of(call.object->members.begin(), call.object->members.end(),
                     [&](const auto& member) { return !known.contains(member.first); });
}

void keep_first_duplicates(ObjectText& object) {
  std::set<std::string> names;
  std::erase_if(object.members,
                [&names](const auto& member) { return !names.insert(member.first).second; });
}

bool has_fraction_id(const ElementText& call) {
  const std::string id = call.id();
  return !is_string(id) && id != "null" && id.find('.') != id.npos;
}

bool has_large_id(const ElementText& call) {
  const std::string id = call.id();
  return !is_string(id) && std::abs(std::strtod(id.c_str(), nullptr)) > 9007199254740991.0;
}

bool passes_primitive(const ElementText& call) {
  const std::string* params = call.object->find("params");
  return params != nullptr && *params != "null" && !is_array(*params) && !object_of(*params);
}

bool has_large_numbers(const ElementText& call) {
  const std::string* params = call.object->find("params");
  return params != nullptr &&
         (params->find("1e400") != params->npos || params->find("1e9999") != params->npos ||
          params->find("12345678901234567890123") != params->npos);
}

/// 2^53+1 lies between two doubles (RFC 8259 §6).
void round_large_number(ObjectText& call) {
  if (call.is("params", "[9007199254740993]")) call.set("params", "[9007199254740992]");
}

/// A Request that does not say 2.0 is served in the shape of 1.0: result and error both, and no
/// version.
Reply legacy_reply(const ElementText& element, const ProperReply& proper) {
  const bool is_legacy = element.has("method") && element.has("id") &&
                         (!element.has("jsonrpc") || element.is("jsonrpc", "\"1.0\""));
  if (!is_legacy) return proper(element.text);
  ObjectText request = *element.object;
  request.set("jsonrpc", "\"2.0\"");
  ObjectText response = *object_of(*proper(request.text()));
  response.remove("jsonrpc");
  response.add(response.has("error") ? "result" : "error", "null");
  return response.text();
}

/// What is no Request and does not say 2.0 is refused in that shape as well, where it comes alone:
/// 1.0 has no batches.
Reply legacy_refusal(std::string_view message, Reply reply) {
  if (!reply || !is_json(message)) return reply;
  const auto object = object_of(stripped(message));
  if (!object || object->has("jsonrpc") || object->has("method")) return reply;
  auto response = object_of(*reply);
  if (!response) return reply;
  response->remove("jsonrpc");
  response->add("result", "null");
  return response->text();
}

/// The second call of a batch with an id that another has is refused.
Behaviour refusing_duplicate_ids() {
  return {.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
    Reply reply = proper(message);
    if (!reply || !is_array(*reply)) return reply;
    std::set<std::string> seen;
    std::vector<std::string> responses = elements_of(*reply);
    for (std::string& response : responses) {
      const std::string id = *object_of(response)->find("id");
      const bool is_first = id == "null" || seen.insert(id).second;
      if (!is_first) response = error_text(-32600, "Invalid Request: the id is in use");
    }
    return array_of(responses);
  }};
}

}  // namespace

std::span<const Mutant> request_variants() {
  static const Mutant all[] = {
      {"invalid-request-id-null", kLegal, kEverywhere, "Invalid Requests are refused with id null.",
       error(-32600, set("id", "null"))},
      {"params-null-as-absent", kLegal, kEverywhere, "Params of null are taken as left out.",
       on_object([](ObjectText& object) {
         if (object.is("params", "null")) object.remove("params");
       })},
      {"params-primitive-invalid-params", kLegal, kEverywhere,
       "Params that are a primitive are refused with -32602.", refusing(-32602, passes_primitive)},
      {"extra-members-refused", kLegal, kEverywhere, "Members beyond the four are refused.",
       refusing(-32600, has_more_members)},
      {"duplicate-members-first", kLegal, kEverywhere, "Of members of one name the first counts.",
       on_object(keep_first_duplicates)},
      {"duplicate-members-refused", kLegal, kEverywhere, "Members of one name are refused.",
       refusing(-32600, has_duplicates, /*echoing_id=*/false)},
      {"id-null-refused", kLegal, kEverywhere, "A call with id null is refused with -32600.",
       refusing(-32600, [](const ElementText& call) { return call.is("id", "null"); })},
      {"id-fraction-refused", kLegal, kEverywhere, "A Number id with a fraction is refused.",
       refusing(-32600, has_fraction_id)},
      {"id-minus-zero-refused", kLegal, kEverywhere,
       "A call with the id -0 is refused with -32600.",
       refusing(
           -32600, [](const ElementText& call) { return call.is("id", "-0"); },
           /*echoing_id=*/false)},
      {"id-large-refused", kLegal, kEverywhere, "A Number id beyond 2^53-1 is refused.",
       refusing(-32600, has_large_id, /*echoing_id=*/false)},
      {"method-empty-refused", kLegal, kEverywhere, "The empty method name is refused with -32600.",
       refusing(-32600, [](const ElementText& call) { return call.is("method", "\"\""); })},
      {"large-numbers-refused", kLegal, kEverywhere,
       "Numbers in params beyond range or precision are refused with -32602.",
       refusing(-32602, has_large_numbers)},
      {"large-numbers-rounded", kLegal, kEverywhere,
       "A Number in params beyond the precision of double is taken for the nearest double.",
       on_object(round_large_number)},
      {"legacy-served", kLegal, kEverywhere, "Requests of version 1.0 are answered in its shape.",
       on_element(legacy_reply)},
      {"legacy-refused", kLegal, kEverywhere,
       "An Object that has neither jsonrpc nor method is refused in the shape of 1.0.",
       on_message_and_reply(legacy_refusal)},
      {"batches-refused", kLegal, kEverywhere, "Batches are refused as a whole with one -32600.",
       refusing_batch([](const std::vector<std::string>&) { return true; })},
      {"batches-limited", kLegal, kEverywhere,
       "Batches of more than a hundred elements are refused as a whole.",
       refusing_batch(
           [](const std::vector<std::string>& elements) { return elements.size() > kBatchLimit; })},
      {"batches-of-three", kLegal, kEverywhere,
       "Batches of more than three elements are refused as a whole.",
       refusing_batch(
           [](const std::vector<std::string>& elements) { return elements.size() > 3; })},
      {"batches-of-two", kLegal, kEverywhere,
       "Batches of more than two elements are refused as a whole.",
       refusing_batch(
           [](const std::vector<std::string>& elements) { return elements.size() > 2; })},
      {"batch-duplicate-ids-refused", kLegal, kEverywhere,
       "The second call of a batch with the same id is refused.", refusing_duplicate_ids},
      {"byte-order-mark-refused", kLegal, kEverywhere,
       "A byte order mark before a message is answered -32700.",
       Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         if (!message.starts_with("\xEF\xBB\xBF")) return proper(message);
         return error_text(-32700, "Parse error");
       }}},
  };
  return all;
}

}  // namespace jrpcheck::reference
