#include "fuzz/targets/promise.hpp"

#include <cstdio>
#include <cstdlib>

#include "base/bytes.hpp"

namespace jrpcheck::fuzz {

void promise(bool holds, std::string_view promised, std::string_view evidence) {
  if (holds) return;
  constexpr std::size_t kShown = 4000;
  std::fprintf(stderr, "broken promise: %.*s\n%s\n", static_cast<int>(promised.size()),
               promised.data(), to_visible(evidence, kShown).c_str());
  std::abort();
}

}  // namespace jrpcheck::fuzz
