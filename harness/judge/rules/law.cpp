#include "judge/rules/law.hpp"

#include <utility>

#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

const RuleRow* rule_named(std::string_view name) {
  for (const auto rows : all_rules()) {
    for (const auto& row : rows) {
      if (row.name == name) return &row;
    }
  }
  return nullptr;
}

}  // namespace

Result<std::shared_ptr<const Law>> law_of(const corpus::Profile& profile,
                                          const std::map<std::string, std::string>& schemas) {
  auto law = std::make_shared<Law>();
  law->profile = profile;
  if (!profile.schemas.empty()) {
    auto loaded = schema::MessageSchemas::load(profile.schemas, schemas);
    if (!loaded) return Error{"the profile '" + profile.name + "': " + loaded.error().message};
    law->schemas = *std::move(loaded);
  }
  for (const auto& rule : profile.rules) {
    const RuleRow* row = rule_named(rule.name);
    if (row == nullptr) {
      return Error{"the profile '" + profile.name + "' names a rule '" + rule.name +
                   "', and there is none"};
    }
    law->rules.push_back({row, rule.charges});
  }
  return std::shared_ptr<const Law>(std::move(law));
}

Result<std::shared_ptr<const Law>> law_of(const corpus::Corpus& corpus) {
  auto law = law_of(corpus.profile, corpus.schemas);
  if (!law || corpus.published_schema.empty()) return law;
  auto published = schema::PublishedSchema::load(corpus.published_schema);
  if (!published) return Error{"--schema: " + published.error().message};
  auto with_it = std::make_shared<Law>(**law);
  with_it->published = *std::move(published);
  return std::shared_ptr<const Law>(std::move(with_it));
}

}  // namespace jrpcheck::judge
