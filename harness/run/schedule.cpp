#include "run/schedule.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <thread>

#include "base/bytes.hpp"
#include "json/parse.hpp"

namespace jrpcheck::run {
namespace {

constexpr std::string_view kGone =
    "the server died earlier in the run and could not be reached again";

bool had_reply(const result::CaseResult& result) {
  return std::any_of(result.transcript.begin(), result.transcript.end(), [](const auto& event) {
    return event.direction == session::Direction::received && event.note.empty();
  });
}

}  // namespace

// What the workers share; `mutex` guards all of it but the constants.
struct Schedule::State {
  const std::vector<std::size_t>& ordinals;
  std::size_t total;
  bool several;  // more than one worker on one server
  Results& results;
  std::mutex mutex = {};
  std::size_t next = 0;
  std::set<std::size_t> again = {};
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
    work(state, first);
  }
  for (; state.next < ordinals.size(); ++state.next) state.again.insert(ordinals[state.next]);
  run_again_alone(state, first);
}

// Another worker may have killed the server just when it had come back for this one.
bool Schedule::can_go_on(const State& state, session::Conversation& conversation) {
  if (conversation.usable() || !state.several) return conversation.usable();
  session::Transcript aside;
  return conversation.open(aside) &&
         conversation.check_survival(aside).survival == session::Survival::alive;
}

void Schedule::work_beside(State& state) const {
  const auto conversation = endpoint_.converse();
  session::Transcript aside;
  // Where a further conversation cannot be had, the others do its work.
  if (conversation->open(aside)) work(state, *conversation);
}

void Schedule::work(State& state, session::Conversation& conversation) const {
  // One that cannot go on leaves what is left to the others, and to the end of the run.
  while (can_go_on(state, conversation)) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      if (state.next >= state.ordinals.size()) return;
      ordinal = state.ordinals[state.next++];
    }
    CaseRun run = runner_.run(ordinal, conversation);
    const std::lock_guard lock(state.mutex);
    const bool alive =
        run.survival == session::Survival::alive || run.survival == session::Survival::unasked;
    if (state.several && (run.disturbed || !alive)) state.again.insert(ordinal);
    state.results[ordinal] = std::move(run.result);
    attribute_late_answers(state, conversation);
    progress_.advance(state.results.size(), state.total, corpus_.cases[ordinal].id);
  }
}

// An answer that comes after its case has ended: a second one, which is a fault of that case; or
// one that was waited for in vain, and then the case gets another chance.
void Schedule::attribute_late_answers(State& state, session::Conversation& conversation) {
  for (const auto& late : conversation.take_late_answers()) {
    const auto parsed = json::parse(late.text);
    const json::Value* id = parsed ? parsed.value->find("id") : nullptr;
    const auto ordinal = id != nullptr ? ordinal_of_id(*id) : std::nullopt;
    const auto found = ordinal ? state.results.find(*ordinal) : state.results.end();
    if (found == state.results.end()) continue;
    auto& result = found->second;
    if (!had_reply(result)) {
      state.again.insert(*ordinal);
      continue;
    }
    result.verdict = result::Verdict::fail;
    result.findings.push_back({"res-once", corpus::Verdict::fail,
                               "A second Response to the call came after the first.",
                               "one Response", to_visible(late.text), 0});
  }
}

void Schedule::run_again_alone(State& state, session::Conversation& conversation) const {
  bool gone = false;
  for (const std::size_t ordinal : state.again) {
    gone = gone || !can_go_on(state, conversation);
    if (gone) {
      // What a case showed before stays, above all that it killed the server.
      state.results.try_emplace(ordinal, not_exercised(corpus_.cases[ordinal], std::string(kGone)));
      continue;
    }
    patience_.forgive();
    state.results[ordinal] = runner_.run(ordinal, conversation).result;
    progress_.advance(state.results.size(), state.total, corpus_.cases[ordinal].id);
  }
}

}  // namespace jrpcheck::run
