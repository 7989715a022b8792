#include "reference-impl/client/client_mutants.hpp"

#include <algorithm>

namespace jrpcheck::reference {

namespace {

std::string names_of_doors(unsigned doors) {
  std::vector<std::string> names;
  if ((doors & kOverHttp) != 0) names.emplace_back("client-http");
  if ((doors & kOverTcp) != 0) names.emplace_back("client-tcp");
  if ((doors & kOverWs) != 0) names.emplace_back("client-ws");
  if ((doors & kOverStdio) != 0) names.emplace_back("client-stdio");
  return with_commas(names);
}

}  // namespace

std::vector<ClientMutant> client_faults() {
  std::vector<ClientMutant> all;
  for (const auto& table :
       {client_faults_of_form(), client_faults_of_reading(), client_faults_of_results(),
        client_faults_of_survival(), client_faults_of_frames(), client_faults_of_notifying()}) {
    all.insert(all.end(), table.begin(), table.end());
  }
  return all;
}

const ClientMutant* find_client_mutant(std::span<const ClientMutant> mutants,
                                       std::string_view name) {
  const auto found = std::find_if(mutants.begin(), mutants.end(),
                                  [name](const ClientMutant& each) { return each.name == name; });
  return found == mutants.end() ? nullptr : &*found;
}

void write_line(std::ostream& out, const ClientMutant& mutant) {
  out << (mutant.breaks.certain.empty() ? "variant" : "fault") << '\t' << mutant.name << '\t'
      << certain_of(mutant.breaks) << '\t' << possible_of(mutant.breaks) << '\t'
      << names_of_doors(mutant.doors) << "\t-\t" << mutant.about << '\n';
}

void write_list_of_client(std::ostream& out) {
  for (const auto& each : client_faults()) write_line(out, each);
  for (const auto& each : client_variants()) write_line(out, each);
}

}  // namespace jrpcheck::reference
