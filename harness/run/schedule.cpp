#include "run/schedule.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include "base/bytes.hpp"
#include "base/interruption.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::string_view kChanged = "since this case every call is answered so";
constexpr std::string_view kGone =
    "the server died earlier in the run and could not be reached again";

bool had_reply(const result::CaseResult& result) {
  return std::any_of(result.transcript.begin(), result.transcript.end(), [](const auto& event) {
    return event.direction == dialogue::Direction::received && !event.is_control;
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
  // The case after which the server answered otherwise than at first, and was not mended.
  std::optional<std::size_t> damaged_by = {};

  bool may_suffer_from_others() const { return several && !alone; }
};

void Schedule::run(const std::vector<std::size_t>& ordinals, std::size_t jobs,
                   session::Conversation& first, std::size_t total, Results& results) {
  const std::size_t workers = std::max<std::size_t>(1, std::min(jobs, ordinals.size()));
  State state{ordinals, total, workers > 1 && endpoint_.is_shared(), results};
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < workers; ++i) {
      threads.emplace_back([this, &state] { work_beside(state); });
    }
    work(state, {first, last_exercised(results)});
  }
  if (is_interrupted()) {
    // What was to be shown alone has not been settled.
    for (const std::size_t ordinal : state.again) results.erase(ordinal);
    return;
  }
  for (; state.next < ordinals.size(); ++state.next) state.again.insert(ordinals[state.next]);
  if (state.damaged_by) {
    leave_damaged(state);
  } else {
    run_again_alone(state, first);
  }
}

// Another worker may have killed the server just when it had come back for this one.
bool Schedule::can_go_on(const State& state, session::Conversation& conversation) {
  if (state.damaged_by) return false;
  if (conversation.usable() || !state.several) return conversation.usable();
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

// A server that ends a moment after it has answered may do so only when the next case has been
// sent. The one that gets no answer at all is sent once more to the server that was started anew.
CaseRun Schedule::run_case(State& state, std::size_t ordinal, Worker& worker) const {
  CaseRun run = runner_.run(ordinal, worker.conversation);
  if (charge_unseen_death(state, worker) && !worker.conversation.usable()) {
    run.result = not_exercised(corpus_.cases[ordinal], std::string(kGone));  // it was never sent
    return run;
  }
  const bool unheard = run.exchanges.size() == 1 && run.exchanges.front().replies.empty();
  const bool in_doubt = run.survival == dialogue::Survival::dead && unheard && worker.previous &&
                        !state.may_suffer_from_others() && worker.conversation.usable();
  if (!in_doubt) return run;
  CaseRun second = runner_.run(ordinal, worker.conversation);
  if (second.survival == dialogue::Survival::dead) return second;
  // What kills a server now and then may leave it hanging at other times: it is no better for that.
  if (second.survival == dialogue::Survival::deaf) return run;
  const std::lock_guard lock(state.mutex);
  charge_death(state, *worker.previous, {"the program was gone when the next case was sent", {}});
  return second;
}

bool Schedule::charge_unseen_death(State& state, const Worker& worker) const {
  const auto death = worker.conversation.take_unseen_death();
  if (!death || !worker.previous) return death.has_value();
  const std::lock_guard lock(state.mutex);
  // Beside others nobody can tell whose case it was: each shows it alone.
  if (state.may_suffer_from_others()) {
    state.again.insert(*worker.previous);
  } else {
    charge_death(state, *worker.previous, *death);
  }
  return true;
}

void Schedule::charge_death(State& state, std::size_t ordinal, const session::UnseenDeath& death) {
  note_fact(fact_event(dialogue::Fact::died_later, death.standard_error, death.detail),
            state.results[ordinal]);
}

// Whether the server has outlived the last case only a last call can tell.
void Schedule::finish(State& state, Worker& worker) const {
  if (is_interrupted() || !worker.previous || !worker.conversation.usable()) return;
  dialogue::Transcript aside;
  const auto check = worker.conversation.check_survival(aside);
  if (is_interrupted() || check.survival != dialogue::Survival::dead) return;
  const std::lock_guard lock(state.mutex);
  if (state.may_suffer_from_others()) {
    state.again.insert(*worker.previous);
  } else {
    charge_death(state, *worker.previous, {check.detail, check.standard_error});
  }
}

void Schedule::work(State& state, Worker worker) const {
  // One that cannot go on leaves what is left to the others, and to the end of the run.
  while (!is_interrupted() && can_go_on(state, worker.conversation)) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      if (state.next >= state.ordinals.size()) break;
      ordinal = state.ordinals[state.next++];
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
    const bool alive =
        run.survival == dialogue::Survival::alive || run.survival == dialogue::Survival::unasked;
    if (run.answered_late) state.answered_late.insert(ordinal);
    const bool shared_damage = state.may_suffer_from_others() && !run.damage.empty();
    if (run.answered_late || shared_damage || (state.several && (run.disturbed || !alive))) {
      state.again.insert(ordinal);
    }
    state.results[ordinal] = std::move(run.result);
    attribute_late_answers(state, worker.conversation);
    progress_.advance(state.results.size(), state.total, corpus_.cases[ordinal].id);
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
void Schedule::attribute_late_answers(State& state, session::Conversation& conversation) {
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
    CaseRun run = run_case(state, ordinal, worker);
    if (is_interrupted()) break;
    worker.previous = ordinal;
    settled.insert(ordinal);
    note_damage(state, ordinal, run, conversation);
    state.results[ordinal] = std::move(run.result);
    progress_.advance(state.results.size(), state.total, corpus_.cases[ordinal].id);
  }
  finish(state, worker);
  if (!is_interrupted()) return;
  for (const std::size_t ordinal : state.again) {
    if (settled.count(ordinal) == 0) state.results.erase(ordinal);
  }
}

}  // namespace jrpcheck::run
