#include "fuzz/properties/test_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "fuzz/blame.hpp"
#include "fuzz/carriage.hpp"
#include "fuzz/expected_response.hpp"
#include "fuzz/properties/spelling.hpp"
#include "json/parse.hpp"
#include "judge/envelope.hpp"
#include "judge/judge.hpp"

namespace jrpcheck::properties {
namespace {

// Within so many milliseconds whoever answers again, by a timer or another thread, mostly has.
constexpr int kListening = 100;

// Each of them brings one Response, of whatever kind.
fuzz::Expectation expectation_of_all(const std::vector<std::string>& calls) {
  corpus::Step step;
  step.messages.assign(calls.begin(), calls.end());
  corpus::Outcome outcome;
  outcome.shape = corpus::Outcome::Shape::responses;
  for (const auto& call : step.messages) {
    const json::Value* id = call.find("id");
    std::vector<json::Value> ids;
    if (id != nullptr) ids.push_back(id->clone());
    outcome.responses.push_back(fuzz::response_with(std::move(ids)));
  }
  step.accept.push_back(std::move(outcome));
  fuzz::Expectation expectation;
  expectation.kind = "calls";
  expectation.open = true;  // what they are answered is for the property to compare
  expectation.expected.steps.push_back(std::move(step));
  return expectation;
}

bool is_about_silence(const judge::Finding& finding) {
  return fuzz::symptom_of(finding) == judge::Symptom::unanswered;
}

bool explains_one_of(const std::vector<judge::Finding>& plainer,
                     const std::vector<judge::Finding>& findings) {
  return std::any_of(plainer.begin(), plainer.end(), [&](const judge::Finding& one) {
    return std::any_of(findings.begin(), findings.end(), [&](const judge::Finding& other) {
      return is_about_silence(other) && fuzz::explains(one, other);
    });
  });
}

}  // namespace

std::string TestSession::why_not_sent(const std::string& message) const {
  return fuzz::why_not_sent(binding(), traits(), message);
}

dialogue::Exchange TestSession::ask(const std::string& message) {
  send(quick_, fuzz::expectation_of(message, traits()));
  return record_.back().exchange;
}

dialogue::Exchange TestSession::ask_in_pieces(const std::string& message,
                                              std::vector<std::size_t> cuts) {
  auto expectation = fuzz::expectation_of(message, traits());
  expectation.expected.steps.front().write_at = std::move(cuts);
  send(patient_, expectation);
  return record_.back().exchange;
}

dialogue::Exchange TestSession::ask_with_care(const std::string& message) {
  send(patient_, fuzz::expectation_of(message, traits()));
  return record_.back().exchange;
}

dialogue::Exchange TestSession::ask_after_listening(const std::string& message) {
  auto expectation = fuzz::expectation_of(message, traits());
  expectation.expected.steps.front().listen_first_ms = kListening;
  send(patient_, expectation);
  return record_.back().exchange;
}

void TestSession::await_end() {
  if (death_ || record_.empty()) return;
  const std::size_t last = record_.size() - 1;
  ask_after_listening(R"({"jsonrpc":"2.0","method":"jrpcheckThere","id":"jrpcheck"})");
  if (!death_) return;
  // Whether that call has met it or not.
  death_->symptom = judge::Symptom::died_later;
  death_->step = last;
}

dialogue::Exchange TestSession::ask_together(const std::vector<std::string>& calls) {
  send(quick_, expectation_of_all(calls));
  return record_.back().exchange;
}

dialogue::Exchange TestSession::ask_behind(const std::string& message, const std::string& call) {
  auto expectation = expectation_of_all({call});
  auto& step = expectation.expected.steps.front();
  step.messages.emplace(step.messages.begin(), message);
  // It may be answered as well, and the call twice: that is waited for.
  corpus::Outcome most;
  most.shape = corpus::Outcome::Shape::responses;
  most.responses.resize(3);
  step.accept.push_back(std::move(most));
  send(quick_, expectation);
  return record_.back().exchange;
}

judge::Judgement TestSession::judge_once(const std::string& message) {
  return send(quick_, fuzz::expectation_of(message, traits()));
}

judge::Judgement TestSession::judge(const std::string& message) {
  auto judgement = judge_once(message);
  if (std::none_of(judgement.findings.begin(), judgement.findings.end(), is_about_silence)) {
    return judgement;
  }
  const auto plainer = with_usual_ids(message);
  if (!plainer) return judgement;
  auto of_plainer = judge_once(*plainer);
  return explains_one_of(of_plainer.findings, judgement.findings) ? std::move(of_plainer)
                                                                  : std::move(judgement);
}

judge::Judgement TestSession::send(fuzz::Executor& executor, const fuzz::Expectation& expectation) {
  const corpus::Step& step = expectation.expected.steps.front();
  auto observed = execute(executor, step);
  auto judgement = circumstances_.oracle.judge_exchange(expectation, observed.exchange,
                                                        observed.survival, observed.events);
  note_silence(expectation, judgement, observed.exchange);
  for (auto& finding : judgement.findings) {
    finding.step = record_.size();
    if (finding.about == fuzz::kHeldAnswer) held_ = finding;
    if (judge::is_envelope_requirement(finding.requirement)) malformed_.push_back(finding);
  }
  std::erase_if(judgement.findings,
                [](const auto& each) { return each.about == fuzz::kHeldAnswer; });
  record_.push_back(
      {.messages = step.messages, .cuts = step.write_at, .exchange = std::move(observed.exchange)});
  return judgement;
}

fuzz::Observed TestSession::execute(fuzz::Executor& executor, const corpus::Step& step) {
  if (!lost_.empty() || cut_off_) return {};
  const auto begin = Clock::now();
  auto observed = executor.execute(step);
  // Waiting may have been cut short, and so it shows nothing.
  cut_off_ = circumstances_.end.passed();
  const auto took = time_since(begin);
  if (cut_off_) {
    waited_in_vain_ = took;
    return {};
  }
  if (!observed) {
    lost_ = observed.error().message;
    return {};
  }
  if (observed->keeps_out && refuses_every_call(executor)) {
    lost_ = fmt::format("it refuses every call by now (HTTP {})", observed->exchange.http_status);
    return {};
  }
  if (observed->exchange.ending == dialogue::Ending::timed_out) waited_in_vain_ += took;
  note_death(*observed);
  std::move(observed->late.begin(), observed->late.end(), std::back_inserter(late_));
  return *std::move(observed);
}

// A login has ended, or a quota is used up. Who refuses for what was sent serves this call.
bool TestSession::refuses_every_call(fuzz::Executor& executor) const {
  executor.begin_connection();
  const auto call = fuzz::expectation_of(
      R"({"jsonrpc":"2.0","method":"jrpcheckThere","id":"jrpcheck"})", traits());
  const auto observed = executor.execute(call.expected.steps.front());
  return observed && observed->keeps_out;
}

// What goes down with a connection is none of it, nor what may be left unanswered.
void TestSession::note_silence(const fuzz::Expectation& expectation,
                               const judge::Judgement& judgement,
                               const dialogue::Exchange& exchange) {
  const bool is_due = !expectation.open && !expectation.is_faulty;
  const bool is_lost = std::ranges::any_of(judgement.findings, [&](const judge::Finding& each) {
    const bool has_waited = exchange.ending == dialogue::Ending::timed_out;
    return is_about_silence(each) && each.severity == corpus::Verdict::fail &&
           (has_waited || each.symptom == judge::Symptom::response_missing);
  });
  if (is_due && is_lost) unanswered_.push_back(record_.size());
}

void TestSession::note_death(const fuzz::Observed& observed) {
  const bool here = observed.survival.survival == dialogue::Survival::dead;
  if (death_ || (!here && observed.ended_before.empty())) return;
  judge::Finding finding;
  finding.requirement = "rob-survives";
  finding.symptom = here ? judge::Symptom::died : judge::Symptom::died_later;
  finding.expected = "the server goes on answering";
  finding.actual = here ? observed.survival.detail : observed.ended_before;
  finding.step = here || record_.empty() ? record_.size() : record_.size() - 1;
  death_ = std::move(finding);
  standard_error_ = observed.survival.standard_error;
}

}  // namespace jrpcheck::properties
