#include "fuzz/blame_batch.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "fuzz/blame.hpp"
#include "fuzz/blame_element.hpp"
#include "fuzz/expected_response.hpp"
#include "fuzz/pairing.hpp"
#include "json/parse.hpp"
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

constexpr std::string_view kOfNotifications = "batch of notifications";

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

// Whichever of them it is about, that is true.
std::string charge_for_all(const std::set<std::string>& charges, std::string own) {
  const std::set<std::string> invalid = {"bat-invalid-member", "bat-nested"};
  return charges == invalid ? "bat-invalid-member" : std::move(own);
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

}  // namespace

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

std::vector<std::string> silences_in(const Value& batch, const Traits& traits) {
  return silences_of(batch_of(batch, traits));
}

}  // namespace jrpcheck::fuzz
