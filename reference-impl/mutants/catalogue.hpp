// Every mutant there is. A new one is a row in a table; a new table is a line here and a line in
// catalogue.cpp.
#pragma once

#include <ostream>
#include <span>
#include <string_view>
#include <vector>

#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::reference {

std::span<const Mutant> id_faults();
std::span<const Mutant> string_id_faults();
std::span<const Mutant> request_faults();
std::span<const Mutant> method_faults();
std::span<const Mutant> params_faults();
std::span<const Mutant> notification_faults();
std::span<const Mutant> batch_faults();
std::span<const Mutant> faults_of_some_batches();
std::span<const Mutant> faults_of_some_calls();
std::span<const Mutant> response_faults();
std::span<const Mutant> error_faults();
std::span<const Mutant> parse_faults();
std::span<const Mutant> lenient_parse_faults();
std::span<const Mutant> survival_faults();
std::span<const Mutant> correlation_faults();
std::span<const Mutant> http_faults();
std::span<const Mutant> framing_faults();
std::span<const Mutant> stdio_faults();
std::span<const Mutant> broken_successes();
std::span<const Mutant> unasked_faults();
std::span<const Mutant> after_answers_faults();
std::span<const Mutant> http_answer_faults();
std::span<const Mutant> socket_faults();
std::span<const Mutant> websocket_faults();
std::span<const Mutant> websocket_number_faults();
std::span<const Mutant> origin_faults();
std::span<const Mutant> deflate_faults();
std::span<const Mutant> tls_faults();
std::span<const Mutant> event_stream_faults();

std::span<const Mutant> faults_in_1_0();
std::span<const Mutant> survival_faults_in_1_0();
std::span<const Mutant> variants_in_1_0();

std::span<const Mutant> deep_faults_in_calls();
std::span<const Mutant> deep_faults_in_batches();
std::span<const Mutant> deep_faults_in_conversations();
std::span<const Mutant> deep_faults_in_values();
std::span<const Mutant> deep_faults_at_doors();
std::span<const Mutant> deep_faults_in_requests();
std::span<const Mutant> deep_faults_on_streams();
std::span<const Mutant> deep_faults_on_the_web();

std::span<const Mutant> request_variants();
std::span<const Mutant> reply_variants();
std::span<const Mutant> limit_variants();
std::span<const Mutant> http_variants();
std::span<const Mutant> stream_variants();
std::span<const Mutant> session_variants();
std::span<const Mutant> method_variants();
std::span<const Mutant> socket_variants();
std::span<const Mutant> websocket_variants();
std::span<const Mutant> origin_variants();
std::span<const Mutant> deflate_variants();
std::span<const Mutant> tls_variants();
std::span<const Mutant> event_stream_variants();

/// The seeded defects: each breaks the requirements it names, and as little else as can be.
std::vector<Mutant> faults();

/// Seeded defects that need a particular combination of things to show, and that no case of the
/// corpus meets: what fuzzing is measured by.
std::vector<Mutant> deep_faults();

/// The seeded defects of a server that speaks 1.0.
std::vector<Mutant> faults_of_1_0();
/// And what it may do.
std::vector<Mutant> variants_of_1_0();

/// Odd behaviours that no requirement forbids.
std::vector<Mutant> variants();

/// The mutant of that name; nullptr when there is none. Faults are deep ones as well.
const Mutant* find(std::span<const Mutant> mutants, std::string_view name);
const Mutant* find_fault(std::string_view name);
const Mutant* find_fault_of_1_0(std::string_view name);
const Mutant* find_variant_of_1_0(std::string_view name);
const Mutant* find_variant(std::string_view name);

/// One line for each mutant, with tabs between the fields: kind, name, the requirements that it
/// breaks, those that may break with them (* in these stands for any text), transports, the opening
/// that it needs, and a sentence. `-` stands for none.
void write_list(std::ostream& out);
/// The same of the mutants of a server of 1.0.
void write_list_of_1_0(std::ostream& out);

/// The mutants of a server of that version of the Model Context Protocol.
std::vector<Mutant> mcp_faults(std::string_view version);
std::vector<Mutant> mcp_variants(std::string_view version);
/// The same of a server that speaks a protocol on top.
void write_list(std::ostream& out, const std::vector<Mutant>& faults,
                const std::vector<Mutant>& variants);

}  // namespace jrpcheck::reference
