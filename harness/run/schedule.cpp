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
  run_again_alone(state, first);
}

void Schedule::work_beside(State& state) const {
  const auto conversation = endpoint_.converse();
  session::Transcript aside;
  // Where a further conversation cannot be had, the others do its work.
  if (conversation->open(aside)) work(state, *conversation);
}

void Schedule::work(State& state, session::Conversation& conversation) const {
  for (;;) {
    std::size_t ordinal = 0;
    {
      const std::lock_guard lock(state.mutex);
      if (state.next >= state.ordinals.size()) return;
      ordinal = state.ordinals[state.next++];
    }
    CaseRun run;
    if (conversation.usable()) {
      run = runner_.run(ordinal, conversation);
    } else {
      run.result = not_exercised(corpus_.cases[ordinal], std::string(kGone));
    }
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
  for (const std::size_t ordinal : state.again) {
    if (!conversation.usable()) {
      session::Transcript aside;
      if (!conversation.open(aside)) return;
    }
    patience_.forgive();
    state.results[ordinal] = runner_.run(ordinal, conversation).result;
  }
}

}  // namespace jrpcheck::run
