// What a person sees of the trials of properties.
#pragma once

#include <cstddef>
#include <ostream>

#include "fuzz/properties/trials.hpp"
#include "result/redact.hpp"

namespace jrpcheck::cli {

/// One property, as it comes: a slow server takes its time. The one case of `run` is how
/// `figures` stand in the report.
void print_property(const result::RedactedRun& run, const properties::PropertyResult& figures,
                    bool color, std::ostream& out);

/// The sums, when it is over, and so many of the notes.
void print_sums(const result::RedactedRun& run, std::size_t notes, std::size_t tests,
                std::ostream& out);

}  // namespace jrpcheck::cli
