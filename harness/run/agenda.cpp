#include "run/agenda.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/interruption.hpp"
#include "judge/protocol.hpp"
#include "result/attribution.hpp"
#include "result/shard.hpp"
#include "run/calibration.hpp"
#include "run/catalogue.hpp"

namespace jrpcheck::run {
namespace {

// The case that charges a server with what becomes of messages that leave in one write.
constexpr std::string_view kJoinedCalls = "robust/pipelined-calls";
constexpr std::string_view kOneCall = "the server serves one call a connection";

bool leaves_in_one_write(const corpus::Case& one) {
  return std::any_of(one.steps.begin(), one.steps.end(), [](const corpus::Step& step) {
    return step.messages.size() > 1 && !step.concurrently;
  });
}

bool needs_several_connections(const corpus::Case& one) {
  return std::any_of(one.steps.begin(), one.steps.end(), [](const corpus::Step& step) {
    const bool are_several = step.concurrently && step.messages.size() > 1;
    return are_several || step.then == corpus::Step::Then::hold;
  });
}

std::string lacks_method(const std::string& role, const Roles& roles) {
  const std::string needs = "needs a method in the role '" + role + "', which ";
  const auto given = std::ranges::find_if(roles.tried, [&](const result::TriedMethod& tried) {
    return tried.given && tried.role == role;
  });
  if (given == roles.tried.end()) return needs + "--methods FILE names";
  return needs + given->method + " of --methods does not play";
}

// Why a case does not run, or nothing when it does.
std::string obstacle(const corpus::Case& one, const Traits& traits, const Roles& roles,
                     const judge::Law& law) {
  if (!traits.unjudgeable.empty()) return "the server cannot be judged further";
  if (law.catalogue) {
    if (auto reason = lacks_what_it_is_about(one, *law.catalogue); !reason.empty()) return reason;
  }
  for (const auto& role : one.roles) {
    if (corpus::player_of(role, one, roles.methods).empty()) return lacks_method(role, roles);
  }
  if (auto reason = params_not_taken(one, roles.methods, roles.takes); !reason.empty())
    return reason;
  if (auto reason = lacks_batches(one, traits); !reason.empty()) return reason;
  if (one.needs_http_1_1 && !traits.no_http_1_1.empty()) return traits.no_http_1_1;
  if (traits.one_call_a_connection && leaves_in_one_write(one)) return std::string(kOneCall);
  // No clause wants several served at once; who waits for a connection of ours waits for nothing
  // that the server has done.
  if (traits.one_connection_at_a_time && needs_several_connections(one)) {
    return traits.turns_others_away ? "the server limits how many connections are open at a time"
                                    : "the server serves one connection at a time";
  }
  if (traits.loses_joined_calls && one.rests_on == kJoinedCalls) {
    return "the server loses messages that come together: see " + std::string(kJoinedCalls);
  }
  return {};
}

// What one shard has learned of the server must be what every other has: such cases run in all.
bool runs_here(const corpus::Case& one, const Options& options,
               const std::set<std::string>& telling) {
  if (!options.selection.includes(one)) return false;
  return !options.shard || result::is_in_shard(one.id, *options.shard) ||
         telling.count(one.id) != 0;
}

result::CaseResult unsettled(const corpus::Corpus& corpus, const corpus::Case& one,
                             const Endpoint& endpoint, std::string reason) {
  const wire::Binding& binding = endpoint.binding();
  if (const auto* exemption = corpus.profile.exempts_case(one.id)) return exempted(one, *exemption);
  return corpus.applies(one, binding) ? not_exercised(one, std::move(reason))
                                      : not_applicable(one, binding);
}

// What servers die of most. One that dies of a message, and that nobody here can start again, has
// shown all else by then, and is known to have died of that.
void put_last_what_is_dangerous(const CaseRunner& runner, Danger alone_from, Agenda& agenda) {
  std::multimap<Danger, std::size_t> by_danger;
  for (const std::size_t ordinal : std::exchange(agenda.runnable, {})) {
    by_danger.emplace(runner.danger(ordinal), ordinal);
  }
  for (const auto& [danger, ordinal] : by_danger) {
    (danger < alone_from ? agenda.runnable : agenda.last).push_back(ordinal);
  }
}

}  // namespace

Agenda sort_out(const corpus::Corpus& corpus, const Options& options, const Endpoint& endpoint,
                const CaseRunner& runner, const Traits& traits, const Roles& roles,
                Danger alone_from, Results& results) {
  const auto telling = result::telling_cases(corpus);
  Agenda agenda;
  for (std::size_t ordinal = 0; ordinal < corpus.cases.size(); ++ordinal) {
    const auto& one = corpus.cases[ordinal];
    const bool is_done = results.count(ordinal) != 0;
    if (!is_done && !runs_here(one, options, telling)) continue;
    ++agenda.total;
    if (is_done) continue;
    // Roles that were not looked for to the end are no obstacle.
    std::string reason =
        is_interrupted() ? "" : obstacle(one, traits, roles, *runner.context().law);
    if (reason.empty() && !traits.no_unknown_methods.empty() &&
        runner.calls_unknown_method(ordinal)) {
      reason = traits.no_unknown_methods;
    }
    if (reason.empty() && corpus.applies(one, endpoint.binding())) {
      agenda.runnable.push_back(ordinal);
    } else {
      results[ordinal] = unsettled(corpus, one, endpoint, std::move(reason));
    }
  }
  if (endpoint.is_shared() && options.command.empty()) {
    put_last_what_is_dangerous(runner, alone_from, agenda);
  }
  return agenda;
}

void note_interruption(const corpus::Corpus& corpus, const Options& options,
                       const Endpoint& endpoint, std::size_t total, Results& results,
                       result::Run& run) {
  if (!is_interrupted() && run.failure.empty()) return;
  const std::string why = run.failure.empty() ? interruption_text() : run.failure;
  const auto telling = result::telling_cases(corpus);
  run.interrupted = why + " after " + std::to_string(std::min(results.size(), total)) + " of " +
                    std::to_string(total) + " cases";
  for (std::size_t ordinal = 0; ordinal < corpus.cases.size(); ++ordinal) {
    const auto& one = corpus.cases[ordinal];
    if (!runs_here(one, options, telling) || results.count(ordinal) != 0) continue;
    results[ordinal] = unsettled(corpus, one, endpoint, "the run ended before it");
  }
}

}  // namespace jrpcheck::run
