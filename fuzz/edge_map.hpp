// The map into which programs built for AFL write the edges that they have run through.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.hpp"
#include "fuzz/feature.hpp"

namespace jrpcheck::fuzz {

/// A System V segment that programs started from here on find by their environment (__AFL_SHM_ID).
/// They need no fork server for that: their runtime writes into it from their start on.
class EdgeMap {
 public:
  static Result<std::unique_ptr<EdgeMap>> share();
  ~EdgeMap();
  EdgeMap(const EdgeMap&) = delete;
  EdgeMap& operator=(const EdgeMap&) = delete;

  /// Whether any program has written into it.
  bool is_written() const;
  void clear();
  /// The edges since it was cleared, and how often each.
  std::vector<Feature> take();
  /// How many different edges `take` has given.
  std::size_t seen() const { return seen_count_; }

 private:
  explicit EdgeMap(std::uint8_t* bytes);
  void find_extent();

  volatile std::uint8_t* bytes_;  // other processes write it
  std::size_t extent_ = 0;        // behind the last byte that was ever not 0
  unsigned takes_ = 0;
  std::vector<bool> seen_;
  std::size_t seen_count_ = 0;
};

}  // namespace jrpcheck::fuzz
