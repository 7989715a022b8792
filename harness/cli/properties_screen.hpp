// What a person sees of the trials of properties.
#pragma once

#include <cstddef>
#include <ostream>

#include "fuzz/properties/trials.hpp"
#include "result/run.hpp"

namespace jrpcheck::cli {

/// One property, as it comes: a slow server takes its time. `one` is how `figures` stand in the
/// report, without secrets.
void print_property(const result::CaseResult& one, const properties::PropertyResult& figures,
                    bool color, std::ostream& out);

/// The sums, when it is over.
void print_sums(const result::Run& run, std::size_t tests, std::ostream& out);

}  // namespace jrpcheck::cli
