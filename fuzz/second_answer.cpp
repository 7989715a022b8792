#include "fuzz/second_answer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"

namespace jrpcheck::fuzz {

void wait_for_another(corpus::Step& step) {
  step.accept.clear();
  for (std::size_t count = 1; count <= 2; ++count) {
    corpus::Outcome outcome;
    outcome.shape = corpus::Outcome::Shape::responses;
    outcome.responses.resize(count);
    step.accept.push_back(std::move(outcome));
  }
}

void await_second_answer(Executor& executor, Observed& observed) {
  auto behind = executor.execute(call_after_a_moment());
  // What is lost with a connection is sent again.
  if (!behind || behind->exchange.on_new_connection) return;
  std::ranges::move(behind->late, std::back_inserter(observed.late));
}

void judge_second_answer(const Expectation& expectation, const Observed& observed,
                         judge::Judgement& judgement) {
  const auto& replies = observed.exchange.replies;
  if (!expectation.is_call || replies.size() != 1) return;
  const auto keys = dialogue::id_keys_of(expectation.expected.steps.front().messages.front());
  const auto is_answer = [&](const dialogue::Message& message) {
    return dialogue::holds_response(message) && dialogue::id_keys_of(message) == keys;
  };
  const auto second = std::ranges::find_if(observed.late, is_answer);
  if (keys.empty() || !is_answer(replies.front()) || second == observed.late.end()) return;
  judgement.findings.push_back(
      {"res-once",
       corpus::Verdict::fail,
       judge::Symptom::second_response,
       {},
       "one Response",
       to_visible(replies.front().text()) + " and later " + to_visible(second->text())});
  // As with silence, whatever its method is.
  judgement.findings.back().about = "call";
}

}  // namespace jrpcheck::fuzz
