// Who is told how far a run is.
#pragma once

#include <cstddef>
#include <string>

#include "base/deadline.hpp"
#include "result/run.hpp"

namespace jrpcheck::run {

/// Told of each case as it ends; calls come from several threads, one at a time.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Something begins that has no cases: "starting node". `at_most`: what it may take; 0: not
  /// known.
  virtual void begin(const std::string& /*what*/, microseconds /*at_most*/) {}
  /// What is met meanwhile, in a few words; it goes with what has begun.
  virtual void seen(const std::string& /*what*/) {}
  /// How far that is.
  virtual void step(std::size_t /*done*/, std::size_t /*total*/) {}
  /// What a case has come to for now.
  virtual void judged(const std::string& /*case_id*/, result::Verdict /*verdict*/) {}
  virtual void advance(std::size_t done, std::size_t total, const std::string& case_id) = 0;
};

}  // namespace jrpcheck::run
