// What a run shows, in a sentence.
#pragma once

#include <cstddef>
#include <string>

#include "result/run.hpp"

namespace jrpcheck::reports {

/// For whoever reads no further, and the same in every report that people read: "Breaks 10 of 69
/// core rules; dies of two messages; batches are not served."
std::string summary_of(const result::Run& run);

/// The cases that are about this target's binding, exercised or not.
std::size_t applicable_cases(const result::Run& run);

}  // namespace jrpcheck::reports
