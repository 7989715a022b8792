#include "run/schedule.hpp"

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <set>
#include <system_error>
#include <thread>

#include "base/bytes.hpp"
#include "base/interruption.hpp"
#include "run/turns.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::string_view kChanged = "since this case every call is answered so";
constexpr std::string_view kGone =
    "the server died earlier in the run and could not be reached again";
constexpr std::string_view kAnyway = "the server goes away whatever it is sent, and did so here";

// A server that ends now and then is asked so often whether this case does it.
constexpr int kRepetitions = 2;

// What ends may cost together before cases are spared that would only bring about more of them.
constexpr microseconds kMostLostTime = milliseconds(10'000);
constexpr std::size_t kMostUnexplained = 5;
constexpr std::size_t kManyEnds = 20;
constexpr std::size_t kMostEndsTogether = 3;

// Whether a case is charged with the end of the server, or of its service.
bool charges_end(const result::CaseResult& result) {
  return std::any_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
    return finding.symptom == judge::Symptom::died ||
           finding.symptom == judge::Symptom::serves_no_connection ||
           finding.symptom == judge::Symptom::serves_not_this_connection;
  });
}

// Whether an answer carries an id that only another case has sent.
bool has_anothers_answer(const std::vector<dialogue::Exchange>& exchanges, std::size_t ordinal,
                         std::size_t cases) {
  for (const auto& exchange : exchanges) {
    for (const auto& reply : exchange.replies) {
      const json::Value* id = reply.find("id");
      const auto other = id != nullptr ? ordinal_of_any_id(*id) : std::nullopt;
      if (other && *other != ordinal && *other < cases) return true;
    }
  }
  return false;
}

// Cases whose ids begin alike are about the same: "batch".
std::string kin_of(const std::string& id) { return id.substr(0, id.find('/')); }

bool is_reply(const dialogue::Event& event) {
  return event.direction == dialogue::Direction::received && !event.is_control;
}

bool had_reply(const result::CaseResult& result) {
  return std::any_of(result.transcript.begin(), result.transcript.end(), is_reply);
}

// Whether all that came in its steps may as well have answered something earlier.
bool had_replies_of_unknown_calls(const result::CaseResult& result) {
  return std::all_of(result.transcript.begin(), result.transcript.end(), [](const auto& event) {
    return !event.step || !is_reply(event) ||
           dialogue::is_of_unknown_call(dialogue::message_of(event));
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

// What the workers share; `mutex` guards all of it but the constants.
struct Schedule::State {
  const std::vector<std::size_t>& ordinals;
  std::size_t total;
  const bool several;  // more than one worker on one server
  Results& results;
  std::mutex mutex = {};
  std::size_t next = 0;
  std::set<std::size_t> again = {};
  std::set<std::size_t> answered_late = {};  // of those
  bool alone = false;                        // the others have finished
  std::string failure = {};                  // of ours, which ends the run
  // The case after which the server answered otherwise than at first, and was not mended.
  std::optional<std::size_t> damaged_by = {};

  // Of ends that were met while cases ran side by side: by the generation of the server that ended,
  // what ran then, and how the end was met.
  std::map<unsigned long long, std::set<std::size_t>> suspects = {};
  std::map<unsigned long long, dialogue::SurvivalCheck> ends_of = {};
  // The same where the server had not to be started anew: nothing but the case may be the cause.
  std::map<std::size_t, dialogue::SurvivalCheck> alone_in = {};
  // A case has had the answer to another one that ran beside it.
  bool answers_are_swapped = false;
  bool has_come_late = false;         // as in CaseRun; then there is no use in going on
  std::set<std::size_t> caused = {};  // what has ended the server alone
  struct Ends {
    int number = 0;
    std::size_t shown_by = 0;
  };
  std::map<std::string, Ends> ends = {};  // those that have a cause, by kin of cases
  microseconds lost_time{0};              // with all ends that were met alone

  bool may_suffer_from_others() const { return several && !alone; }
};

void Schedule::run(const std::vector<std::size_t>& ordinals, std::size_t jobs,
                   session::Conversation& first, std::size_t total, Results& results) {
  const std::size_t workers = std::max<std::size_t>(1, std::min(jobs, ordinals.size()));
  State state{ordinals, total, workers > 1 && endpoint_.is_shared(), results};
  const auto beside = [this, &state] { guard(state, [&] { work_beside(state); }); };
  {
    std::vector<std::jthread> threads;
    guard(state, [&] {
      try {
        while (threads.size() + 1 < workers) threads.emplace_back(beside);
      } catch (const std::system_error&) {
        // There are no more threads to be had: the others do the work.
      }
    });
    guard(state, [&] { work(state, {first, last_exercised(results)}); });
  }
  has_come_late_ = state.has_come_late;
  if (has_come_late_) return;
  if (is_interrupted() || !state.failure.empty()) {
    failure_ = state.failure;
    // What was to be shown alone has not been settled.
    for (const std::size_t ordinal : state.again) results.erase(ordinal);
    return;
  }
  for (; state.next < ordinals.size(); ++state.next) state.again.insert(ordinals[state.next]);
  if (state.answers_are_swapped) {
    for (const std::size_t ordinal : ordinals) {
      const auto found = results.find(ordinal);
      const bool is_doubtful = found != results.end() && !found->second.findings.empty();
      if (is_doubtful) state.again.insert(ordinal);
    }
  }
  if (state.damaged_by) {
    leave_damaged(state);
  } else {
    guard(state, [&] { run_again_alone(state, first); });
    failure_ = state.failure;
    has_come_late_ = state.has_come_late;
  }
}

void Schedule::tell(const State& state, std::size_t ordinal) const {
  const auto& id = corpus_.cases[ordinal].id;
  progress_.judged(id, state.results.at(ordinal).verdict);
  progress_.advance(state.results.size(), state.total, id);
}

// An exception that leaves a thread would be the end of the program, and of its report.
void Schedule::guard(State& state, const std::function<void()>& work) {
  std::string failure;
  try {
    return work();
  } catch (const std::bad_alloc&) {
    failure = "jrpcheck has run out of memory";
  } catch (const std::exception& error) {
    failure = std::string("jrpcheck cannot go on: ") + error.what();
  }
  const std::lock_guard lock(state.mutex);
  state.failure = std::move(failure);
}

// The server may have ended unseen, or another worker may have killed it just when it had come back
// for this one.
bool Schedule::can_go_on(const State& state, session::Conversation& conversation) {
  if (state.damaged_by) return false;
  if (conversation.usable()) return true;
  dialogue::Transcript aside;
  return conversation.open(aside) &&
         conversation.check_survival(aside).survival == dialogue::Survival::alive;
}

void Schedule::work_beside(State& state) const {
  const auto conversation = endpoint_.converse();
  dialogue::Transcript aside;
  // Where a further conversation cannot be had, the others do its work: not every program can run
  // several times at once.
  if (conversation->open(aside) &&
      conversation->check_survival(aside).survival == dialogue::Survival::alive) {
    work(state, {*conversation});
  }
}

CaseRun Schedule::run_case(State& state, std::size_t ordinal, Worker& worker) const {
  const auto begin = Clock::now();
  CaseRun run = runner_.run(ordinal, worker.conversation);
  const auto unseen = worker.conversation.take_unseen_death();
  if (is_interrupted() || (!unseen && !charges_end(run.result))) return run;
  const bool usable = worker.conversation.usable();
  if (unseen && !usable) {
    run.result = not_exercised(corpus_.cases[ordinal], std::string(kGone));  // it was never sent
  }
  if (state.may_suffer_from_others()) {
    // Beside others nobody can tell whose case it was: each shows it alone.
    const std::lock_guard lock(state.mutex);
    if (unseen && worker.previous) {
      state.again.insert(*worker.previous);
      state.suspects[run.generation].insert(*worker.previous);
    }
    return run;
  }
  if (unseen) {
    settle_unseen_end(state, ordinal, worker,
                      {dialogue::Survival::dead, unseen->detail, unseen->standard_error});
  }
  if (charges_end(run.result)) run = settle_end(state, ordinal, worker, std::move(run));
  const std::lock_guard lock(state.mutex);
  state.lost_time += std::chrono::duration_cast<microseconds>(Clock::now() - begin);
  return run;
}

CaseRun Schedule::settle_end(State& state, std::size_t ordinal, Worker& worker, CaseRun run) const {
  CaseRun again;
  bool is_caused = !worker.conversation.usable();  // there is nothing more to be learnt
  for (int i = 0; i < kRepetitions && !is_caused; ++i) {
    again = runner_.run(ordinal, worker.conversation);
    worker.conversation.take_unseen_death();
    is_caused = charges_end(again.result) || !worker.conversation.usable();
  }
  if (is_interrupted()) return run;
  if (is_caused && endings_.unexplained() > 0 && goes_away_anyway(worker.conversation)) {
    endings_.note_unexplained(run.survival, "in " + corpus_.cases[ordinal].id);
    run.result = not_exercised(corpus_.cases[ordinal], std::string(kAnyway));
    return run;
  }
  if (is_caused) {
    endings_.note_caused();
    const std::lock_guard lock(state.mutex);
    state.caused.insert(ordinal);
    auto& kin = state.ends[kin_of(corpus_.cases[ordinal].id)];
    if (++kin.number == 1) kin.shown_by = ordinal;
    return run;
  }
  // A server that ends a moment after it has answered may do so only when the next case has been
  // sent, and this one has had no answer then.
  const bool unheard = run.exchanges.size() == 1 && run.exchanges.front().replies.empty();
  if (run.survival.survival == dialogue::Survival::dead && unheard) {
    settle_unseen_end(state, ordinal, worker, run.survival);
  } else {
    endings_.note_unexplained(run.survival, "in " + corpus_.cases[ordinal].id);
  }
  return again;
}

void Schedule::settle_unseen_end(State& state, std::size_t ordinal, Worker& worker,
                                 const dialogue::SurvivalCheck& how) const {
  const auto previous = worker.previous;
  if (previous &&
      (!worker.conversation.usable() || ends_between(*previous, ordinal, worker.conversation))) {
    endings_.note_caused();
    const std::lock_guard lock(state.mutex);
    charge_death(state, *previous, how);
  } else if (!is_interrupted()) {
    endings_.note_unexplained(how, "before " + corpus_.cases[ordinal].id);
  }
}

bool Schedule::ends_between(std::size_t previous, std::size_t ordinal,
                            session::Conversation& conversation) const {
  runner_.run(previous, conversation);
  conversation.take_unseen_death();
  if (!conversation.usable()) return true;
  const CaseRun next = runner_.run(ordinal, conversation);
  return conversation.take_unseen_death() || charges_end(next.result);
}

// What ran while the server ended, in one of its generations or in several.
void Schedule::suspect(State& state, std::size_t ordinal, const CaseRun& run,
                       session::Conversation& conversation) const {
  state.again.insert(ordinal);
  const auto present = conversation.server_generation();
  if (!run.disturbed && is_lost(run.survival.survival)) state.alone_in[ordinal] = run.survival;
  for (auto each = run.generation; each < present; ++each) {
    state.suspects[each].insert(ordinal);
    if (is_lost(run.survival.survival)) state.ends_of[each] = run.survival;
  }
}

// An end that happened while cases ran side by side, and that none of them brings about alone.
void Schedule::settle_suspicions(State& state) const {
  const auto is_caused = [&](std::size_t ordinal) { return state.caused.count(ordinal) != 0; };
  for (const auto& [generation, ordinals] : state.suspects) {
    const auto how = state.ends_of.find(generation);
    if (how == state.ends_of.end() || std::any_of(ordinals.begin(), ordinals.end(), is_caused)) {
      continue;
    }
    endings_.note_unexplained(how->second, "around " + corpus_.cases[*ordinals.begin()].id);
  }
  for (const auto& [ordinal, how] : state.alone_in) {
    if (!is_caused(ordinal)) {
      endings_.note_unexplained(how, "in " + corpus_.cases[ordinal].id);
    }
  }
}

// Ends that take long are shown by a few cases of each kind; empty where the case is to run.
std::string Schedule::why_spared(State& state, std::size_t ordinal) const {
  if (state.lost_time < kMostLostTime) return {};
  const std::string times = std::to_string(endings_.count()) + " times";
  const bool is_hopeless = endings_.unexplained() >= kMostUnexplained ||
                           (state.lost_time > 2 * kMostLostTime && endings_.count() > kManyEnds);
  if (is_hopeless) return "the server has already gone away " + times + " during this run";
  const auto kin = state.ends.find(kin_of(corpus_.cases[ordinal].id));
  if (kin == state.ends.end() || kin->second.number < 2) return {};
  return "the server has already gone away " + times +
         ", in cases much like this one: " + corpus_.cases[kin->second.shown_by].id +
         " is one of them";
}

void Schedule::charge_death(State& state, std::size_t ordinal,
                            const dialogue::SurvivalCheck& death) const {
  note_fact(fact_event(dialogue::Fact::died_later, death.standard_error, death.detail),
            state.results[ordinal]);
  state.caused.insert(ordinal);
}

// Whether the server has outlived the last case only a last call can tell.
void Schedule::finish(State& state, Worker& worker) const {
  if (is_interrupted() || !worker.previous || !worker.conversation.usable()) return;
  dialogue::Transcript aside;
  const auto check = worker.conversation.check_survival(aside);
  if (is_interrupted() || check.survival != dialogue::Survival::dead) return;
  if (state.may_suffer_from_others()) {
    const std::lock_guard lock(state.mutex);
    state.again.insert(*worker.previous);
    return;
  }
  bool is_caused = !worker.conversation.usable();
  if (!is_caused) {
    runner_.run(*worker.previous, worker.conversation);
    is_caused = is_lost(worker.conversation.check_survival(aside).survival) &&
                !goes_away_anyway(worker.conversation);
  }
  if (!is_caused) {
    return endings_.note_unexplained(check, "after " + corpus_.cases[*worker.previous].id);
  }
  endings_.note_caused();
  const std::lock_guard lock(state.mutex);
  charge_death(state, *worker.previous, check);
}

void Schedule::work(State& state, Worker worker) const {
  // One that cannot go on leaves what is left to the others, and to the end of the run.
  while (!is_interrupted() && can_go_on(state, worker.conversation)) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      // What ends a server often is better met by one case at a time.
      if (!state.failure.empty() || state.has_come_late) break;
      if (state.next >= state.ordinals.size() || state.ends_of.size() >= kMostEndsTogether ||
          (state.answers_are_swapped && state.may_suffer_from_others())) {
        break;
      }
      ordinal = state.ordinals[state.next++];
      if (std::string why = why_spared(state, ordinal); !why.empty()) {
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
    worker.previous = ordinal;
    const std::lock_guard lock(state.mutex);
    note_damage(state, ordinal, run, worker.conversation);
    if (state.may_suffer_from_others() &&
        has_anothers_answer(run.exchanges, ordinal, corpus_.cases.size())) {
      state.answers_are_swapped = true;
      state.again.insert(ordinal);
    }
    if (run.answered_late) state.answered_late.insert(ordinal);
    state.has_come_late = state.has_come_late || run.has_come_late;
    const bool shared_damage = state.may_suffer_from_others() && !run.damage.empty();
    if (run.answered_late || shared_damage) state.again.insert(ordinal);
    if (state.several && (run.disturbed || is_lost(run.survival.survival))) {
      suspect(state, ordinal, run, worker.conversation);
    }
    state.results[ordinal] = std::move(run.result);
    attribute_late_answers(state, worker.conversation);
    tell(state, ordinal);
  }
  finish(state, worker);
}

// The server answers every call in a new way since this case. One that was started here is started
// anew, so that the cases that follow are not spoilt; of another one they would tell nothing.
void Schedule::note_damage(State& state, std::size_t ordinal, CaseRun& run,
                           session::Conversation& conversation) const {
  if (run.damage.empty() || state.damaged_by) return;
  if (!state.may_suffer_from_others() || !endpoint_.is_shared()) {
    auto event = fact_event(dialogue::Fact::answers_changed, run.damage, std::string(kChanged));
    event.step = corpus_.cases[ordinal].steps.size() - 1;
    note_fact(std::move(event), run.result);
  }
  dialogue::Transcript aside;
  const bool is_mended =
      conversation.start_anew(aside) && runner_.find_damage(conversation, aside).empty();
  if (!is_mended) state.damaged_by = ordinal;
}

std::string Schedule::damaged_since(std::size_t ordinal) const {
  return "the server has answered every call in one way since " + corpus_.cases[ordinal].id;
}

// Cases ran side by side when it happened: the one that met it first is charged, the others tell
// nothing any more.
void Schedule::leave_damaged(State& state) const {
  const std::size_t culprit = *state.damaged_by;
  for (const std::size_t ordinal : state.again) {
    if (ordinal == culprit) continue;
    state.results[ordinal] = not_exercised(corpus_.cases[ordinal], damaged_since(culprit));
  }
  auto& result = state.results[culprit];
  const bool charged = std::any_of(
      result.findings.begin(), result.findings.end(),
      [](const judge::Finding& finding) { return finding.requirement == "rob-survives"; });
  if (charged) return;
  note_fact(fact_event(dialogue::Fact::answers_changed, {}, std::string(kChanged)), result);
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
void Schedule::attribute_late_answers(State& state, session::Conversation& conversation) const {
  for (const auto& late : conversation.take_late_answers()) {
    const json::Value* id = late.find("id");
    const auto ordinal = id != nullptr ? ordinal_of_id(*id) : std::nullopt;
    const auto found = ordinal ? state.results.find(*ordinal) : state.results.end();
    if (found == state.results.end()) continue;
    auto& result = found->second;
    if (!had_reply(result)) {
      state.again.insert(*ordinal);
      state.answered_late.insert(*ordinal);
      continue;
    }
    if (runner_.watches_turns() && had_replies_of_unknown_calls(result)) {
      state.has_come_late = true;
    }
    note_fact(
        fact_event(dialogue::Fact::answered_again, late.text(), "came after the case had ended"),
        result);
  }
}

void Schedule::run_again_alone(State& state, session::Conversation& conversation) const {
  if (state.again.empty()) return;
  bool gone = false;
  patience_.forgive();
  state.alone = true;
  Worker worker{conversation};
  std::set<std::size_t> settled;
  for (const std::size_t ordinal : state.again) {
    if (is_interrupted()) break;
    gone = gone || !can_go_on(state, conversation);
    if (gone) {
      // What a case showed before stays, above all that it killed the server.
      state.results.try_emplace(
          ordinal,
          not_exercised(corpus_.cases[ordinal],
                        state.damaged_by ? damaged_since(*state.damaged_by) : std::string(kGone)));
      continue;
    }
    // What has been answered late is given the whole timeout, whatever else was missed.
    if (state.answered_late.count(ordinal) != 0) patience_.forgive();
    if (std::string why = why_spared(state, ordinal); !why.empty()) {
      state.results[ordinal] = not_exercised(corpus_.cases[ordinal], std::move(why));
      continue;
    }
    CaseRun run = run_case(state, ordinal, worker);
    if (is_interrupted()) break;
    worker.previous = ordinal;
    settled.insert(ordinal);
    state.has_come_late = state.has_come_late || run.has_come_late;
    note_damage(state, ordinal, run, conversation);
    state.results[ordinal] = std::move(run.result);
    tell(state, ordinal);
  }
  finish(state, worker);
  if (!is_interrupted()) return settle_suspicions(state);
  for (const std::size_t ordinal : state.again) {
    if (settled.count(ordinal) == 0) state.results.erase(ordinal);
  }
}

}  // namespace jrpcheck::run
