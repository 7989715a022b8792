// Latencies in a memory that does not grow: counted in steps of an eighth of a power of two.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/deadline.hpp"

namespace jrpcheck::traffic {

class Latencies {
 public:
  void add(microseconds latency);

  std::size_t count() const { return count_; }
  microseconds worst() const { return worst_; }
  /// Within an eighth of the true one.
  microseconds median() const;

 private:
  static constexpr std::size_t kSteps = 8;
  static constexpr std::size_t kPowers = 40;

  std::array<std::uint64_t, kSteps * kPowers> counted_{};
  std::size_t count_ = 0;
  microseconds worst_{0};
};

}  // namespace jrpcheck::traffic
