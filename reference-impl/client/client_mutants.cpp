#include "reference-impl/client/client_mutants.hpp"

#include <algorithm>

namespace jrpcheck::reference {

namespace {

std::string with_commas_or_dash(const std::vector<std::string_view>& texts) {
  std::string all;
  for (const auto& text : texts) all.append(all.empty() ? "" : ",").append(text);
  return all.empty() ? "-" : all;
}

std::string names_of_doors(unsigned doors) {
  std::vector<std::string_view> names;
  if ((doors & kOverHttp) != 0) names.emplace_back("client-http");
  if ((doors & kOverTcp) != 0) names.emplace_back("client-tcp");
  if ((doors & kOverWs) != 0) names.emplace_back("client-ws");
  if ((doors & kOverStdio) != 0) names.emplace_back("client-stdio");
  return with_commas_or_dash(names);
}

void write_client_lines(std::ostream& out, std::string_view kind,
                        std::span<const ClientMutant> mutants) {
  for (const auto& each : mutants) {
    out << kind << '\t' << each.name << '\t' << with_commas_or_dash(each.breaks) << '\t'
        << with_commas_or_dash(each.may_break) << '\t' << names_of_doors(each.doors) << "\t-\t"
        << each.about << '\n';
  }
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

void write_list_of_client(std::ostream& out) {
  write_client_lines(out, "fault", client_faults());
  write_client_lines(out, "variant", client_variants());
}

}  // namespace jrpcheck::reference
