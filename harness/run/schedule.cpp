#include "run/schedule.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "base/contains.hpp"
#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "run/case_ids.hpp"
#include "run/connections_served.hpp"
#include "run/lasting_damage.hpp"
#include "run/turns.hpp"

namespace jrpcheck::run {
namespace {

// What ends a server often is better met by one case at a time.
constexpr std::size_t kMostEndsTogether = 3;

constexpr std::string_view kGone =
    "the server died earlier in the run and could not be reached again";

constexpr const char* kCameLate = "came after the case had ended";

// Whether an answer may come long after the case.
bool is_slow(const corpus::Case& one) {
  return std::any_of(one.steps.begin(), one.steps.end(),
                     [](const corpus::Step& step) { return step.slow; });
}

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

// Of a server that may be connected to again.
void renew_connection(session::Conversation& conversation) {
  conversation.step_aside();
  if (conversation.usable()) return;
  dialogue::Transcript aside;
  (void)conversation.open(aside);  // where this fails the server is gone, as the case finds
}

}  // namespace

// Cases that wait for a worker.
struct Queue {
  std::vector<std::size_t> ordinals = {};
  std::size_t next = 0;

  bool is_empty() const { return next >= ordinals.size(); }
  std::size_t take() { return ordinals[next++]; }
};

struct Schedule::State : Shared {
  State(const Schedule& schedule, std::size_t number, bool are_several, Results& all)
      : Shared{all, are_several},
        total(number),
        culprits(schedule.corpus_, schedule.runner_, schedule.endings_, *this),
        damage(schedule.corpus_, schedule.runner_, schedule.endings_, *this) {}

  std::size_t total;
  Culprits culprits;
  LastingDamage damage;
  Queue shared = {};
  Queue apart = {};
  std::vector<std::size_t> last = {};        // of `again`, behind all others of it
  std::vector<std::size_t> once_more = {};   // of `last`: what was answered late
  std::set<std::size_t> repeated = {};       // of `last`
  std::set<std::size_t> answered_late = {};  // of `again`
  std::string failure = {};                  // of ours, which ends the run
  bool knows_limit = false;                  // on connections, before it begins
  bool has_come_late = false;                // as in CaseRun; then there is no use in going on
  IdsOfCases ids = {};
  std::set<std::size_t> doubled = {};  // of `again`: one with a shared id may be
  std::size_t unconfirmed = 0;

  // What is to run alone, in its order.
  std::vector<std::size_t> in_turn() const {
    std::vector<std::size_t> order;
    std::ranges::copy_if(again, std::back_inserter(order),
                         [this](std::size_t each) { return !contains(last, each); });
    order.insert(order.end(), last.begin(), last.end());
    return order;
  }

  // Others have run before.
  bool has_had_its_chance(std::size_t ordinal) const {
    return alone && (!contains(last, ordinal) || repeated.count(ordinal) != 0);
  }
  void give_another_chance(std::size_t ordinal) {
    again.insert(ordinal);
    answered_late.insert(ordinal);
    if (alone) once_more.push_back(ordinal);
  }

  // What was to be shown alone, and was not.
  void take_back(std::size_t ordinal) {
    const auto found = results.find(ordinal);
    if (found == results.end()) return;
    if (!found->second.findings.empty()) ++unconfirmed;
    results.erase(found);
  }
};

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

// What it answered to several at once it may not answer to each.
void Schedule::take_up_what_is_doubtful(State& state, const std::vector<std::size_t>& ordinals,
                                        session::Conversation& first) const {
  const bool was_damaged = state.damaged_by.has_value();
  guard(state, [&] { state.damage.forget_if_mended(first); });
  const bool has_recovered = was_damaged && !state.damaged_by;
  const bool are_all_doubtful = state.answers_are_swapped || has_recovered;
  for (const std::size_t ordinal : ordinals) {
    const auto found = state.results.find(ordinal);
    if (found == state.results.end()) continue;
    const bool is_doubtful = are_all_doubtful && !found->second.findings.empty();
    if (is_doubtful || runner_.has_met_limits(found->second)) state.again.insert(ordinal);
  }
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

// An answer that comes after its case has ended: a second one, which is a fault of that case; or
// one that was waited for in vain, and then the case gets another chance.
void Schedule::attribute(State& state, const std::vector<session::LateAnswer>& late_answers) const {
  for (const auto& late : late_answers) {
    const json::Value* id = late.find("id");
    const auto ordinal = id != nullptr ? ordinal_of_id(*id) : std::nullopt;
    const auto found = ordinal ? state.results.find(*ordinal) : state.results.end();
    if (found == state.results.end() || is_slow(corpus_.cases[*ordinal])) continue;
    auto& result = found->second;
    const bool was_answered = had_reply(result.transcript, *id);
    if (!state.has_had_its_chance(*ordinal) &&
        (!was_answered || had_replies_without_id_alone(result.transcript))) {
      state.give_another_chance(*ordinal);
      continue;
    }
    if (!was_answered) continue;  // it has had its chance
    if (runner_.watches_turns() && had_replies_of_unknown_calls(result.transcript)) {
      state.has_come_late = true;
    }
    note_fact(fact_event(dialogue::Fact::answered_again, late.text(), kCameLate), result);
  }
}

// Whose it is, a case alone tells, where no other lacks such an answer.
void Schedule::attribute_shared(State& state, const std::vector<session::LateAnswer>& late_answers,
                                const std::set<std::size_t>& ordinals) const {
  constexpr std::size_t kEnough = 3;  // each says the same of the server
  for (const auto& late : late_answers) {
    for (const std::size_t ordinal : state.ids.answered_in_full(late, ordinals)) {
      if (is_slow(corpus_.cases[ordinal])) continue;
      const bool is_new = state.doubled.size() < kEnough && !state.alone;
      if (is_new && state.doubled.insert(ordinal).second) {
        state.again.insert(ordinal);
        state.answered_late.insert(ordinal);
      } else if (state.alone && state.doubled.erase(ordinal) != 0) {
        note_fact(fact_event(dialogue::Fact::answered_again, late.text(), kCameLate),
                  state.results.at(ordinal));
      }
    }
  }
}

void Schedule::take_in_alone(State& state, std::size_t ordinal, CaseRun run,
                             session::Conversation& conversation) const {
  state.has_come_late = state.has_come_late || run.has_come_late;
  state.damage.note(ordinal, run, conversation);
  state.results[ordinal] = std::move(run.result);
  state.ids.note(ordinal, std::move(run.ids));
  if (run.answered_late && !state.has_had_its_chance(ordinal)) state.give_another_chance(ordinal);
  attribute(state, run.late);
  const auto late = conversation.take_late_answers();
  if (contains(state.last, ordinal)) attribute(state, late);
  attribute_shared(state, late, {ordinal});
  tell(state, ordinal);
}

void Schedule::run_again_alone(State& state, session::Conversation& conversation) const {
  if (state.again.empty()) return;
  bool gone = false;
  patience_.forgive();
  state.alone = true;
  // Where it has run, others have shown only since that it may have suffered from them.
  for (const std::size_t ordinal : state.again) {
    progress_.judged(corpus_.cases[ordinal].id, result::Verdict::not_exercised);
  }
  Worker worker{conversation};
  std::set<std::size_t> settled;
  std::set<std::size_t> unsettled;
  auto turns = state.in_turn();
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::size_t ordinal = turns[i];
    if (is_interrupted()) break;
    gone = gone || !can_go_on(state, conversation);
    if (gone) {
      unsettled.insert(ordinal);
      std::string why = state.damage.why_spared();
      if (why.empty()) why = kGone;
      state.results.try_emplace(ordinal, not_exercised(corpus_.cases[ordinal], std::move(why)));
      continue;
    }
    // What has been answered late is given the whole timeout, whatever else was missed.
    if (state.answered_late.count(ordinal) != 0) patience_.forgive();
    // What comes late to one case comes to no other on a connection of its own.
    if (!state.answered_late.empty()) renew_connection(conversation);
    if (std::string why = state.culprits.why_spared(ordinal); !why.empty()) {
      state.culprits.note_spared(ordinal);
      state.results[ordinal] = not_exercised(corpus_.cases[ordinal], std::move(why));
      continue;
    }
    const auto before = conversation.take_late_answers();
    if (worker.previous && contains(state.last, *worker.previous)) attribute(state, before);
    CaseRun run = runner_.run_within_limits(ordinal, conversation,
                                            [&] { return run_case(state, ordinal, worker); });
    if (is_interrupted()) break;
    worker.previous = ordinal;
    settled.insert(ordinal);
    take_in_alone(state, ordinal, std::move(run), conversation);
    for (const std::size_t each : std::exchange(state.once_more, {})) {
      if (!state.repeated.insert(each).second) continue;
      turns.insert(turns.begin() + static_cast<std::ptrdiff_t>(i) + 1, each);
    }
  }
  state.culprits.finish(worker);
  if (!is_interrupted()) {
    if (!state.damaged_by) state.culprits.leave_unsettled(unsettled, worker);
    return state.culprits.settle_suspicions(conversation);
  }
  for (const std::size_t ordinal : state.again) {
    if (settled.count(ordinal) == 0) state.take_back(ordinal);
  }
}

}  // namespace jrpcheck::run
