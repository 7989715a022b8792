#include "fuzz/properties/report.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace jrpcheck::properties {
namespace {

using dialogue::Direction;
using dialogue::Event;

Event event(Direction direction, std::string bytes, std::string note, std::size_t step) {
  auto excerpt = dialogue::excerpt(std::move(bytes));
  Event one;
  one.direction = direction;
  one.bytes = std::move(excerpt.bytes);
  one.left_out = excerpt.left_out;
  one.note = std::move(note);
  one.step = step;
  return one;
}

std::string cuts_in_words(const std::vector<std::size_t>& cuts) {
  if (cuts.empty()) return {};
  std::string text;
  for (const std::size_t cut : cuts) text += (text.empty() ? "" : ", ") + std::to_string(cut);
  return "in pieces, cut at these bytes where the message has so many: " + text;
}

void add_events(const Asked& asked, std::size_t step, std::vector<Event>& events) {
  const std::string note = cuts_in_words(asked.cuts);
  for (const auto& message : asked.messages) {
    events.push_back(event(Direction::sent, message, note, step));
  }
  const auto& exchange = asked.exchange;
  for (const auto& reply : exchange.replies) {
    events.push_back(event(Direction::received, reply.text(), {}, step));
  }
  for (const auto& noise : exchange.noise) {
    events.push_back(event(Direction::violation, noise.bytes, noise.violation, step));
  }
  if (exchange.ending == dialogue::Ending::settled) return;
  const Direction how = exchange.ending == dialogue::Ending::timed_out ? Direction::quiet
                        : exchange.ending == dialogue::Ending::closed  ? Direction::closed
                                                                       : Direction::exited;
  events.push_back(event(how, {}, exchange.detail, step));
}

corpus::Case case_sending(const std::vector<Asked>& record) {
  corpus::Case one;
  for (const auto& asked : record) {
    corpus::Step step;
    step.messages = asked.messages;
    step.write_at = asked.cuts;
    one.steps.push_back(std::move(step));
  }
  return one;
}

result::Verdict verdict_of(const PropertyResult& result) {
  auto verdict = result.gap().empty() ? result::Verdict::pass : result::Verdict::not_exercised;
  for (const auto& each : result.found) {
    if (each.finding.severity == corpus::Verdict::fail) return result::Verdict::fail;
    verdict = result::Verdict::warn;
  }
  return verdict;
}

}  // namespace

std::string case_id_of(const Property& property) {
  return "properties/" + std::string(property.id);
}

result::CaseResult untried_case(const Property& property, std::string reason) {
  result::CaseResult one;
  one.id = case_id_of(property);
  one.title = property.title;
  one.requirements.assign(property.requirements.begin(), property.requirements.end());
  one.reason = std::move(reason);
  return one;
}

result::CaseResult as_case(const PropertyResult& result, const run::Endpoint& endpoint) {
  result::CaseResult one = untried_case(*result.property, {});
  one.duration = result.duration;
  one.verdict = verdict_of(result);
  if (one.verdict == result::Verdict::not_exercised) {
    one.reason = result.gap();
  } else {
    one.exercised.assign(result.exercised.begin(), result.exercised.end());
  }
  std::size_t step = 0;
  for (const auto& example : result.found) {
    judge::Finding finding = example.finding;
    finding.step += step;
    one.findings.push_back(std::move(finding));
    for (const auto& asked : example.record) add_events(asked, step++, one.transcript);
    if (!example.standard_error.empty()) {
      one.transcript.push_back(
          event(Direction::standard_error, example.standard_error, {}, step == 0 ? 0 : step - 1));
    }
  }
  if (!result.found.empty()) {
    one.reproduce = endpoint.reproduce(case_sending(result.found.front().record));
  }
  if (!result.observed.empty()) {
    std::string ways;
    for (const auto& way : result.observed) ways += (ways.empty() ? "" : ", ") + way;
    one.observations.push_back({std::string(result.property->observes), ways});
  }
  return one;
}

void conclude(result::Run& run, std::vector<result::CaseResult> cases,
              const corpus::Corpus& corpus) {
  std::set<std::string> named;
  for (const auto& one : cases) {
    named.insert(one.requirements.begin(), one.requirements.end());
    named.insert(one.exercised.begin(), one.exercised.end());
  }
  result::Scope scope{corpus.profile.classes, {}, false};
  for (const auto& requirement : corpus.ledger.requirements()) {
    if (named.count(requirement.id) == 0) scope.inapplicable.insert(requirement.id);
  }
  run.cases = std::move(cases);
  result::summarise(run, corpus.ledger, scope);
}

std::string note_of(const PropertyResult& result) {
  std::string text;
  for (const auto& [reason, count] : result.skipped) {
    text += (text.empty() ? "" : "; ") + std::to_string(count) + " skipped: " + reason;
  }
  if (result.unsettled > 0) {
    text += (text.empty() ? "" : "; ") + std::to_string(result.unsettled) +
            " broke it once, and there was no time to try again";
  }
  if (result.unconfirmed > 0) {
    text += (text.empty() ? "" : "; ") + std::to_string(result.unconfirmed) +
            " broke it once and not again, and are not counted";
  }
  if (!result.found.empty()) {
    const Counterexample& example = result.found.front();
    text += (text.empty() ? "" : "; ") + std::to_string(result.broken) +
            " broke it, the first in exchange " + std::to_string(example.found_in) +
            " of all, reduced in " + std::to_string(example.reduced_in) + " exchanges";
  }
  if (!result.cut_short.empty() && result.tests > 0) {
    text += (text.empty() ? "" : "; ") + result.cut_short + " before there were " +
            std::to_string(result.asked);
  }
  if (result.hung > 0) {
    text +=
        (text.empty() ? "" : "; ") + std::to_string(result.hung) + " waited in vain for answers";
    if (result.given_up) text += ", and no more were made";
  }
  if (!result.lost.empty()) {
    text += (text.empty() ? "" : "; ") + std::string("the server was lost: ") + result.lost;
  }
  if (text.empty()) return {};
  return case_id_of(*result.property) + ": of " + std::to_string(result.tests) + " tests " + text +
         ".";
}

}  // namespace jrpcheck::properties
