#include "run/case_runner.hpp"

#include <algorithm>
#include <string_view>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "base/memory.hpp"
#include "dialogue/exchanges_of.hpp"
#include "json/value.hpp"
#include "judge/protocol.hpp"
#include "run/answers_before.hpp"
#include "run/case_ids.hpp"
#include "run/control_call.hpp"
#include "run/reproduce.hpp"
#include "run/turns.hpp"
#include "run/unknown_method_cases.hpp"
#include "session/http_limits.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::size_t kLarge = 1U << 20;  // bytes
constexpr std::size_t kHuge = 4U << 20;   // what nothing in the corpus asks for

constexpr std::string_view kLimited = "the server limits how often it is called";
constexpr int kPausesForLimits = 2;
constexpr int kRefusalsThatTell = 4;

// A server that closes the connection and serves others goes on.
bool goes_on_after(const dialogue::Exchange& exchange) {
  return exchange.ending == dialogue::Ending::settled ||
         (exchange.ending == dialogue::Ending::closed && exchange.control_answered);
}

bool needs_survival_check(const corpus::Step& step, const dialogue::Exchange& exchange,
                          corpus::Dialect dialect) {
  if (!goes_on_after(exchange) || step.then != corpus::Step::Then::read) return true;
  // Something that was sent may have brought it to that, and to start it anew may help.
  if (exchange.limited && session::keeps_out(exchange)) return true;
  if (exchange.control_answered) return false;
  return step.raw || !step.frames.empty() || step.handshake || step.end_of_input ||
         !session::outgoing(exchange.sent, dialect).well_formed;
}

// Whether a control call went out before the server was found dead: it may have been part of what
// ended it, as where a message puts the reader out of order, and it dies of whatever is read next.
bool died_behind_call(const corpus::Case& bound, const result::CaseResult& result) {
  const bool has_died = std::ranges::any_of(
      result.findings, [](const auto& finding) { return finding.symptom == judge::Symptom::died; });
  if (!has_died || bound.steps.back().end_of_input) return false;
  return std::ranges::any_of(result.transcript, [](const auto& event) {
    return event.is_control && event.direction == dialogue::Direction::sent;
  });
}

// Whether the call that opens a session was served in one that began without it.
bool has_opened(const std::string& method, const std::vector<dialogue::Exchange>& exchanges) {
  std::set<std::string> calls;
  for (const auto& exchange : exchanges) {
    for (const auto& sent : exchange.sent) {
      const json::Value* called = sent.find("method");
      const json::Value* id = sent.find("id");
      if (called != nullptr && id != nullptr && called->text() == method) {
        calls.insert(json::write(*id));
      }
    }
    for (const auto& reply : exchange.replies) {
      const json::Value* id = reply.find("id");
      const bool is_served = reply.find("result") != nullptr;
      if (is_served && id != nullptr && calls.count(json::write(*id)) != 0) return true;
    }
  }
  return false;
}

// A session of the case's own is asked nothing more whose program is to end, or has left where an
// outcome of the step says what that means. Whoever ends otherwise has died of what was sent.
bool ends_with_its_program(const corpus::Case& bound,
                           const std::vector<dialogue::Exchange>& exchanges) {
  if (bound.session == corpus::Case::Session::shared) return false;
  const auto& last = exchanges.back();
  const auto& step = bound.steps[exchanges.size() - 1];
  const bool has_ended = last.ending == dialogue::Ending::exited && !step.awaits_exit();
  const bool was_asked = !last.sent.empty();
  if (has_ended && step.accepts(corpus::Outcome::Shape::exited)) {
    return !was_asked || last.exit_code == 0;
  }
  return bound.steps.back().awaits_exit() && !(has_ended && was_asked);
}

// Many servers have one event stream at a time, and refuse a second one by 409, though no clause
// gives them that: it may be for those on which the other sessions here listen.
bool meets_another_stream(const corpus::Case& one,
                          const std::vector<dialogue::Exchange>& exchanges) {
  constexpr int kConflict = 409;
  for (std::size_t i = 0; i < std::min(exchanges.size(), one.steps.size()); ++i) {
    const bool is_get = one.steps[i].http.method == "GET";
    if (is_get && exchanges[i].http_status == kConflict) return true;
  }
  return false;
}

}  // namespace

bool carries_the_id(const dialogue::Exchange& exchange) {
  if (exchange.replies.empty() || exchange.sent.empty()) return false;
  const json::Value* id = exchange.replies.back().find("id");
  const json::Value* sent = exchange.sent.back().find("id");
  return id != nullptr && sent != nullptr && json::equal(*id, *sent);
}

corpus::Bindings CaseRunner::bindings(std::size_t ordinal) const {
  auto bindings = bindings_for(ordinal, seed_, roles_);
  bindings.transport = endpoint_.binding().name;
  bindings.omitted_params = omitted_params_;
  bindings.adopt(corpus_.profile);
  if (context_.law) bindings.catalogue = context_.law->catalogue.get();
  return bindings;
}

Result<corpus::Case> CaseRunner::bind(std::size_t ordinal) const {
  auto bound = corpus::bind(corpus_.cases[ordinal], bindings(ordinal));
  if (bound) tolerate_what_is_no_message(*bound, corpus_.ledger, context_);
  return bound;
}

CaseRun CaseRunner::unbound(std::size_t ordinal, const Error& error) const {
  CaseRun run;
  run.result = not_exercised(corpus_.cases[ordinal], error.message);
  return run;
}

bool CaseRunner::is_apart(std::size_t ordinal) const {
  return corpus_.cases[ordinal].session != corpus::Case::Session::shared;
}

CaseRun CaseRunner::run_apart(std::size_t ordinal) const {
  auto bound = bind(ordinal);
  return bound ? run_apart(ordinal, *bound) : unbound(ordinal, bound.error());
}

CaseRun CaseRunner::run(std::size_t ordinal, session::Conversation& conversation) const {
  // What a server answers to one case it may answer to all: the memory for one of them is enough.
  std::unique_lock one_at_a_time(large_, std::defer_lock);
  if (was_large_ || has_been_huge_) {
    one_at_a_time.lock();
    give_back_memory();
  }
  auto bound = bind(ordinal);
  if (!bound) return unbound(ordinal, bound.error());
  if (is_apart(ordinal)) return run_apart(ordinal, *bound, conversation);
  if (fresh_sessions_ && !freshen(*bound, conversation)) {
    return unbound(
        ordinal, {"the server refuses ids that it has seen before, as it has those of this case"});
  }
  dialogue::Transcript transcript;
  return this->run(ordinal, *bound, conversation, transcript);
}

CaseRun CaseRunner::run_apart(std::size_t ordinal, corpus::Case& bound,
                              session::Conversation& usual) const {
  if (!makes_way_) {
    CaseRun run = run_apart(ordinal, bound);
    if (!meets_another_stream(bound, run.exchanges)) return run;
  }
  usual.step_aside();
  CaseRun run = run_apart(ordinal, bound);
  // Where this fails the server is gone, as the next case finds.
  dialogue::Transcript aside;
  (void)usual.open(aside);
  return run;
}

CaseRun CaseRunner::run_apart(std::size_t ordinal, corpus::Case& bound) const {
  const auto conversation = endpoint_.converse_apart(bound);
  dialogue::Transcript transcript;
  if (auto opened = conversation->open(transcript); !opened) {
    CaseRun run;
    run.result =
        not_exercised(bound, "no session of its own could be had: " + opened.error().message);
    return run;
  }
  // What it makes of the end of its input tells nothing of a program that has not come up.
  if (bound.steps.back().end_of_input && !endpoint_.is_shared() && transcript.whole().empty()) {
    dialogue::Transcript aside;
    conversation->check_survival(aside);
  }
  CaseRun run = this->run(ordinal, bound, *conversation, transcript);
  run.late = conversation->take_late_answers();
  // What it did to its session is no matter of the others'.
  run.damage.clear();
  run.disturbed = false;
  return run;
}

CaseRun CaseRunner::run(std::size_t ordinal, corpus::Case& bound,
                        session::Conversation& conversation,
                        dialogue::Transcript& transcript) const {
  CaseRun run;
  run.result = not_exercised(bound, {});
  conversation.begin_case(first_control_id(ordinal));
  // What it is to ask, whatever is answered to its first steps.
  run.result.asked = hash_of_asked(bound);
  converse(bound, conversation, transcript, run);
  run.result.duration = transcript.duration();
  auto kept = storage_.keep(transcript);
  run.result.transcript = std::move(kept.events);
  const bool is_piped = endpoint_.binding().is_framing();
  const auto answers =
      is_piped ? own_answers(bound, transcript.whole()) : std::vector<std::string>();
  if (answers) run.result.reproduce = endpoint_.reproduce(bound, *answers);
  run.result.ordinal = ordinal;
  std::vector<dialogue::Event> held;
  for (std::size_t step = 0; step < run.exchanges.size(); ++step) {
    const auto& how = run.exchanges[step].held_until_more;
    if (how.empty()) continue;
    held.push_back(fact_event(dialogue::Fact::held_until_more, how, {}));
    held.back().step = step;
  }
  // What is judged is what can be stored and judged again.
  auto exchanges = *dialogue::exchanges_of(transcript.whole());
  run.has_its_id = !run.exchanges.empty() && carries_the_id(run.exchanges.back());
  judge_exchanges(bound, exchanges, transcript.whole(), {corpus_.ledger, context_, constant_},
                  run.result);
  if (is_piped && answers && died_behind_call(bound, run.result)) {
    run.result.reproduce = line_with_call_behind(bound, *answers, ordinal);
  }
  const bool is_cut = kept.is_folded || is_cut_for_law(run.result.transcript);
  if (is_cut) run.result.judged = judgement_of(run.result);
  run.exchanges = std::move(exchanges.steps);
  if (bound.calibration) run.methods = methods_called(bound);
  run.has_come_late = turns_.take(bound, transcript.whole(), context_.dialect);
  run.ids = shared_ids(bound, transcript.whole());
  was_large_ = transcript.taken() > kLarge;
  if (transcript.taken() > kHuge) has_been_huge_ = true;
  for (auto& each : held) note_fact(std::move(each), run.result);
  return run;
}

std::string CaseRunner::line_with_call_behind(corpus::Case& bound,
                                              const std::vector<std::string>& answers,
                                              std::size_t ordinal) const {
  constexpr std::size_t kBeforeCallMs = 100;
  const auto call = endpoint_.control_call().text(first_control_id(ordinal));
  bound.steps.push_back(corpus::step_sending(call));
  bound.steps.back().listen_first_ms = kBeforeCallMs;
  std::string line = endpoint_.reproduce(bound, answers);
  bound.steps.pop_back();
  return line;
}

bool CaseRunner::is_cut_for_law(const std::vector<dialogue::Event>& kept) const {
  const bool is_cut = std::any_of(kept.begin(), kept.end(), [](const dialogue::Event& event) {
    return event.direction == dialogue::Direction::sent && event.left_out > 0;
  });
  return is_cut && context_.law && !judge::requirements_of(*context_.law).empty();
}

bool CaseRunner::is_owed_unknown_method(std::size_t ordinal) const {
  const auto bound = bind(ordinal);
  return bound && run::is_owed_unknown_method(*bound);
}

bool CaseRunner::calls_unknown_method(std::size_t ordinal) const {
  const auto bindings = this->bindings(ordinal);
  const auto bound = corpus::bind(corpus_.cases[ordinal], bindings);
  return bound && run::calls_unknown_method(*bound, bindings);
}

Danger CaseRunner::danger(std::size_t ordinal) const {
  const auto bound = corpus::bind(corpus_.cases[ordinal], bindings(ordinal));
  return bound ? danger_of(*bound) : Danger::none;
}

// Who has not been opened need answer nothing but what opens it.
bool CaseRunner::is_unopened(const corpus::Case& bound,
                             const std::vector<dialogue::Exchange>& exchanges) const {
  const auto& opening = corpus_.profile.opening;
  return bound.session == corpus::Case::Session::bare && !opening.empty() &&
         !has_opened(control_call_like(opening.front()).method, exchanges);
}

void CaseRunner::converse(corpus::Case& bound, session::Conversation& conversation,
                          dialogue::Transcript& transcript, CaseRun& run) const {
  const auto generation = conversation.server_generation();
  bool check = false;
  for (auto& step : bound.steps) {
    if (!fill_in_answers(run.exchanges, step)) break;
    transcript.begin_step(run.exchanges.size());
    endpoint_.adapt(step);
    const auto as_written = step.messages;
    conversation.name_own_folder(step);
    run.exchanges.push_back(conversation.exchange(step, transcript));
    step.messages = as_written;  // the folder goes with its program: by hand another one is named
    if (run.exchanges.back().comes_too_late) {
      run.exchanges.pop_back();
      run.ended_between_steps = true;
      break;
    }
    const auto& exchange = run.exchanges.back();
    transcript.add(dialogue::end_of(exchange));
    check = needs_survival_check(step, exchange, context_.dialect) ||
            (check && !exchange.control_answered);
    if (!goes_on_after(exchange) || step.end_of_input) break;
  }
  transcript.end_steps();
  // It may have ended a moment after it had answered.
  check = check || !conversation.usable() ||
          (damage_.is_watched() && !run.exchanges.back().control_answered);
  check = run.ended_between_steps || (check && !ends_with_its_program(bound, run.exchanges));
  const bool stays_unopened = is_unopened(bound, run.exchanges);
  if (stays_unopened && !endpoint_.is_shared()) {
    conversation.use_control_call(control_call_like(corpus_.profile.opening.front()));
  }
  dialogue::SurvivalCheck survival;
  if (check) {
    survival = conversation.check_survival(transcript);
    // It may be busy with an answer of which we read no more.
    const bool is_too_much = !run.exchanges.back().beyond_limit.empty();
    if (is_too_much && survival.survival == dialogue::Survival::deaf) survival = {};
  } else if (run.exchanges.back().control_answered) {
    survival.survival = dialogue::Survival::alive;
  }
  run.survival = survival;
  run.generation = generation;
  if (survival.survival != dialogue::Survival::unasked) {
    transcript.add(dialogue::event_of(survival));
  }
  // What the usual call is answered where nothing was opened is no change.
  if (survival.survival == dialogue::Survival::alive && !stays_unopened) {
    if (!check) survival.answer = run.exchanges.back().control_answer;
    // In a session of its own a server may refuse what it serves in others.
    const bool is_of_all = bound.session == corpus::Case::Session::shared;
    if (is_of_all && damage_.has_changed(survival)) limits_.note(survival.answer);
    run.damage = damage_.find_behind(survival, conversation, transcript);
  }
  run.answered_late =
      survival.answered_meanwhile && run.exchanges.back().ending == dialogue::Ending::timed_out;
  // Asked last: another case's server may also have been met by the check.
  run.disturbed = conversation.server_generation() != generation;
}

// The id of the case stands for those of its control calls.
bool CaseRunner::freshen(const corpus::Case& bound, session::Conversation& conversation) const {
  std::set<std::string> ids = {bound.id};
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      for (auto& key : dialogue::id_keys_of(message)) ids.insert(std::move(key));
    }
  }
  const std::lock_guard lock(mutex_);
  auto& used = used_ids_[&conversation];
  const bool is_fresh =
      std::none_of(ids.begin(), ids.end(), [&](const auto& id) { return used.count(id) != 0; });
  if (!is_fresh) {
    dialogue::Transcript aside;
    const auto before = conversation.server_generation();
    if (!conversation.start_anew(aside) || conversation.server_generation() == before) return false;
    used.clear();
  }
  used.merge(ids);
  return true;
}

CaseRun CaseRunner::run_within_limits(std::size_t ordinal, session::Conversation& conversation,
                                      const std::function<CaseRun()>& run_once) const {
  for (int pauses = 0;; ++pauses) {
    CaseRun run = run_once();
    const auto met = limits_.met_in(run.exchanges);
    if (met == CallLimits::Met::nowhere || is_interrupted()) return run;
    const bool is_first = met == CallLimits::Met::at_first;
    const int most = is_first && refused_anyway_ >= kRefusalsThatTell ? 0 : kPausesForLimits;
    if (pauses >= most) {
      if (is_first) {
        ++refused_anyway_;
      } else {
        run.result = not_exercised(corpus_.cases[ordinal], std::string(kLimited));
      }
      return run;
    }
    dialogue::Transcript aside;
    if (!damage_.find_lasting(conversation, aside, limits_.wait()).empty()) return run;
  }
}

bool CaseRunner::has_met_limits(const result::CaseResult& result) const {
  const bool is_apart = result.ordinal && this->is_apart(*result.ordinal);
  if (!is_apart && !limits_.have_been_met()) return false;
  const auto exchanges = dialogue::exchanges_of(result.transcript);
  if (!exchanges) return false;
  return (is_apart && meets_another_stream(corpus_.cases[*result.ordinal], exchanges->steps)) ||
         limits_.met_in(exchanges->steps) != CallLimits::Met::nowhere;
}

}  // namespace jrpcheck::run
