// What the server takes before it refuses (RFC 8259 §9 lets an implementation set such limits).
#pragma once

#include <cstddef>

namespace jrpcheck::reference {

struct Limits {
  /// Arrays and Objects may be nested this deep; writing a tree recurses once for each level.
  std::size_t max_depth = 512;
  /// A message may be this long.
  std::size_t max_bytes = 16U << 20;
};

}  // namespace jrpcheck::reference
