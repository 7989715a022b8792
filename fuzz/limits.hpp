// Limits of a campaign, and the counts that are held against them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/case.hpp"
#include "fuzz/memory_growth.hpp"
#include "result/secrets.hpp"

namespace jrpcheck::fuzz {

struct Limits {
  unsigned long long runs = 0;  ///< messages; 0: none
  bool keep_going = false;      ///< do not stop at the first finding
  bool warnings_are_findings = false;
  std::size_t memory = 0;  ///< bytes by which a server that was started here may grow; 0: any
  /// Says that the user wants it to end.
  std::function<bool()> interrupted = [] { return false; };
  /// That no finding may show, as far as they are known by then.
  std::function<std::vector<result::Secret>()> secrets = [] {
    return std::vector<result::Secret>();
  };

  /// Whether a finding of this severity is taken for a fault.
  bool is_fault(corpus::Verdict severity) const {
    return severity == corpus::Verdict::fail || warnings_are_findings;
  }
};

struct Tally {
  unsigned long long exchanges = 0;
  unsigned long long answered_calls = 0;  ///< valid calls that were answered as they must be
  unsigned long long restarts = 0;        ///< of the server, after its death or silence
  /// Suspicions that sending the message again did not confirm: answers in another order, mostly.
  unsigned long long unconfirmed = 0;
  unsigned long long unsettled = 0;  ///< suspicions that were looked into when all was ended
  std::size_t shapes = 0;            ///< of replies
  std::size_t edges = 0;  ///< of the program that have been seen; 0 where it does not tell
  std::optional<MemoryHeld> memory = {};  ///< where it is known
  microseconds took{0};
};

/// The messages of a campaign as they are used up, and how long it takes.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits), begin_(Clock::now()) {}

  bool is_spent(unsigned long long exchanges) const {
    return (limits_.runs > 0 && exchanges >= limits_.runs) || limits_.interrupted();
  }
  /// At most `most`, and no more messages than are left; never 0.
  std::size_t next(unsigned long long exchanges, std::size_t most) const {
    if (limits_.runs == 0) return most;
    const auto left = limits_.runs - std::min(limits_.runs, exchanges);
    return static_cast<std::size_t>(std::clamp<unsigned long long>(left, 1, most));
  }
  microseconds took() const { return time_since(begin_); }

 private:
  const Limits& limits_;
  Clock::time_point begin_;
};

}  // namespace jrpcheck::fuzz
