#include "fuzz/properties/by_protocol.hpp"

#include <algorithm>
#include <utility>

namespace jrpcheck::properties {
namespace {

constexpr std::string_view kBatch =
    R"([{"jsonrpc":"2.0","method":"jrpcheckBatch","params":{},"id":1}])";
// Stands for all cases of batches, which a profile exempts by their folder.
constexpr std::string_view kAnyCaseOfBatches = "batch/any";

std::string in_words(const corpus::Exemption& exemption) {
  return exemption.because + " (" + exemption.clause + ")";
}

bool is_about_its_messages(const Property& property) {
  return !property.needs_foreign && property.material != Material::probe &&
         property.material != Material::conversation &&
         property.material != Material::call_and_anything;
}

}  // namespace

std::optional<std::string> why_not_applying(const Property& property,
                                            const fuzz::Protocol& protocol) {
  const corpus::Profile& profile = protocol.law->profile;
  if (property.needs_batches && !fuzz::has_message(protocol, kBatch)) {
    const auto* exemption = profile.exempts_case(kAnyCaseOfBatches);
    return exemption != nullptr ? in_words(*exemption) : profile.title + " has no batches";
  }
  const auto& schemas = protocol.law->schemas;
  if (property.needs_foreign && schemas && schemas->knows_client()) {
    return profile.title + " does not say what becomes of what is none of its messages";
  }
  const auto exempted = [&](std::string_view id) { return profile.exempts_requirement(id); };
  const auto& all = property.requirements;
  if (!all.empty() && std::all_of(all.begin(), all.end(), exempted)) {
    return in_words(*exempted(all.front()));
  }
  return std::nullopt;
}

Scenario as_sent(Scenario scenario, const fuzz::Protocol& protocol) {
  for (auto* list : {&scenario.messages, &scenario.others}) {
    for (auto& each : *list) each = fuzz::with_request_members(protocol, std::move(each));
  }
  return scenario;
}

bool is_foreign(const Property& property, const Scenario& scenario,
                const fuzz::Protocol& protocol) {
  if (!is_about_its_messages(property)) return false;
  const auto is_none = [&](const std::string& message) {
    return !fuzz::has_message(protocol, message);
  };
  const bool has_more = property.material == Material::calls_and_notification ||
                        property.material == Material::call_and_notification;
  return std::any_of(scenario.messages.begin(), scenario.messages.end(), is_none) ||
         (has_more && std::any_of(scenario.others.begin(), scenario.others.end(), is_none));
}

bool is_foreign(const Property& property, const std::vector<fuzz::Asked>& record,
                const fuzz::Protocol& protocol) {
  if (!is_about_its_messages(property)) return false;
  return std::any_of(record.begin(), record.end(), [&](const fuzz::Asked& asked) {
    return std::any_of(asked.messages.begin(), asked.messages.end(), [&](const auto& message) {
      return !fuzz::has_message(protocol, message.text());
    });
  });
}

}  // namespace jrpcheck::properties
