// Whether a server that was started here takes ever more memory.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/case.hpp"
#include "fuzz/executor.hpp"

namespace jrpcheck::fuzz {

constexpr std::string_view kMemoryRequirement = "rob-memory";

/// What a server holds in memory, in bytes.
struct MemoryHeld {
  std::size_t at_first = 0;
  std::size_t now = 0;
};

/// Looks now and then at what the program behind an executor holds.
class MemoryWatch {
 public:
  /// `most`: bytes by which it may grow; 0: any.
  explicit MemoryWatch(std::size_t most) : most_(most) {}

  /// Whether it holds more than that above what it held when it was first looked at, or when this
  /// was said last. A program that was started anew is looked at anew.
  bool has_grown(const Executor& executor);

  /// Nothing where it is not known: the server was not started here, or the system does not say.
  const std::optional<MemoryHeld>& held() const { return held_; }

 private:
  std::size_t most_;
  std::optional<pid_t> group_;
  std::optional<MemoryHeld> held_;
  std::size_t grown_from_ = 0;
  Deadline next_ = Deadline::in(microseconds(0));
};

/// "12 MiB", rounded down.
std::string in_mebibytes(std::size_t bytes);

/// What a server has grown by while one message was sent again and again, in rounds.
struct SteadyGrowth {
  struct Round {
    std::size_t messages = 0;
    std::size_t bytes = 0;
  };
  std::vector<Round> rounds;

  /// "grew by 1.2 MiB in 1000 messages, by ...".
  std::string text() const;
};

/// How many bytes the server grows by with each such message, as far as a short look can tell.
double growth_with_each(Executor& executor, const corpus::Step& step, Deadline deadline);

/// Sends a message again and again. Nothing where the server does not grow in every round, and by
/// about the same: it has filled a cache, or a heap that is tidied up later.
std::optional<SteadyGrowth> find_steady_growth(Executor& executor, const corpus::Step& step,
                                               Deadline deadline);

}  // namespace jrpcheck::fuzz
