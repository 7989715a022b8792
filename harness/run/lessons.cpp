#include "run/lessons.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "judge/envelope.hpp"
#include "judge/limited_user.hpp"
#include "run/first_answers.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Survival;

void learn_batches(CaseRun& run, const std::string& observed_as, bool may_lack, Traits& traits) {
  result::CaseResult& result = run.result;
  std::vector<judge::Observation> observations;
  for (const auto& each : run.result.observations) {
    if (each.name == observed_as) observations.push_back(each);
  }
  const bool served =
      std::ranges::any_of(observations, [](const auto& each) { return each.value == "served"; });
  if (served || has_array_of_responses(run.exchanges) || !limit_met(run.exchanges).empty()) return;
  const std::string how = observations.empty() ? "not served" : observations.front().value;
  if (run.survival.survival == Survival::dead || run.survival.survival == Survival::wedged) {
    traits.no_batches = "the server does not survive a batch (calibration/batch)";
  } else if (!has_response(run.exchanges) || !observations.empty()) {
    traits.no_batches = "batches are " + how + " (calibration/batch)";
  }
  traits.refuses_batches =
      !traits.no_batches.empty() && !may_lack && is_invalid_request(run.exchanges);
  if (traits.no_batches.empty() || !may_lack) return;
  auto& findings = result.findings;
  std::erase_if(findings, [](const judge::Finding& finding) {
    return finding.requirement != "rob-survives";
  });
  if (!findings.empty()) return;
  result.verdict = result::Verdict::not_exercised;
  result.exercised.clear();
  result.reason = "this protocol has no batches; the server leaves them " + how;
}

// What may be wrong with every reply, whatever it answers: its envelope, and a log line beside it.
bool may_be_systematic(std::string_view requirement, const wire::Binding& binding) {
  return judge::is_envelope_requirement(requirement) || requirement == binding.noise ||
         requirement == binding.several_lines || requirement == binding.wrong_length;
}

std::set<std::string> systematic_findings(const result::CaseResult& result,
                                          const wire::Binding& binding) {
  std::set<std::string> ids;
  for (const auto& finding : result.findings) {
    if (may_be_systematic(finding.requirement, binding)) ids.insert(finding.requirement);
  }
  return ids;
}

// A reply where none is due is charged as that, and what it looks like to nothing.
bool tells_of_envelopes(const result::CaseResult& result) {
  return std::ranges::any_of(result.exercised, [](const std::string& each) {
    return each == "res-object" || each == "v1-response";
  });
}

// Systematic is what every reply so far has violated, and no fewer than two replies.
void learn_systematic(const CaseRun& run, const wire::Binding& binding, int& replies,
                      Traits& traits) {
  if (!has_response(run.exchanges) || !tells_of_envelopes(run.result)) return;
  const auto found = systematic_findings(run.result, binding);
  if (++replies == 1) {
    traits.systematic = found;
    return;
  }
  std::set<std::string> both;
  std::set_intersection(traits.systematic.begin(), traits.systematic.end(), found.begin(),
                        found.end(), std::inserter(both, both.begin()));
  traits.systematic = std::move(both);
}

}  // namespace

void Lessons::take(const corpus::Case& one, CaseRun& run) {
  const bool is_first = std::exchange(is_first_, false);
  if (is_first && asked_.dialect != corpus::Dialect::json_rpc_1_0) {
    traits_.constant = ConstantAnswer::of(run.exchanges, run.methods);
  }
  learn_systematic(run, *asked_.binding, replies_, traits_);
  // Calibration calls what nobody has, which is in no list of what may be called.
  const bool is_kept_from_user =
      asked_.limits_users && !run.exchanges.empty() && judge::is_forbidden(run.exchanges.front());
  traits_.is_user_limited = traits_.is_user_limited || is_kept_from_user;
  if (one.id == kBatchOfCalibration && !is_kept_from_user) {
    learn_batches(run, one.observes, asked_.batches_optional || asked_.binding->batches_optional,
                  traits_);
  }
}

namespace {

// Whether it asks for the Responses to such a batch. What a refusal answers as well is for all.
bool needs_longer_batch(const corpus::Case& one, std::size_t most) {
  using Shape = corpus::Outcome::Shape;
  return std::ranges::any_of(one.steps, [most](const corpus::Step& step) {
    if (step.accepts(Shape::response) || step.accepts(Shape::anything)) return false;
    return std::ranges::any_of(step.messages, [most](const dialogue::Message& message) {
      const json::Value* value = message.value();
      return value != nullptr && value->is(json::Kind::array) && value->children().size() > most;
    });
  });
}

// Whether it asks for the errors of a batch, and is about something else.
bool rests_on_failing_batch(const corpus::Case& one) {
  if (one.requirements.front().starts_with("bat-")) return false;
  const auto fails = [](const corpus::ResponsePattern& each) { return each.error.has_value(); };
  return std::ranges::any_of(one.steps, [&](const corpus::Step& step) {
    return std::ranges::any_of(step.accept, [&](const corpus::Outcome& due) {
      return due.shape == corpus::Outcome::Shape::batch &&
             std::ranges::all_of(due.responses, fails);
    });
  });
}

}  // namespace

// One reply alone shows no habit.
void Lessons::end() {
  if (replies_ < 2) traits_.systematic.clear();
}

std::string lacks_batches(const corpus::Case& one, const Traits& traits) {
  if (traits.longest_batch && needs_longer_batch(one, *traits.longest_batch)) {
    return "the server refuses batches of more than " + std::to_string(*traits.longest_batch) +
           " elements, and says so";
  }
  if (!traits.no_failing_batches.empty() && rests_on_failing_batch(one)) {
    return traits.no_failing_batches;
  }
  if (one.needs_batches) return traits.no_batches;
  return one.needs_answers_to_batches && !traits.refuses_batches ? traits.no_batches
                                                                 : std::string();
}

std::string note_of_other_protocol(const Traits& traits) {
  if (!traits.systematic.contains("res-version") || !traits.systematic.contains("res-id-present")) {
    return {};
  }
  return "None of the first answers has jsonrpc or id: this may be another protocol, whose answers "
         "say result or error as well.";
}

}  // namespace jrpcheck::run
