#include "base/memory.hpp"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace jrpcheck {

void give_back_memory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

void keep_no_large_blocks() {
#ifdef __GLIBC__
  constexpr int kLarge = 256 << 10;
  mallopt(M_MMAP_THRESHOLD, kLarge);
#endif
}

}  // namespace jrpcheck
