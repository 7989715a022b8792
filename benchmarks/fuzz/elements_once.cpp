#include "benchmarks/fuzz/elements_once.hpp"

#include <optional>
#include <string>
#include <utility>

// As the faults read them elsewhere, by another name.
#define elements_in elements_read
#include "reference-impl/mutants/deep_elements.cpp"  // NOLINT(bugprone-suspicious-include)
#undef elements_in

namespace {

std::optional<std::pair<std::string, jrpcheck::reference::Elements>> last;

}  // namespace

namespace jrpcheck::reference {

Elements elements_in(std::string_view message) {
  if (!last || last->first != message) last.emplace(message, elements_read(message));
  return last->second;
}

}  // namespace jrpcheck::reference

namespace jrpcheck::benchmark {

void forget_elements() { last.reset(); }

}  // namespace jrpcheck::benchmark
