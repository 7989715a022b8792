#include "reference-impl/deviations/catalogue.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace jrpcheck::reference {

namespace {

std::vector<Deviation> joined(std::initializer_list<std::span<const Deviation>> tables) {
  std::vector<Deviation> all;
  for (const auto& table : tables) all.insert(all.end(), table.begin(), table.end());
  return all;
}

std::string names_of(unsigned transports) {
  std::string names;
  const auto add = [&](Transports transport, std::string_view name) {
    if ((transports & transport) == 0) return;
    names.append(names.empty() ? "" : ",").append(name);
  };
  add(kHttp, "http");
  add(kLines, "lines");
  add(kContentLength, "content-length");
  return names;
}

void write_lines(std::ostream& out, std::string_view kind, const std::vector<Deviation>& all) {
  for (const Deviation& each : all) {
    out << kind << '\t' << each.name << '\t'
        << (each.requirements.empty() ? "-" : each.requirements) << '\t'
        << names_of(each.transports) << '\t' << each.about << '\n';
  }
}

}  // namespace

std::vector<Deviation> faults() {
  return joined({id_faults(), string_id_faults(), request_faults(), method_faults(),
                 params_faults(), notification_faults(), batch_faults(), response_faults(),
                 error_faults(), parse_faults(), lenient_parse_faults(), survival_faults(),
                 correlation_faults(), http_faults(), framing_faults(), stdio_faults()});
}

std::vector<Deviation> deep_faults() {
  return joined({deep_faults_in_calls(), deep_faults_in_batches(), deep_faults_in_conversations()});
}

std::vector<Deviation> variants() {
  return joined(
      {request_variants(), reply_variants(), limit_variants(), http_variants(), stream_variants()});
}

const Deviation* find(const std::vector<Deviation>& deviations, std::string_view name) {
  const auto found = std::find_if(deviations.begin(), deviations.end(),
                                  [name](const Deviation& each) { return each.name == name; });
  return found == deviations.end() ? nullptr : &*found;
}

void write_list(std::ostream& out) {
  write_lines(out, "fault", faults());
  write_lines(out, "deep", deep_faults());
  write_lines(out, "variant", variants());
}

}  // namespace jrpcheck::reference
