// FindingLog: the findings of a campaign, each once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/finding.hpp"
#include "fuzz/limits.hpp"
#include "judge/judgement.hpp"
#include "run/endpoint.hpp"

namespace jrpcheck::fuzz {

/// Told of what goes on.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void progress(const Tally& tally, std::size_t findings) = 0;
  virtual void found(const Finding& finding) = 0;
};

/// What plays the messages of a finding again, for a line that repeats it.
corpus::Case case_playing(const Finding& finding);

/// Behind what ends the server a call a moment later, for a line that repeats it: it meets the end,
/// or brings it about.
void add_call_behind_death(judge::Symptom symptom, corpus::Case& played);

class FindingLog {
 public:
  /// All of them must outlive it.
  FindingLog(const Limits& limits, const run::Endpoint& endpoint, Observer& observer,
             unsigned long long seed)
      : limits_(limits), endpoint_(endpoint), observer_(observer), seed_(seed) {}

  /// A finding about this message, sent after those and written with the company: all that does not
  /// depend on the fault.
  Finding about(std::string sent, std::vector<std::string> before, std::optional<Company> company,
                const Traits& traits) const;
  /// Hides the secrets, and keeps the finding unless there is one with its requirement and shape.
  void add(Finding finding);

  /// Whether the limits take this for a fault.
  bool counts(const judge::Finding& finding) const;
  bool has_failed() const;
  /// The campaign is to end because of what has been found.
  bool ends_campaign() const { return !limits_.keep_going && has_failed(); }
  const std::vector<Finding>& all() const { return findings_; }

 private:
  const Limits& limits_;
  const run::Endpoint& endpoint_;
  Observer& observer_;
  unsigned long long seed_;
  std::vector<Finding> findings_;
};

}  // namespace jrpcheck::fuzz
