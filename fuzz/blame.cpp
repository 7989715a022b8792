#include "fuzz/blame.hpp"

#include <algorithm>

#include "fuzz/blame_batch.hpp"
#include "fuzz/blame_element.hpp"
#include "fuzz/expected_response.hpp"
#include "judge/envelope.hpp"

namespace jrpcheck::fuzz {
namespace {

using json::Kind;
using json::Value;
using judge::Symptom;

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
