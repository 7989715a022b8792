#include "judge/clients/law.hpp"

#include <utility>

namespace jrpcheck::judge {

const schema::MessageSchemas* ClientLaw::schemas_of(const std::string& version) const {
  if (!schemas) return nullptr;
  const auto found = schemas->find(version);
  return found == schemas->end() ? nullptr : &found->second;
}

ClientLaw client_law_of(const corpus::Corpus& corpus) {
  std::map<std::string, schema::MessageSchemas> by_version;
  for (const auto& each : corpus.profiles) {
    const bool has_some = each.family == corpus.profile.family && !each.schemas.empty();
    if (!has_some || each.version.empty()) continue;
    auto loaded = schema::MessageSchemas::load(each.schemas, corpus.schemas);
    if (loaded) by_version.emplace(each.version, *std::move(loaded));
  }
  return {
      corpus.profile.family, corpus.ledger,
      std::make_shared<const std::map<std::string, schema::MessageSchemas>>(std::move(by_version))};
}

}  // namespace jrpcheck::judge
