// Whose answer it is that came after its case had ended.
#include <algorithm>

#include "base/contains.hpp"
#include "run/schedule_state.hpp"
#include "run/turns.hpp"

namespace jrpcheck::run {
namespace {

constexpr const char* kCameLate = "came after the case had ended";

// Whether an answer may come long after the case.
bool is_slow(const corpus::Case& one) {
  return std::any_of(one.steps.begin(), one.steps.end(),
                     [](const corpus::Step& step) { return step.slow; });
}

}  // namespace

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

}  // namespace jrpcheck::run
