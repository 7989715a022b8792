// The cases of a run spread over conversations that run side by side.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
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
/// end, alone and with full patience: what counts is what it shows then. A server that ends between
/// two cases has died of the one it answered last.
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
  /// One conversation's place in the run.
  struct Worker {
    session::Conversation& conversation;
    std::optional<std::size_t> previous = {};  ///< the case that ran before on it
  };
  void work(State& state, Worker worker) const;
  CaseRun run_case(State& state, std::size_t ordinal, Worker& worker) const;
  /// Whether the server had ended before the case that has just run.
  bool charge_unseen_death(State& state, const Worker& worker) const;
  void finish(State& state, Worker& worker) const;
  /// Takes back what the worker's last case showed, if it failed.
  void leave_unsettled(State& state, const Worker& worker) const;
  void work_beside(State& state) const;
  static void attribute_late_answers(State& state, session::Conversation& conversation);
  void note_damage(State& state, std::size_t ordinal, CaseRun& run,
                   session::Conversation& conversation) const;
  std::string damaged_since(std::size_t ordinal) const;
  void leave_damaged(State& state) const;
  void run_again_alone(State& state, session::Conversation& conversation) const;
  static void charge_death(State& state, std::size_t ordinal, const session::UnseenDeath& death);

  const corpus::Corpus& corpus_;
  Endpoint& endpoint_;
  const CaseRunner& runner_;
  session::Patience& patience_;
  Progress& progress_;
};

}  // namespace jrpcheck::run
