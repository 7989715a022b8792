// Secrets kept out of reports, also where a server repeats them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "result/baseline.hpp"
#include "result/run.hpp"
#include "result/secrets.hpp"

namespace jrpcheck::result {

/// A run in which no secret stands. Whatever is written, printed or stored of a run takes one of
/// these: who forgets the secrets has nothing that compiles.
class RedactedRun {
 public:
  /// Replaces the secrets, the passwords of URLs, and the cookies that a server sets by dots in
  /// everything that the run holds. In the commands that reproduce a case stands the variable
  /// instead, so that they work for whoever sets it.
  RedactedRun(Run run, const std::vector<Secret>& secrets);

  /// Of runs that were read: what is stored was redacted when it was written.
  static std::vector<RedactedRun> stored(std::vector<Run> runs);

  // Whoever reads a run may read this one.
  operator const Run&() const { return run_; }  // NOLINT(google-explicit-constructor)
  const Run* operator->() const { return &run_; }
  Run release() && { return std::move(run_); }

  /// A baseline holds what is redacted as well, and so is compared with it.
  void hold_against(const Baseline& baseline, const std::string& file, bool strict);

 private:
  explicit RedactedRun(Run run) : run_(std::move(run)) {}

  Run run_;
};

/// One text of ours, such as a message, without them.
std::string redacted(std::string text, const std::vector<Secret>& secrets);

}  // namespace jrpcheck::result
