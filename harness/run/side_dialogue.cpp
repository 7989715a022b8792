#include "run/side_dialogue.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "json/parse.hpp"

namespace jrpcheck::run {
namespace {

// A case that asks for nothing but a well-formed Response to this call, or silence where it is a
// Notification.
corpus::Case any_response_to(const std::string& message) {
  corpus::Outcome outcome;
  outcome.shape = corpus::Outcome::Shape::silence;
  const auto call = json::parse(message);
  const json::Value* id = call ? call.value->find("id") : nullptr;
  if (id != nullptr) {
    outcome.shape = corpus::Outcome::Shape::response;
    outcome.responses.emplace_back();
    outcome.responses.back().id.any_of.push_back(id->clone());
  }
  corpus::Step step;
  step.messages = {message};
  step.accept.push_back(std::move(outcome));
  step.charge = {{"id", "id-echo"}, {"count", "res-once"}, {"reply", "ntf-silent"}};
  corpus::Case one;
  one.requirements = {"res-object"};
  one.steps.push_back(std::move(step));
  return one;
}

}  // namespace

void SideDialogue::take(const std::string& message, const dialogue::Exchange& exchange,
                        const dialogue::Transcript& transcript) {
  last_call_ = message;
  if (exchange.replies.empty() && exchange.noise.empty()) return;
  auto judgement = judge::judge(any_response_to(message), {exchange}, {}, ledger_, context_);
  bool is_new = false;
  for (auto& finding : judgement.findings) {
    const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const auto& other) {
      return other.requirement == finding.requirement;
    });
    // That nothing came is no matter of the envelope.
    if (known || (exchange.replies.empty() && finding.requirement == "res-object")) continue;
    finding.step = shown_;
    finding.habits.clear();
    findings_.push_back(std::move(finding));
    is_new = true;
  }
  if (!is_new) return;
  if (first_call_.empty()) first_call_ = message;
  for (auto event : transcript.events()) {
    event.step = shown_;
    events_.push_back(std::move(event));
  }
  ++shown_;
}

void SideDialogue::charge(judge::Finding finding, const std::string& call,
                          const std::vector<dialogue::Event>& events) {
  finding.step = shown_;
  findings_.push_back(std::move(finding));
  if (first_call_.empty()) first_call_ = call;
  for (auto event : events) {
    event.step = shown_;
    events_.push_back(std::move(event));
  }
  ++shown_;
}

std::optional<result::CaseResult> SideDialogue::result(
    const std::vector<result::CaseResult>& cases) const {
  // Wherever in a message it stands.
  std::set<std::pair<std::string, judge::Symptom>> charged;
  for (const auto& each : cases) {
    for (const auto& finding : each.findings) charged.emplace(finding.requirement, finding.symptom);
  }
  result::CaseResult one;
  one.id = id_;
  one.title = title_;
  for (const auto& finding : findings_) {
    if (charged.count({finding.requirement, finding.symptom}) != 0) continue;
    one.requirements.push_back(finding.requirement);
    one.findings.push_back(finding);
  }
  if (one.findings.empty()) return std::nullopt;
  one.exercised = one.requirements;
  one.transcript = events_;
  one.verdict = result::worst_of(one.findings);
  return one;
}

}  // namespace jrpcheck::run
