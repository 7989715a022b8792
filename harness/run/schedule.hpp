// The cases of a run spread over conversations that run side by side.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "result/run.hpp"
#include "run/agenda.hpp"
#include "run/case_runner.hpp"
#include "run/culprits.hpp"
#include "run/endings.hpp"
#include "run/endpoint.hpp"
#include "run/jobs.hpp"
#include "run/progress.hpp"
#include "session/patience.hpp"

namespace jrpcheck::run {

/// Runs the cases at `ordinals` on several conversations and adds their results. A case that
/// another may have disturbed (the server died meanwhile, or an answer came late) runs again at the
/// end, alone and with full patience: what counts is what it shows then. So does a case with a
/// program of its own, where that failed beside others.
///
/// A server that has ended for one cause often, and has cost a lot of time with it, is not made to
/// do so by all the cases that could.
class Schedule {
 public:
  Schedule(const corpus::Corpus& corpus, Endpoint& endpoint, const CaseRunner& runner,
           session::Patience& patience, Progress& progress, Endings& endings)
      : corpus_(corpus),
        endpoint_(endpoint),
        runner_(runner),
        patience_(patience),
        progress_(progress),
        endings_(endings) {}

  /// `first` is an open conversation, used by one of the workers.
  void run(const Agenda& agenda, Jobs jobs, session::Conversation& first, Results& results);

  /// Not empty: why it could not go to the end, for a reason of ours such as a lack of memory.
  const std::string& failure() const { return failure_; }
  /// An answer came after its message had been taken for unanswered: the results say nothing.
  bool has_come_late() const { return has_come_late_; }
  /// Further connections were closed or refused while others of ours were open: the results say
  /// nothing.
  bool is_limited() const { return is_limited_; }
  /// Cases that went wrong beside others, and had no time left to run again alone: none is charged.
  std::size_t unconfirmed() const { return unconfirmed_; }

 private:
  struct State;
  void tell(const State& state, std::size_t ordinal) const;
  static void guard(State& state, const std::function<void()>& work);
  bool meets_limit(const State& state) const;
  static bool can_go_on(State& state, session::Conversation& conversation);
  void work(State& state, Worker worker) const;
  CaseRun run_case(State& state, std::size_t ordinal, Worker& worker) const;
  /// Takes back what the worker's last case showed, if it failed.
  void leave_unsettled(State& state, const Worker& worker) const;
  void work_beside(State& state) const;
  /// Those with a program of their own.
  void work_apart(State& state) const;
  void attribute(State& state, const std::vector<session::LateAnswer>& late_answers) const;
  /// Those whose ids are shared, to one of these cases.
  void attribute_shared(State& state, const std::vector<session::LateAnswer>& late_answers,
                        const std::set<std::size_t>& ordinals) const;
  void take_up_what_is_doubtful(State& state, const std::vector<std::size_t>& ordinals,
                                session::Conversation& first) const;
  void note_loss_beside_others(const State& state, std::size_t ordinal,
                               const result::CaseResult& alone) const;
  void take_in_alone(State& state, std::size_t ordinal, CaseRun run,
                     session::Conversation& conversation) const;
  void run_again_alone(State& state, session::Conversation& conversation) const;

  const corpus::Corpus& corpus_;
  Endpoint& endpoint_;
  const CaseRunner& runner_;
  session::Patience& patience_;
  Progress& progress_;
  Endings& endings_;
  std::string failure_;
  bool has_come_late_ = false;
  bool is_limited_ = false;
  std::size_t unconfirmed_ = 0;
};

}  // namespace jrpcheck::run
