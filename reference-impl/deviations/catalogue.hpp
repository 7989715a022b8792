// Every deviation there is. A new one is a row in a table; a new table is a line here and a line in
// catalogue.cpp.
#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "reference-impl/deviations/deviation.hpp"

namespace jrpcheck::reference {

std::span<const Deviation> id_faults();
std::span<const Deviation> string_id_faults();
std::span<const Deviation> request_faults();
std::span<const Deviation> method_faults();
std::span<const Deviation> params_faults();
std::span<const Deviation> notification_faults();
std::span<const Deviation> batch_faults();
std::span<const Deviation> response_faults();
std::span<const Deviation> error_faults();
std::span<const Deviation> parse_faults();
std::span<const Deviation> lenient_parse_faults();
std::span<const Deviation> survival_faults();
std::span<const Deviation> correlation_faults();
std::span<const Deviation> http_faults();
std::span<const Deviation> framing_faults();
std::span<const Deviation> stdio_faults();

std::span<const Deviation> deep_faults_in_calls();
std::span<const Deviation> deep_faults_in_batches();
std::span<const Deviation> deep_faults_in_conversations();

std::span<const Deviation> request_variants();
std::span<const Deviation> reply_variants();
std::span<const Deviation> limit_variants();
std::span<const Deviation> http_variants();
std::span<const Deviation> stream_variants();

/// The seeded defects: each breaks the requirements it names, and as little else as can be.
std::vector<Deviation> faults();

/// Seeded defects that need a particular combination of things to show, and that no case of the
/// corpus meets: what fuzzing is measured by.
std::vector<Deviation> deep_faults();

/// Odd behaviours that no requirement forbids.
std::vector<Deviation> variants();

/// The deviation of that name; nullptr when there is none.
const Deviation* find(const std::vector<Deviation>& deviations, std::string_view name);

/// One line for each deviation: kind, name, requirements (`-` for none), transports and a sentence,
/// with tabs between them.
void write_list(std::ostream& out);

}  // namespace jrpcheck::reference
