#include "reference-impl/mutants/catalogue.hpp"

#include <algorithm>
#include <string>

namespace jrpcheck::reference {

namespace {

// A table is made when it is asked for: the server is started more often than it is told to be
// unlike itself.
using Table = std::span<const Mutant> (*)();

constexpr Table kFaults[] = {
    id_faults,
    string_id_faults,
    request_faults,
    method_faults,
    params_faults,
    notification_faults,
    batch_faults,
    response_faults,
    error_faults,
    parse_faults,
    lenient_parse_faults,
    survival_faults,
    correlation_faults,
    http_faults,
    framing_faults,
    stdio_faults,
    broken_successes,
    unasked_faults,
    after_answers_faults,
    http_answer_faults,
    socket_faults,
    websocket_faults,
    websocket_number_faults,
    origin_faults,
    deflate_faults,
    tls_faults,
    event_stream_faults,
    faults_of_some_batches,
    faults_of_some_calls,
};
constexpr Table kDeepFaults[] = {
    deep_faults_in_calls,   deep_faults_in_batches, deep_faults_in_conversations,
    deep_faults_in_values,  deep_faults_at_doors,   deep_faults_in_requests,
    deep_faults_on_streams, deep_faults_on_the_web,
};
constexpr Table kVariants[] = {
    request_variants, reply_variants,  limit_variants,        http_variants,      stream_variants,
    session_variants, method_variants, socket_variants,       websocket_variants, origin_variants,
    deflate_variants, tls_variants,    event_stream_variants,
};
constexpr Table kFaultsIn10[] = {faults_in_1_0, survival_faults_in_1_0};
constexpr Table kVariantsIn10[] = {variants_in_1_0};

std::vector<Mutant> joined(std::span<const Table> tables) {
  std::vector<Mutant> all;
  for (const Table table : tables) all.insert(all.end(), table().begin(), table().end());
  return all;
}

const Mutant* find_in(std::span<const Table> tables, std::string_view name) {
  for (const Table table : tables) {
    if (const Mutant* found = find(table(), name)) return found;
  }
  return nullptr;
}

std::string names_of(unsigned transports) {
  std::vector<std::string> names;
  const auto add = [&](Transports transport, std::string_view name) {
    if ((transports & transport) != 0) names.emplace_back(name);
  };
  add(kHttp, "http");
  add(kLines, "lines");
  add(kContentLength, "content-length");
  add(kTcp, "tcp");
  add(kTcpLength32, "tcp-length32");
  add(kWs, "websocket");
  add(kTls, "tls");
  add(kUnix, "unix");
  add(kSse, "sse");
  add(kSseEndpoint, "sse-endpoint");
  return with_commas(names);
}

void write_lines(std::ostream& out, std::string_view kind, const std::vector<Mutant>& all) {
  for (const Mutant& each : all) {
    out << (each.breaks.refusal ? "refusal" : kind) << '\t' << each.name << '\t'
        << certain_of(each.breaks) << '\t' << possible_of(each.breaks) << '\t'
        << names_of(each.transports) << '\t' << (each.opening.empty() ? "-" : each.opening) << '\t'
        << each.about << '\n';
  }
}

}  // namespace

std::vector<Mutant> faults() { return joined(kFaults); }
std::vector<Mutant> deep_faults() { return joined(kDeepFaults); }
std::vector<Mutant> variants() { return joined(kVariants); }
std::vector<Mutant> faults_of_1_0() { return joined(kFaultsIn10); }
std::vector<Mutant> variants_of_1_0() { return joined(kVariantsIn10); }

const Mutant* find_fault(std::string_view name) {
  const Mutant* found = find_in(kFaults, name);
  return found != nullptr ? found : find_in(kDeepFaults, name);
}
const Mutant* find_fault_of_1_0(std::string_view name) { return find_in(kFaultsIn10, name); }
const Mutant* find_variant_of_1_0(std::string_view name) { return find_in(kVariantsIn10, name); }
const Mutant* find_variant(std::string_view name) { return find_in(kVariants, name); }

const Mutant* find(std::span<const Mutant> mutants, std::string_view name) {
  const auto found = std::find_if(mutants.begin(), mutants.end(),
                                  [name](const Mutant& each) { return each.name == name; });
  return found == mutants.end() ? nullptr : &*found;
}

void write_list(std::ostream& out) {
  write_lines(out, "fault", faults());
  write_lines(out, "deep", deep_faults());
  write_lines(out, "variant", variants());
}

void write_list(std::ostream& out, const std::vector<Mutant>& faults,
                const std::vector<Mutant>& variants) {
  write_lines(out, "fault", faults);
  write_lines(out, "variant", variants);
}

void write_list_of_1_0(std::ostream& out) { write_list(out, faults_of_1_0(), variants_of_1_0()); }

}  // namespace jrpcheck::reference
