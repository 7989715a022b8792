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

}  // namespace jrpcheck
