#include "fuzz/blame.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "base/contains.hpp"
#include "base/join.hpp"
#include "fuzz/expected_response.hpp"
#include "fuzz/pairing.hpp"
#include "json/parse.hpp"
#include "judge/code.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"
#include "judge/pattern.hpp"

namespace jrpcheck::fuzz {
namespace {

using Answer = ExpectedResponse::Answer;
using Nature = ExpectedResponse::Nature;
using json::Kind;
using json::Value;
using judge::Part;
using judge::Symptom;

constexpr std::string_view kSpecialId = "Request with id ";
constexpr std::string_view kSharedId = "calls that share an id";
constexpr std::string_view kOfNotifications = "batch of notifications";
constexpr std::string_view kOfUnknownMethod = "notification of an unknown method";
constexpr std::string_view kBetween = "; ";

std::string plain(const std::string& kind) { return kind.substr(0, kind.find(" with ")); }

// Who answers no call answers none whatever its method is.
std::string about_silence(const ExpectedResponse& element, const Value& sent) {
  if (!element.unanswered.empty()) {
    return std::string(kSpecialId) + json::write(*sent.find("id"));
  }
  if (element.shares_its_id) return std::string(kSharedId);
  return element.is_call() ? "call" : plain(element.kind);
}

std::string charge_for_silence(const ExpectedResponse& element) {
  if (!element.unanswered.empty()) return element.unanswered;
  if (element.shares_its_id) return "bat-duplicate-ids";
  if (element.is_array()) return "bat-nested";
  const bool is_request = element.is_call() || element.nature == Nature::odd_params;
  return is_request ? "bat-each" : "bat-invalid-member";
}

std::string charge_for_code(const ExpectedResponse& element) {
  if (element.is_call()) return "err-code-method";
  return element.is_array() ? "bat-nested" : "bat-invalid-member";
}

// What became of an id tells its fault, whatever Request it stood in.
std::string about_id(const Value& sent, const Value& response) {
  const Value* before = sent.find("id");
  const Value* after = response.find("id");
  if (before == nullptr || after == nullptr) return "an id that nobody sent";
  const std::string was = name_of_id(*before);
  if (before->kind() != after->kind()) {
    return "an id (" + was + ") that came back as " + name_of_id(*after);
  }
  if (!before->is(Kind::string) && !before->is(Kind::number)) {
    return "an id (of a wrong type) that came back";
  }
  return "an id (" + was + ") that came back as another";
}

// Who takes for a Request what is none answers with the id of that: the same fault.
bool follows_from_the_code(const ExpectedResponse& element) {
  return element.id_requirement == "req-id-type" || element.is_array() ||
         element.nature == Nature::primitive;
}

// Whichever of them it is about, that is true.
std::string charge_for_all(const std::set<std::string>& charges, std::string own) {
  const std::set<std::string> invalid = {"bat-invalid-member", "bat-nested"};
  return charges == invalid ? "bat-invalid-member" : std::move(own);
}

std::optional<long long> code_of_error(const Value& response) {
  const Value* error = response.find("error");
  return error != nullptr ? judge::code_of(*error) : std::nullopt;
}

// Only of some names it is known that no server has them; of others the answer may say it.
bool is_of_unknown_method(const ExpectedResponse& element, const Value& sent, const Value* response,
                          const Traits& traits) {
  if (element.nature != Nature::notification) {
    return element.nature == Nature::notification_of_unknown;
  }
  return response != nullptr && code_of_error(*response) == -32601 &&
         !contains(traits.methods, sent.find("method")->text());
}

struct Batch {
  const Traits& traits;
  std::vector<ExpectedResponse> elements;
  std::vector<const Value*> sent;
  std::vector<const Value*> responses;
};

std::size_t differences(const Batch& batch, std::size_t element, std::size_t response) {
  const auto& pattern = batch.elements[element].response;
  return judge::compare_response(pattern, *batch.responses[response]).mismatches.size();
}

std::string about_notifications(const Batch& batch, const Value* response) {
  bool all_unknown = true;
  for (std::size_t i = 0; i < batch.elements.size(); ++i) {
    const ExpectedResponse& each = batch.elements[i];
    if (each.answer != Answer::none) continue;
    all_unknown = all_unknown && is_of_unknown_method(each, *batch.sent[i], response, batch.traits);
  }
  return all_unknown ? std::string(kOfUnknownMethod) : "notification";
}

bool has_notification(const Batch& batch) {
  return std::ranges::any_of(
      batch.elements, [](const ExpectedResponse& each) { return each.answer == Answer::none; });
}

bool is_paired_by_id(const Pairing& pairing, std::size_t element) {
  return std::ranges::any_of(
      pairing.pairs, [element](const Pair& each) { return each.by_id && each.element == element; });
}

// A Response without an id of its own may be that of any element from which it differs no more.
void blame_code(const Batch& batch, const Pairing& pairing, const Pair& pair,
                judge::Finding& finding) {
  std::set<std::string> abouts = {plain(batch.elements[pair.element].kind)};
  std::set<std::string> charges = {charge_for_code(batch.elements[pair.element])};
  if (!pair.by_id) {
    const auto fewest = differences(batch, pair.element, pair.response);
    for (std::size_t each = 0; each < batch.elements.size(); ++each) {
      const bool is_free =
          batch.elements[each].answer != Answer::none && !is_paired_by_id(pairing, each);
      if (!is_free || differences(batch, each, pair.response) > fewest) continue;
      abouts.insert(plain(batch.elements[each].kind));
      charges.insert(charge_for_code(batch.elements[each]));
    }
    if (has_notification(batch)) {
      abouts.insert(about_notifications(batch, batch.responses[pair.response]));
    }
  }
  finding.requirement = charge_for_all(charges, finding.requirement);
  finding.about = joined(abouts, kBetween);
}

// Served, or looked up and not found: that depends on its method, which is not at fault. But who
// calls it no JSON, or breaks of it, does something else.
void recognise_misreading(const ExpectedResponse& element, const Value& response,
                          judge::Finding& finding) {
  const bool may_be =
      finding.symptom == Symptom::wrong_code || finding.symptom == Symptom::call_succeeded;
  if (!may_be || element.nature != Nature::invalid_request) return;
  const auto code = code_of_error(response);
  if (code == -32700 || code == -32603) return;
  finding.symptom = Symptom::taken_for_request;
  finding.place.pointer.clear();
}

void blame_pair(const Batch& batch, const Pairing& pairing, const Pair& pair,
                std::vector<judge::Finding>& findings) {
  const ExpectedResponse& element = batch.elements[pair.element];
  const Value& response = *batch.responses[pair.response];
  const auto comparison = judge::compare_response(element.response, response);
  bool is_misread = false;
  for (const auto& each : comparison.mismatches) {
    if (each.part == Part::id && is_misread && follows_from_the_code(element)) continue;
    is_misread = is_misread || each.part != Part::id;
    std::string requirement =
        each.requirement.empty() ? charge_for_code(element) : each.requirement;
    if (each.part == Part::id && !element.id_requirement.empty()) {
      requirement = element.id_requirement;
    }
    judge::Finding finding{
        std::move(requirement), corpus::Verdict::fail,
        each.symptom,           judge::Place{pair.element, std::string(pointer_of(each.part))},
        each.expected,          each.actual};
    if (each.part == Part::id) {
      finding.about = about_id(*batch.sent[pair.element], response);
    } else {
      blame_code(batch, pairing, pair, finding);
      recognise_misreading(element, response, finding);
    }
    findings.push_back(std::move(finding));
  }
}

// Of those that share an id one has a Response by it, so that the id is no reason for the loss.
bool is_lost_for_sharing(const Batch& batch, std::size_t element) {
  if (!batch.elements[element].shares_its_id) return false;
  const Value* id = batch.sent[element]->find("id");
  return std::ranges::any_of(batch.responses, [id](const Value* each) {
    const Value* came = each->find("id");
    return came != nullptr && json::equal(*came, *id);
  });
}

// A Response that another element was given could be this one's: then either may be the one that
// was left out.
judge::Finding missing(const Batch& batch, const Pairing& pairing, std::size_t element) {
  std::set<std::string> abouts;
  std::set<std::string> charges;
  const auto add = [&](std::size_t each) {
    if (is_lost_for_sharing(batch, each)) {
      abouts.insert(std::string(kSharedId));
      charges.insert("bat-duplicate-ids");
      return;
    }
    abouts.insert(about_silence(batch.elements[each], *batch.sent[each]));
    charges.insert(charge_for_silence(batch.elements[each]));
  };
  add(element);
  for (const auto& pair : pairing.pairs) {
    const auto own = differences(batch, pair.element, pair.response);
    if (!pair.by_id && differences(batch, element, pair.response) <= own) add(pair.element);
  }
  std::string requirement = charge_for_all(
      charges, is_lost_for_sharing(batch, element) ? "bat-duplicate-ids"
                                                   : charge_for_silence(batch.elements[element]));
  judge::Finding finding{std::move(requirement),
                         corpus::Verdict::fail,
                         Symptom::response_missing,
                         judge::Place{element},
                         judge::describe(batch.elements[element].response),
                         "nothing for it"};
  finding.about = joined(abouts, kBetween);
  return finding;
}

// Who serves an Array within the batch has a Response for each of its elements. Where a
// Notification stands beside it, it may be that one's as well.
judge::Finding surplus(const Batch& batch, const Value& response) {
  const Value* id = response.find("id");
  const bool is_of_a_call = id != nullptr && !id->is(Kind::null);
  const bool is_for_notification = has_notification(batch) && !is_of_a_call;
  const bool is_of_array = std::ranges::any_of(batch.sent, [&](const Value* each) {
    return each->is(Kind::array) && (!is_of_a_call || holds_id(*each, *id));
  });
  judge::Finding finding{is_of_array           ? "bat-nested"
                         : is_for_notification ? "ntf-silent-in-batch"
                                               : "bat-each",
                         corpus::Verdict::fail,
                         Symptom::response_surplus,
                         {},
                         "nothing more",
                         to_visible(json::write(response))};
  std::set<std::string> abouts;
  if (is_of_array) abouts.insert("Array");
  if (is_for_notification) abouts.insert(about_notifications(batch, &response));
  finding.about = abouts.empty() ? "batch" : joined(abouts, kBetween);
  return finding;
}

// Where there is no Response nothing is returned (JSON-RPC 2.0 §6).
judge::Finding empty_array() {
  judge::Finding finding{"bat-all-notifications",
                         corpus::Verdict::fail,
                         Symptom::answered,
                         {},
                         "silence, or an Array that has Responses",
                         "[]"};
  finding.about = std::string(kOfNotifications);
  return finding;
}

bool is_of_an_element(const judge::Finding& finding) {
  static const std::set<Symptom> symptoms = {
      Symptom::response_missing, Symptom::response_surplus,       Symptom::wrong_id,
      Symptom::wrong_code,       Symptom::wrong_code_and_null_id, Symptom::call_succeeded};
  return finding.severity == corpus::Verdict::fail && symptoms.count(finding.symptom) != 0;
}

// In place of what the judge says of the set; but what it finds no fault in stays without.
void blame_elements(const Batch& batch, judge::Judgement& judgement) {
  auto& findings = judgement.findings;
  if (std::ranges::none_of(findings, is_of_an_element)) return;
  const Pairing pairing = pair_up(batch.elements, batch.sent, batch.responses);
  std::vector<judge::Finding> blamed;
  for (const auto& pair : pairing.pairs) blame_pair(batch, pairing, pair, blamed);
  for (const auto each : pairing.unanswered) blamed.push_back(missing(batch, pairing, each));
  for (const auto each : pairing.surplus) {
    blamed.push_back(surplus(batch, *batch.responses[each]));
  }
  // Of each element it is open whether anything is due.
  if (blamed.empty() && batch.responses.empty()) blamed.push_back(empty_array());
  if (blamed.empty()) return;
  std::erase_if(findings, is_of_an_element);
  for (auto& each : blamed) {
    judgement.exercised.insert(each.requirement);
    findings.push_back(std::move(each));
  }
}

std::vector<std::string> silences_of(const Batch& batch) {
  std::vector<std::string> abouts;
  for (std::size_t i = 0; i < batch.elements.size(); ++i) {
    abouts.push_back(about_silence(batch.elements[i], *batch.sent[i]));
  }
  return abouts;
}

Batch batch_of(const Value& sent, const Traits& traits) {
  Batch batch{traits, expected_responses_to(sent, traits), {}, {}};
  for (const auto& each : sent.children()) batch.sent.push_back(&each);
  return batch;
}

void blame_silence(const Batch& batch, judge::Finding& finding) {
  std::set<std::string> abouts;
  std::set<std::string> charges;
  const auto silences = silences_of(batch);
  for (std::size_t i = 0; i < batch.elements.size(); ++i) {
    if (batch.elements[i].answer != Answer::due) continue;
    abouts.insert(silences[i]);
    charges.insert(charge_for_silence(batch.elements[i]));
  }
  if (charges.size() == 1 && *charges.begin() != "bat-each") {
    finding.requirement = *charges.begin();
  }
  finding.about = joined(abouts, kBetween);
}

std::string about_batch(const std::vector<ExpectedResponse>& elements,
                        const std::string& requirement) {
  const auto due = std::ranges::count_if(
      elements, [](const ExpectedResponse& each) { return each.answer != Answer::none; });
  if (due == 1) return "batch that is due one Response";
  if (requirement == "bat-invalid-member") return "batch with what is no Request";
  if (requirement == "bat-nested") return "batch with an Array in it";
  return requirement == "bat-all-notifications" ? std::string(kOfNotifications) : "batch of calls";
}

void blame_batch(const Expectation& expectation, const Value& sent, const Traits& traits,
                 const dialogue::Exchange& exchange, judge::Judgement& judgement) {
  Batch batch = batch_of(sent, traits);
  const Value* reply = exchange.replies.size() == 1 ? exchange.replies.front().value() : nullptr;
  if (reply != nullptr && reply->is(Kind::array)) {
    for (const auto& each : reply->children()) batch.responses.push_back(&each);
    blame_elements(batch, judgement);
  }
  for (auto& each : judgement.findings) {
    if (!each.about.empty() || judge::is_envelope_requirement(each.requirement)) continue;
    const Symptom symptom = symptom_of(each);
    const bool is_empty = reply != nullptr && reply->is(Kind::array) && reply->size() == 0;
    if (symptom == Symptom::unanswered) {
      blame_silence(batch, each);
      judgement.exercised.insert(each.requirement);
    } else if (symptom == Symptom::answered && !is_empty) {
      const bool is_array = reply != nullptr && reply->is(Kind::array);
      each.about = about_notifications(batch, is_array ? batch.responses.front() : reply);
    } else {
      each.about = about_batch(batch.elements, expectation.expected.requirements.front());
    }
  }
}

void blame_single(const Value& sent, const Traits& traits, const dialogue::Exchange& exchange,
                  judge::Judgement& judgement) {
  const ExpectedResponse element = expected_response_to(sent, traits);
  const Value* reply = exchange.replies.size() == 1 ? exchange.replies.front().value() : nullptr;
  auto& findings = judgement.findings;
  const auto is_about_id = [](const judge::Finding& each) {
    return each.symptom == Symptom::wrong_id;
  };
  const bool is_misread = std::ranges::any_of(findings, [&](const judge::Finding& each) {
    return is_of_an_element(each) && !is_about_id(each);
  });
  if (is_misread && follows_from_the_code(element)) {
    std::erase_if(findings, is_about_id);
  }
  for (auto& each : findings) {
    if (judge::is_envelope_requirement(each.requirement)) continue;
    each.about = plain(element.kind);
    if (each.symptom == Symptom::answered && is_of_unknown_method(element, sent, reply, traits)) {
      each.about = kOfUnknownMethod;
      each.requirement = "ntf-silent-unknown-method";
      judgement.exercised.insert(each.requirement);
    }
    if (symptom_of(each) == Symptom::unanswered) each.about = about_silence(element, sent);
    if (is_about_id(each) && reply != nullptr) each.about = about_id(sent, *reply);
    if (reply != nullptr) recognise_misreading(element, *reply, each);
  }
}

}  // namespace

void lay_blame(const Expectation& expectation, const Traits& traits,
               const dialogue::Exchange& exchange, judge::Judgement& judgement) {
  if (judgement.findings.empty()) return;
  const json::Value* sent = expectation.expected.steps.front().messages.front().value();
  if (sent != nullptr && !expectation.open) {
    if (!sent->is(Kind::array)) {
      blame_single(*sent, traits, exchange, judgement);
    } else if (sent->size() > 0) {
      blame_batch(expectation, *sent, traits, exchange, judgement);
    }
  }
  for (auto& each : judgement.findings) {
    const bool everywhere = judge::is_envelope_requirement(each.requirement);
    if (each.about.empty() && !everywhere) each.about = expectation.kind;
  }
}

Symptom symptom_of(const judge::Finding& finding) {
  switch (finding.symptom) {
    case Symptom::response_missing:
      return Symptom::unanswered;
    case Symptom::response_surplus:
      return Symptom::answered;
    default:
      return finding.symptom;
  }
}

std::vector<std::string> silences_in(const Value& batch, const Traits& traits) {
  return silences_of(batch_of(batch, traits));
}

bool explains(const judge::Finding& plainer, const judge::Finding& finding) {
  const auto in_list = [](const std::string& about) {
    return std::string(kBetween) + about + std::string(kBetween);
  };
  const Symptom symptom = symptom_of(finding);
  const bool same_symptom = symptom_of(plainer) == symptom;
  if (same_symptom && plainer.about == finding.about) return true;
  // What may be one's fault or another's is that of the one that has a fault of its own.
  const bool is_of_several = finding.about.find(kBetween) != std::string::npos;
  if (is_of_several && in_list(finding.about).find(in_list(plainer.about)) != std::string::npos) {
    return true;
  }
  if (!same_symptom || symptom != Symptom::unanswered) return false;
  if (finding.about.starts_with(kSpecialId)) return !plainer.about.starts_with(kSpecialId);
  return finding.about == kSharedId && plainer.about == "call";
}

}  // namespace jrpcheck::fuzz
