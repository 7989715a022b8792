#include "fuzz/properties/talk.hpp"

#include <utility>

#include "fuzz/element.hpp"
#include "json/parse.hpp"

namespace jrpcheck::properties {
namespace {

using json::Kind;

corpus::Step step_for(const std::string& message, const fuzz::Traits& traits) {
  auto expectation = fuzz::expectation_of(message, traits);
  return std::move(expectation.expected.steps.front());
}

// Each of them brings one Response, of whatever kind.
corpus::Step step_for_all(const std::vector<std::string>& calls) {
  corpus::Step step;
  step.messages = calls;
  corpus::Outcome outcome;
  outcome.shape = corpus::Outcome::Shape::responses;
  for (const auto& call : calls) {
    const auto parsed = json::parse(call);
    const json::Value* id = parsed ? parsed.value->find("id") : nullptr;
    std::vector<json::Value> ids;
    if (id != nullptr) ids.push_back(id->clone());
    outcome.responses.push_back(fuzz::response_with(std::move(ids)));
  }
  step.accept.push_back(std::move(outcome));
  return step;
}

}  // namespace

// A line ends a message in one framing; in another what is no Object or Array has no end.
bool Talk::can_send(const std::string& message) const {
  if (message.find_first_not_of(" \t\r\n") == std::string::npos) return false;
  if (binding().one_line) return message.find_first_of("\r\n") == std::string::npos;
  if (!binding().structures_only) return true;
  const auto parsed = json::parse(message);
  return parsed && (parsed.value->is(Kind::object) || parsed.value->is(Kind::array));
}

dialogue::Exchange Talk::ask(const std::string& message) {
  auto observed = play(quick_, step_for(message, traits()));
  record_.push_back({{message}, {}, observed.exchange});
  return std::move(observed.exchange);
}

dialogue::Exchange Talk::ask_in_pieces(const std::string& message, std::vector<std::size_t> cuts) {
  auto step = step_for(message, traits());
  step.write_at = cuts;
  auto observed = play(patient_, step);
  record_.push_back({{message}, std::move(cuts), observed.exchange});
  return std::move(observed.exchange);
}

dialogue::Exchange Talk::ask_together(const std::vector<std::string>& calls) {
  auto observed = play(quick_, step_for_all(calls));
  record_.push_back({calls, {}, observed.exchange});
  return std::move(observed.exchange);
}

judge::Judgement Talk::judge(const std::string& message) {
  auto expectation = fuzz::expectation_of(message, traits());
  auto observed = play(quick_, expectation.expected.steps.front());
  auto judgement =
      circumstances_.oracle.judge_exchange(expectation, observed.exchange, observed.survival);
  for (auto& finding : judgement.findings) finding.step = record_.size();
  record_.push_back({{message}, {}, std::move(observed.exchange)});
  return judgement;
}

fuzz::Observed Talk::play(fuzz::Player& player, const corpus::Step& step) {
  if (!lost_.empty() || cut_off_) return {};
  const auto begin = Clock::now();
  auto played = player.play(step);
  // Waiting may have been cut short, and so it shows nothing.
  cut_off_ = circumstances_.end.passed();
  const auto took = std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  if (cut_off_) {
    waited_in_vain_ = took;
    return {};
  }
  if (!played) {
    lost_ = played.error().message;
    return {};
  }
  if (played->exchange.ending == dialogue::Ending::timed_out) waited_in_vain_ += took;
  note_death(*played);
  return *std::move(played);
}

void Talk::note_death(const fuzz::Observed& observed) {
  const bool here = observed.survival.survival == dialogue::Survival::dead;
  if (death_ || (!here && observed.ended_before.empty())) return;
  judge::Finding finding;
  finding.requirement = "rob-survives";
  finding.message = here ? "The server did not survive the message."
                         : "The server ended after it had answered what was sent before.";
  finding.expected = "the server goes on answering";
  finding.actual = here ? observed.survival.detail : observed.ended_before;
  finding.step = here || record_.empty() ? record_.size() : record_.size() - 1;
  death_ = std::move(finding);
  standard_error_ = observed.survival.standard_error;
}

}  // namespace jrpcheck::properties
