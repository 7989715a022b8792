// SharedWay: the quick way through scenarios, several in one process. It only ever lets pass: what
// does not, and what cannot be told for sure, is left to a process of its own.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "client/manner.hpp"
#include "client/shared_trial.hpp"

namespace jrpcheck::client {

/// What one process makes of several scenarios, in no more than that time.
using TryTogether =
    std::function<Result<SharedTrial>(const Scenarios& scenarios, microseconds most)>;

/// Scenarios that have passed, each in a process in which every one of them did, no call was odd
/// beside theirs, and which ended as one does that has had good answers alone. What did not pass is
/// left out, and the others begin again in a new process.
class SharedWay {
 public:
  /// `control`: the scenario in which nothing is odd; `leave` is told of each that does not pass
  /// so, as soon as that is known; a process that takes one scenario takes as long as `of_one`.
  SharedWay(const corpus::Scenario& control, microseconds of_one, TryTogether try_together,
            LeaveAlone leave)
      : control_(control),
        of_one_(of_one),
        try_together_(std::move(try_together)),
        leave_(std::move(leave)) {}

  Settled settle(const Scenarios& scenarios);

 private:
  bool has_good_control(std::size_t scenarios, Settled& settled);
  void leave_all(const Scenarios& scenarios) const;
  // Lets all pass, or adds to `left` what may be tried again.
  void try_once(const Scenarios& scenarios, std::vector<Scenarios>& left, Settled& settled);
  // Of scenarios that did not all pass, those that are tried together again.
  Scenarios worth_trying(const Scenarios& scenarios, const SharedTrial& trial);
  bool may_be_waited_for(const corpus::Scenario& scenario) const;

  const corpus::Scenario& control_;
  microseconds of_one_;
  TryTogether try_together_;
  LeaveAlone leave_;
  bool ends_ = false;               // by itself, where answers are good alone
  std::vector<std::string> waits_;  // requirements under which the client was seen to wait
  bool hangs_ = false;              // of those, in one of which it had to be ended
};

}  // namespace jrpcheck::client
