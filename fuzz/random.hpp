// Random numbers that are the same everywhere for the same seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jrpcheck::fuzz {

/// splitmix64. The distributions of the standard library differ between its implementations.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
    return z ^ (z >> 31U);
  }
  /// From 0 to `bound` - 1; `bound` is not 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  /// True once in `n`.
  bool one_in(std::size_t n) { return below(n) == 0; }

  template <typename T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

 private:
  std::uint64_t state_;
};

}  // namespace jrpcheck::fuzz
