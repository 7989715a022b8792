// What has to be seen alone, behind all that ran side by side.
#include <set>
#include <utility>

#include "base/contains.hpp"
#include "base/interruption.hpp"
#include "run/lapses.hpp"
#include "run/schedule_state.hpp"

namespace jrpcheck::run {

void renew_connection(session::Conversation& conversation) {
  conversation.step_aside();
  if (conversation.usable()) return;
  dialogue::Transcript aside;
  (void)conversation.open(aside);  // where this fails the server is gone, as the case finds
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

// What it missed beside others has not come late either, and it misses nothing alone.
void Schedule::note_loss_beside_others(const State& state, std::size_t ordinal,
                                       const result::CaseResult& alone) const {
  const auto before = state.results.find(ordinal);
  const bool is_told =
      before == state.results.end() || !state.several || state.answered_late.contains(ordinal);
  if (is_told || alone.verdict != result::Verdict::pass) return;
  auto shown_by = lost_in_full(before->second, patience_.timeout());
  if (!shown_by.empty()) {
    endings_.note_lost_answer(corpus_.cases[ordinal].id, std::move(shown_by));
  }
}

void Schedule::take_in_alone(State& state, std::size_t ordinal, CaseRun run,
                             session::Conversation& conversation) const {
  state.has_come_late = state.has_come_late || run.has_come_late;
  state.damage.note(ordinal, run, conversation);
  note_loss_beside_others(state, ordinal, run.result);
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
