// GrowthSearch: looks for the message that makes a server take ever more memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "fuzz/executor.hpp"
#include "fuzz/finding.hpp"
#include "fuzz/history.hpp"
#include "fuzz/memory_growth.hpp"

namespace jrpcheck::fuzz {

class GrowthSearch {
 public:
  /// `most`: bytes by which the server may grow; 0: any.
  explicit GrowthSearch(std::size_t most) : memory_(most) {}

  /// Whether the server has grown so much that the cause is worth looking for. A few searches are
  /// made, and none after one that has found it.
  bool is_due(const Executor& executor);

  struct Cause {
    std::string message;
    SteadyGrowth growth;
  };
  /// The message, of the latest, with which the server grows most, and steadily.
  std::optional<Cause> find_cause(const History& history, const Traits& traits, Executor& executor);
  /// Puts the cause into a finding about its message.
  Finding finding_of(const Cause& cause, Finding about) const;

  /// The server has grown, and no message was found that makes it.
  bool is_unexplained() const { return is_unexplained_; }
  const std::optional<MemoryHeld>& held() const { return memory_.held(); }

 private:
  MemoryWatch memory_;
  int searches_ = 0;
  bool is_unexplained_ = false;
};

}  // namespace jrpcheck::fuzz
