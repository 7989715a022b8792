// The cases of a run spread over conversations that run side by side.
#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "result/run.hpp"
#include "run/case_runner.hpp"
#include "run/endpoint.hpp"
#include "run/runner.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// Results by the ordinal of their case.
using Results = std::map<std::size_t, result::CaseResult>;

/// Runs the cases at `ordinals` on up to `jobs` conversations and adds their results. A case that
/// another may have disturbed (the server died meanwhile, or an answer came late) runs again at the
/// end, alone and with full patience: what counts is what it shows then.
class Schedule {
 public:
  Schedule(const corpus::Corpus& corpus, Endpoint& endpoint, const CaseRunner& runner,
           session::Patience& patience, Progress& progress)
      : corpus_(corpus),
        endpoint_(endpoint),
        runner_(runner),
        patience_(patience),
        progress_(progress) {}

  /// `first` is an open conversation, used by one of the workers.
  void run(const std::vector<std::size_t>& ordinals, std::size_t jobs, session::Conversation& first,
           std::size_t total, Results& results);

 private:
  struct State;
  static bool can_go_on(const State& state, session::Conversation& conversation);
  void work(State& state, session::Conversation& conversation) const;
  void work_beside(State& state) const;
  static void attribute_late_answers(State& state, session::Conversation& conversation);
  void run_again_alone(State& state, session::Conversation& conversation) const;

  const corpus::Corpus& corpus_;
  Endpoint& endpoint_;
  const CaseRunner& runner_;
  session::Patience& patience_;
  Progress& progress_;
};

}  // namespace jrpcheck::run
