#include "run/case_verdict.hpp"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <string_view>
#include <utility>

#include "judge/fact.hpp"
#include "judge/observe.hpp"
#include "judge/protocol.hpp"
#include "run/dialect_probe.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::run {

using dialogue::Fact;

result::CaseResult exempted(const corpus::Case& one, const corpus::Exemption& exemption) {
  return not_applicable(one, exemption.because + " (" + exemption.clause + ")");
}

result::CaseResult not_exercised(const corpus::Case& one, std::string reason) {
  result::CaseResult result;
  result.id = one.id;
  result.title = one.title;
  result.requirements = one.requirements;
  result.reason = std::move(reason);
  return result;
}

result::CaseResult not_applicable(const corpus::Case& one, const wire::Binding& binding) {
  const std::string place = binding.on_sockets && binding.is_framing() ? " on sockets" : "";
  return not_applicable(one, "does not apply to " + std::string(binding.name) + place);
}

result::CaseResult not_applicable(const corpus::Case& one, std::string reason) {
  auto result = not_exercised(one, std::move(reason));
  result.verdict = result::Verdict::not_applicable;
  return result;
}

void conclude(judge::Judgement judgement, result::CaseResult& result) {
  result.exercised = judgement.exercised.in_order();
  result.observations = std::move(judgement.observations);
  result.findings = std::move(judgement.findings);
  if (result.findings.empty() && judgement.unjudged) {
    result.reason = *judgement.unjudged;
    if (judgement.is_declined) result.verdict = result::Verdict::not_applicable;
    return;
  }
  result.verdict = result::worst_of(result.findings);
}

std::string hash_of_asked(const corpus::Case& bound) {
  std::uint64_t hash = 14695981039346656037U;
  const auto mix = [&hash](std::string_view text) {
    for (const unsigned char c : text) hash = (hash ^ c) * 1099511628211U;
    hash = (hash ^ 0xFFU) * 1099511628211U;  // which no text has alone: where one ends
  };
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) mix(message.text());
    for (const auto& [place, frame] : step.frames) {
      mix(std::to_string(place) + " " + wire::text_of(frame));
    }
    if (step.handshake) {
      for (const auto& [name, value] : step.http.headers) mix(name + ": " + value.value_or(""));
    }
    mix("");
  }
  std::ostringstream out;
  out << std::hex << hash;
  return out.str();
}

judge::Judgement judgement_of(const result::CaseResult& result) {
  judge::Judgement judgement;
  judgement.exercised.insert(result.exercised.begin(), result.exercised.end());
  judgement.observations = result.observations;
  judgement.findings = result.findings;
  if (!result.reason.empty()) judgement.unjudged = result.reason;
  return judgement;
}

void tolerate_what_is_no_message(corpus::Case& bound, const corpus::Ledger& ledger,
                                 const judge::Context& context) {
  // JSON-RPC alone says itself what is owed to what is no message.
  const bool says_more =
      context.law && context.law->schemas && context.law->schemas->knows_client();
  if (!says_more) return;
  // Its own cases say themselves what is owed to bytes that are no message.
  const bool is_own = bound.id.starts_with(context.law->profile.family + "/");
  for (auto& step : bound.steps) {
    if (step.raw && is_own) continue;
    const bool is_foreign = step.raw || std::ranges::any_of(step.messages, [&](const auto& each) {
                              return !each.text().empty() && !judge::is_message_of_client(
                                                                 *context.law, each.text(), is_own);
                            });
    if (!is_foreign) continue;
    bound.is_foreign = true;
    if (step.accepts(corpus::Outcome::Shape::silence)) continue;
    corpus::Outcome nothing;
    nothing.shape = corpus::Outcome::Shape::silence;
    // Of what is not owed to it silence is no proof.
    if (!judge::is_owed_to_all(bound.requirements.front(), *context.law, ledger)) {
      nothing.verdict = corpus::Verdict::warn;
      nothing.charge = bound.requirements.front();
      nothing.because = "Nothing came back.";
    }
    step.accept.push_back(std::move(nothing));
  }
}

bool judge_by_law(const std::vector<dialogue::Event>& events, const JudgedBy& by,
                  judge::Judgement& judgement, bool is_foreign) {
  return by.context.law &&
         judge::judge_by_law(events, *by.context.law, by.ledger, judgement, is_foreign);
}

namespace {

// What becomes of what is no message of the protocol says nothing about its limits: those are the
// observations of a number, "20" or "not 20".
void drop_limits_observed_as(const std::string& name, judge::Judgement& judgement) {
  const auto is_limit = [&](const judge::Observation& each) {
    return each.name == name && (each.value.starts_with(judge::kMissed) ||
                                 each.value.find_first_not_of("0123456789") == std::string::npos);
  };
  auto& all = judgement.observations;
  std::erase_if(all, is_limit);
}

// What is no message of the protocol was answered otherwise than JSON-RPC says: the protocol may
// let it be so, and what the case is about was not shown.
void leave_to_the_protocol(const corpus::Case& bound, const JudgedBy& by,
                           judge::Judgement& judgement) {
  for (const auto& id : bound.requirements) {
    if (!judge::is_owed_to_all(id, *by.context.law, by.ledger)) judgement.exercised.erase(id);
  }
  if (!judgement.unjudged) {
    judgement.unjudged =
        "it sends what is no message of the protocol, which does not say how that is answered";
  }
}

// Who has died of a message has not left it unanswered and lived on.
void drop_last_silence(result::CaseResult& result) {
  const std::size_t last = dialogue::exchanges_of(result.transcript)->steps.size() - 1;
  const auto kept = std::stable_partition(
      result.findings.begin(), result.findings.end(), [last](const judge::Finding& each) {
        return each.step != last || (each.symptom != judge::Symptom::outcome_of_case &&
                                     each.symptom != judge::Symptom::unanswered);
      });
  for (auto each = kept; each != result.findings.end(); ++each) {
    std::erase(result.exercised, each->requirement);
  }
  result.findings.erase(kept, result.findings.end());
}

}  // namespace

void judge_exchanges(const corpus::Case& bound, const dialogue::Exchanges& exchanges,
                     const std::vector<dialogue::Event>& events, const JudgedBy& by,
                     result::CaseResult& result) {
  auto judgement = judge::judge(bound, exchanges.steps, exchanges.survival, by.ledger, by.context);
  const bool is_let_be = judge_by_law(events, by, judgement, bound.is_foreign);
  if (is_let_be) leave_to_the_protocol(bound, by, judgement);
  if (bound.is_foreign) drop_limits_observed_as(bound.observes, judgement);
  conclude(std::move(judgement), result);
  if (by.constant) by.constant->withdraw_from(bound, exchanges.steps, result);
}

bool ends_in_silence(const result::CaseResult& result) {
  const auto exchanges = dialogue::exchanges_of(result.transcript);
  if (!exchanges || exchanges->steps.empty()) return false;
  const auto& last = exchanges->steps.back();
  const bool stands =
      last.ending == dialogue::Ending::settled || last.ending == dialogue::Ending::timed_out;
  return stands && last.replies.empty() && last.http_status == 0;
}

namespace {

// What looked like a server without batches.
void drop_lack_of_batches(result::CaseResult& result) {
  std::erase_if(result.findings,
                [](const auto& each) { return each.requirement == "bat-supported"; });
  for (auto& each : result.observations) {
    if (each.name == "batches") each.value = "served";
  }
}

}  // namespace

void charge_fact(const dialogue::Event& event, result::CaseResult& result,
                 std::string_view of_end) {
  if (event.fact == Fact::died_of_it && ends_in_silence(result)) drop_last_silence(result);
  if (event.fact == Fact::speaks_1_0) charge_dialect_once(result);
  auto finding = judge::finding_of(event, of_end);
  if (!finding) return;
  if (event.fact == Fact::batches_served) drop_lack_of_batches(result);
  // Other cases ran beside it: what else this one showed may be due to the damage.
  const bool ran_beside = event.fact == Fact::answers_changed && event.bytes.empty();
  if (ran_beside || event.fact == Fact::unknown_method_hangs) result.findings.clear();
  result.verdict = result::Verdict::fail;
  result.reason.clear();
  result.findings.push_back(*std::move(finding));
}

void note_fact(dialogue::Event event, result::CaseResult& result, std::string_view of_end) {
  const bool is_known = std::ranges::any_of(
      result.transcript, [&](const dialogue::Event& other) { return other.fact == event.fact; });
  if (is_known) return;  // again and again, maybe: once is evidence enough
  event.at = result.duration;
  auto [bytes, left_out] = dialogue::excerpt(event.bytes);
  event.bytes = std::move(bytes);
  event.left_out = left_out;
  charge_fact(event, result, of_end);
  result.transcript.push_back(std::move(event));
}

dialogue::Event fact_event(Fact fact, std::string bytes, std::string note) {
  dialogue::Event event{dialogue::Direction::noted, {}, std::move(bytes), std::move(note)};
  event.fact = fact;
  return event;
}

}  // namespace jrpcheck::run
