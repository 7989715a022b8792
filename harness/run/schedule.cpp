#include "run/schedule.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "run/connections_served.hpp"
#include "run/schedule_state.hpp"
#include "run/turns.hpp"

namespace jrpcheck::run {
namespace {

// What ends a server often is better met by one case at a time.
constexpr std::size_t kMostEndsTogether = 3;

// Where framing is broken on purpose the place of what comes next is guesswork.
bool may_mislead(const corpus::Case& one) {
  return std::ranges::any_of(one.steps, [](const corpus::Step& step) {
    return step.raw || step.charge.count("survival") != 0;
  });
}

// Before the first case of a schedule ran those of the calibration.
std::optional<std::size_t> last_exercised(const Results& results) {
  for (auto each = results.rbegin(); each != results.rend(); ++each) {
    if (each->second.verdict != result::Verdict::not_exercised) return each->first;
  }
  return std::nullopt;
}

}  // namespace

void Schedule::run(const Agenda& agenda, Jobs jobs, session::Conversation& first,
                   Results& results) {
  const auto& ordinals = agenda.runnable;
  const std::size_t workers = std::max<std::size_t>(1, std::min(jobs.shared, ordinals.size()));
  State state(*this, agenda.total, workers > 1 && endpoint_.is_shared(), results);
  state.knows_limit = endpoint_.has_turned_away();
  for (const std::size_t ordinal : ordinals) {
    const bool is_apart = jobs.apart > 0 && runner_.is_apart(ordinal);
    (is_apart ? state.apart : state.shared).ordinals.push_back(ordinal);
  }
  const auto beside = [this, &state] { guard(state, [&] { work_beside(state); }); };
  const auto apart = [this, &state] { guard(state, [&] { work_apart(state); }); };
  {
    std::vector<std::jthread> threads;
    guard(state, [&] {
      try {
        while (threads.size() + 1 < workers) threads.emplace_back(beside);
        for (std::size_t i = 0; i < jobs.apart; ++i) threads.emplace_back(apart);
      } catch (const std::system_error&) {
        // There are no more threads to be had: the others do the work.
      }
    });
    guard(state, [&] {
      work(state, {first, last_exercised(results), true});
      work_apart(state);
    });
  }
  has_come_late_ = state.has_come_late;
  guard(state, [&] {
    is_limited_ = !is_interrupted() && meets_limit(state) && endpoint_.turns_others_away(first);
  });
  if (has_come_late_ || is_limited_) return;
  if (is_interrupted() || !state.failure.empty()) {
    failure_ = state.failure;
    for (const std::size_t ordinal : state.again) state.take_back(ordinal);
    unconfirmed_ = state.unconfirmed;
    return;
  }
  for (Queue* queue : {&state.shared, &state.apart}) {
    while (!queue->is_empty()) state.again.insert(queue->take());
  }
  take_up_what_is_doubtful(state, ordinals, first);
  state.last = agenda.last;
  state.again.insert(state.last.begin(), state.last.end());
  if (state.damaged_by) {
    state.damage.leave_unsettled();
  } else {
    guard(state, [&] { run_again_alone(state, first); });
    guard(state, [&] { state.culprits.settle_late(first); });
    has_come_late_ = state.has_come_late;
  }
  failure_ = state.failure;
  unconfirmed_ = state.unconfirmed;
}

void Schedule::tell(const State& state, std::size_t ordinal) const {
  const auto& id = corpus_.cases[ordinal].id;
  // What runs again alone has come to nothing so far.
  const bool is_settled = state.alone || state.again.count(ordinal) == 0;
  progress_.judged(id,
                   is_settled ? state.results.at(ordinal).verdict : result::Verdict::not_exercised);
  progress_.advance(state.results.size(), state.total, id);
}

void Schedule::guard(State& state, const std::function<void()>& work) {
  std::string failure = failure_of(work);
  if (failure.empty()) return;
  const std::lock_guard lock(state.mutex);
  state.failure = std::move(failure);
}

// What was refused for the others of a run that goes on side by side is tried where there are none.
bool Schedule::meets_limit(const State& state) const {
  return !state.knows_limit && endpoint_.has_turned_away();
}

bool Schedule::can_go_on(State& state, session::Conversation& conversation) {
  {
    const std::lock_guard lock(state.mutex);
    if (state.damaged_by) return false;
  }
  return still_serves(conversation);
}

void Schedule::work_beside(State& state) const {
  const auto conversation = endpoint_.converse();
  // Where a further conversation cannot be had, the others do its work: not every program can run
  // several times at once.
  if (still_serves(*conversation)) {
    work(state, {*conversation});
  }
}

CaseRun Schedule::run_case(State& state, std::size_t ordinal, Worker& worker) const {
  const auto begin = Clock::now();
  CaseRun run = runner_.run(ordinal, worker.conversation);
  const auto& one = corpus_.cases[ordinal];
  if (endpoint_.is_shared() && !runner_.is_apart(ordinal) && found_connection_used_up(one, run)) {
    renew_connection(worker.conversation);
    run = runner_.run(ordinal, worker.conversation);
  }
  take_back_closed_early(one, endpoint_, worker.conversation, run);
  const auto unseen = worker.conversation.take_unseen_death();
  const bool serves = !is_lost(run.survival.survival);
  const bool answers_next = run.survival.answers_next && !may_mislead(one);
  if (serves && (answers_next || run.survival.keeps_out)) {
    endings_.note_unexplained(run.survival, "in " + one.id);
  }
  if (is_interrupted()) return run;
  if (!unseen && !charges_end(run.result)) {
    if (!serves && state.alone) state.culprits.note_repeated(ordinal);
    return run;
  }
  const bool usable = worker.conversation.usable();
  if (unseen && !usable) {
    run.result = not_exercised(one, std::string(kGone));  // it was never sent
  }
  if (state.may_suffer_from_others()) {
    // Beside others nobody can tell whose case it was: each shows it alone.
    const std::lock_guard lock(state.mutex);
    if (unseen) state.culprits.suspect_recent(run.generation);
    return run;
  }
  const bool is_death = unseen || run.survival.survival == dialogue::Survival::dead;
  if (unseen) {
    state.culprits.settle_unseen(
        ordinal, worker, {dialogue::Survival::dead, unseen->detail, unseen->standard_error});
  }
  if (charges_end(run.result)) {
    run = state.culprits.settle(ordinal, worker, std::move(run));
  } else if (unseen) {
    state.culprits.settle_hidden(ordinal, worker, run.result);
  }
  endings_.note_lost(time_since(begin), is_death);
  return run;
}

void Schedule::work(State& state, Worker worker) const {
  // One that cannot go on leaves what is left to the others, and to the end of the run.
  while (!is_interrupted() && can_go_on(state, worker.conversation)) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      if (!state.failure.empty() || state.has_come_late || meets_limit(state)) break;
      if (state.shared.is_empty() || state.culprits.ends_together() >= kMostEndsTogether ||
          (state.answers_are_swapped && state.may_suffer_from_others())) {
        break;
      }
      // Which cases are spared for many ends is told by what came before them: in their order.
      constexpr std::size_t kHalf = 2;
      if (!worker.is_first && state.culprits.are_enough(kHalf)) break;
      ordinal = state.shared.take();
      if (std::string why = state.culprits.why_spared(ordinal); !why.empty()) {
        state.results[ordinal] = not_exercised(corpus_.cases[ordinal], std::move(why));
        continue;
      }
    }
    CaseRun run = run_case(state, ordinal, worker);
    // Its waits may have been cut short, which is no fault of the server's. Nor is the death of a
    // server that whoever interrupted the run may have ended as well.
    if (is_interrupted()) {
      leave_unsettled(state, worker);
      return;
    }
    const auto before = std::exchange(worker.previous, ordinal);
    const std::lock_guard lock(state.mutex);
    if (state.several && (run.disturbed || is_lost(run.survival.survival))) {
      state.culprits.suspect(ordinal, run, worker.conversation);
    }
    state.culprits.note_run(worker.conversation, ordinal);
    state.damage.note(ordinal, run, worker.conversation);
    if (state.may_suffer_from_others() &&
        has_anothers_answer(run.exchanges, run.result.transcript, ordinal, corpus_.cases.size())) {
      state.answers_are_swapped = true;
      state.again.insert(ordinal);
      state.answered_late.insert(ordinal);  // that answer may be
    }
    if (run.answered_late) state.answered_late.insert(ordinal);
    state.has_come_late = state.has_come_late || run.has_come_late;
    const bool shared_damage = state.may_suffer_from_others() && !run.damage.empty();
    if (run.answered_late || shared_damage) state.again.insert(ordinal);
    state.results[ordinal] = std::move(run.result);
    state.ids.note(ordinal, std::move(run.ids));
    const auto late = worker.conversation.take_late_answers();
    attribute(state, late);
    attribute_shared(state, late, {before.value_or(ordinal), ordinal});
    attribute(state, run.late);
    tell(state, ordinal);
  }
  state.culprits.finish(worker);
}

// Beside others a program may lack what they take: a file that one locks, or the machine.
void Schedule::work_apart(State& state) const {
  while (!is_interrupted()) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      if (!state.failure.empty() || state.has_come_late || state.apart.is_empty()) return;
      ordinal = state.apart.take();
    }
    std::optional<CaseRun> ran;
    try {
      ran = runner_.run_apart(ordinal);
    } catch (const std::exception&) {
      // There is no more to be had beside the others, such as threads: alone there may be.
    }
    if (is_interrupted()) return;
    const std::lock_guard lock(state.mutex);
    if (!ran) {
      state.again.insert(ordinal);
      return;
    }
    CaseRun& run = *ran;
    state.has_come_late = state.has_come_late || run.has_come_late;
    if (run.answered_late) state.answered_late.insert(ordinal);
    const auto verdict = run.result.verdict;
    const bool is_settled =
        (verdict == result::Verdict::pass || verdict == result::Verdict::warn) &&
        !run.answered_late;
    state.results[ordinal] = std::move(run.result);
    attribute(state, run.late);
    is_settled ? tell(state, ordinal) : void(state.again.insert(ordinal));
  }
}

void Schedule::leave_unsettled(State& state, const Worker& worker) const {
  const std::lock_guard lock(state.mutex);
  if (!worker.previous) return;
  const auto last = state.results.find(*worker.previous);
  if (last != state.results.end() && last->second.verdict == result::Verdict::fail) {
    state.results.erase(last);
  }
}

}  // namespace jrpcheck::run
