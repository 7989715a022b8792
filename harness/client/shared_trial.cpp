#include "client/shared_trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/contains.hpp"
#include "client/client_process.hpp"
#include "client/scripted_server.hpp"
#include "client/shared_script.hpp"
#include "client/trial_judge.hpp"
#include "client/wire_form.hpp"
#include "json/parse.hpp"

namespace jrpcheck::client {
namespace {

using corpus::CallOutcome;
using corpus::Scenario;

std::string without_placeholders(std::string text) {
  for (auto at = text.find("${"); at != text.npos; at = text.find("${", at)) {
    text.replace(at, text.find('}', at) + 1 - at, R"("-")");
  }
  return text;
}

// The ids of a client that has just been started are small, and true is 1 in some languages: what
// is like a small number could be an id of a fresh client, and of none that has made more calls.
bool has_id_of_fresh_client(const std::string& answer) {
  constexpr double kSmall = 1e6;
  const auto parsed = json::parse(without_placeholders(answer));
  const json::Value* id =
      parsed && parsed.value->is(json::Kind::object) ? parsed.value->find("id") : nullptr;
  if (id == nullptr) return false;
  if (id->is(json::Kind::boolean)) return true;
  return id->is(json::Kind::number) && std::abs(std::strtod(id->text().c_str(), nullptr)) < kSmall;
}

std::string calls_up_to(std::size_t last) {
  std::string text;
  for (std::size_t n = 1; n <= last; ++n) text += (n == 1 ? "" : ",") + std::to_string(n);
  return text;
}

// The three calls of the scenario at that place, as if there were no others.
Trial trial_of(const Script& script, const Scenario& scenario, std::size_t place,
               const Telling& telling) {
  Trial trial;
  trial.was_played = script.was_played();
  trial.hindrance = script.hindrance();
  trial.told = script.told();
  const std::size_t before = SharedScript::first_call(place) - 1;
  for (std::size_t n = 1; n <= kCalls; ++n) {
    const bool is_subject = n == kSubject && !scenario.result.empty();
    const std::string result =
        is_subject ? scenario.result : std::to_string(good_result(before + n));
    const auto line = telling.line_of(before + n);
    trial.outcomes.at(n) = line.empty() ? CallOutcome::waits : outcome_of(line, result);
    trial.shown.at(n) = line;
  }
  return trial;
}

// Nothing where it did not pass, or something beside it was odd.
std::optional<result::CaseResult> passed_one(const Scenario& scenario, const Trial& trial,
                                             const corpus::Ledger& ledger) {
  const bool has_good_neighbours =
      trial.outcomes[1] == CallOutcome::value && trial.outcomes[3] == CallOutcome::value;
  if (!has_good_neighbours || trial.outcomes[kSubject] == CallOutcome::waits) return std::nullopt;
  auto result = judge_trial(scenario, trial, true, ledger);
  const bool is_pass = result.verdict == result::Verdict::pass && result.findings.empty();
  return is_pass ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

bool can_be_shared(const Scenario& scenario, const Door& door) {
  const bool is_plain = scenario.order == corpus::CallOrder::in_turn && scenario.then.empty() &&
                        scenario.cut == 0 && scenario.frames.empty() && !door.is_secure &&
                        !scenario.is_of_notification && !scenario.is_unanswered;
  const bool has_own_call = contains(scenario.requirements, "cl-server-call") ||
                            contains(scenario.requirements, "cl-server-call-same-id");
  return is_plain && !has_own_call && std::ranges::none_of(scenario.answer, has_id_of_fresh_client);
}

bool SharedTrial::is_clean() const {
  return !stopped_at && broken_form.empty() && answers_let_go == 0 &&
         std::ranges::all_of(passed, [](const auto& one) { return one.has_value(); });
}

void Telling::note(const std::string& printed, const std::string& standard_error) {
  for (auto end = printed.find('\n', read_); end != printed.npos; end = printed.find('\n', read_)) {
    const std::string line = printed.substr(read_, end - read_);
    read_ = end + 1;
    for (const auto& [number, text] : printed_calls(line)) {
      if (is_out_of_order_ || number != told() + 1) {
        is_out_of_order_ = true;
      } else {
        lines_.push_back(text);
      }
    }
  }
  if (standard_error == standard_error_) return;
  standard_error_ = standard_error;
  complaints_.push_back(told());
}

std::string Telling::line_of(std::size_t call) const {
  return call == 0 || call > told() ? "" : lines_[call - 1];
}

bool Telling::has_complaint_after(std::size_t call) const { return contains(complaints_, call); }

Result<SharedTrial> try_together(const Scenarios& scenarios, microseconds most,
                                 const ClientOptions& options, const corpus::Corpus& corpus,
                                 Premises& premises, transport::Guardian& guardian) {
  SharedScript script(scenarios);
  const auto begin = Clock::now();
  auto server = ScriptedServer::start(*options.door, script, premises);
  if (!server) return server.error();
  const std::size_t calls = SharedScript::calls_for(scenarios.size());
  Telling telling;
  ClientStart start{options.command, options.relay};
  start.calls = calls_up_to(calls);
  start.patience = options.patience;
  // Who has told of a call that was not due is ended: nothing more can be told apart.
  start.is_enough = [&](const std::string& printed, const std::string& standard_error) {
    telling.note(printed, standard_error);
    return telling.is_out_of_order() || script.is_called_without_end() ||
           Clock::now() - begin > most;
  };
  auto end = run_to_end(start, **server, *options.door, premises, guardian);
  if (!end) return end.error();
  telling.note(end->printed + "\n", end->standard_error);
  SharedTrial shared;
  shared.was_cut_off = end->was_cut_off;
  const auto& status = end->status;
  shared.has_ended = status.has_value();
  shared.was_killed = status && status->by_signal;
  shared.has_failed = has_died(*end);
  if (telling.told() < calls || telling.is_out_of_order()) shared.stopped_at = telling.told() + 1;
  shared.broken_form = broken_form(corpus, *options.door, end->traffic);
  shared.answers_let_go = answers_let_go(corpus, *options.door, end->traffic);
  shared.duration = time_since(begin);
  shared.traffic = std::move(end->traffic);
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    auto trial = trial_of(script.of(i), *scenarios[i], i, telling);
    if (status) trial.ending = status->text();
    const auto first = SharedScript::first_call(i);
    bool is_doubtful = shared.stopped_at && *shared.stopped_at <= first + kCalls;
    for (std::size_t n = 0; n < kCalls; ++n) {
      is_doubtful = is_doubtful || telling.has_complaint_after(first + n);
    }
    shared.passed.push_back(is_doubtful ? std::nullopt
                                        : passed_one(*scenarios[i], trial, corpus.ledger));
  }
  return shared;
}

}  // namespace jrpcheck::client
