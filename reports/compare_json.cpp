#include <nlohmann/json.hpp>

#include "reports/comparison.hpp"

namespace jrpcheck::reports {
namespace {

using Json = nlohmann::ordered_json;

Json summary_json(const result::Run& run) {
  const auto must = result::must_coverage(run);
  return {{"name", run.name},
          {"target", run.target.text},
          {"framing", run.target.framing},
          {"profile", run.profile},
          {"started", run.started},
          {"version", run.tool_version},
          {"corpus-hash", run.corpus_hash},
          {"verdict", result::name_of(run.verdict)},
          {"counts",
           {{"pass", run.counts.pass},
            {"warn", run.counts.warn},
            {"fail", run.counts.fail},
            {"not-exercised", run.counts.not_exercised},
            {"not-applicable", run.counts.not_applicable}}},
          {"must", {{"exercised", must.exercised}, {"applicable", must.applicable}}}};
}

Json requirement_json(const ComparedRequirement& row) {
  Json verdicts = Json::array();
  for (const auto* each : row.results) {
    verdicts.push_back(each == nullptr ? Json() : Json(result::name_of(each->verdict)));
  }
  const auto& requirement = *row.requirement;
  return {{"id", requirement.id},
          {"clause", requirement.clause},
          {"level", corpus::name_of(requirement.level)},
          {"class", requirement.class_name},
          {"text", requirement.text},
          {"agree", row.agrees()},
          {"verdicts", std::move(verdicts)}};
}

Json side_json(const result::CaseResult* one) {
  if (one == nullptr) return nullptr;
  return {{"verdict", result::name_of(one->verdict)}, {"account", short_account(*one)}};
}

}  // namespace

std::string render_comparison_json(const Comparison& comparison) {
  Json json = {{"schema", "jrpcheck-comparison-1"}};
  json["runs"] = Json::array();
  for (const auto* run : comparison.runs) json["runs"].push_back(summary_json(*run));
  json["requirements"] = Json::array();
  for (const auto& row : comparison.requirements) {
    json["requirements"].push_back(requirement_json(row));
  }
  if (comparison.is_difference) {
    json["changes"] = Json::array();
    for (const auto& each : comparison.changes) {
      json["changes"].push_back({{"case", each.id},
                                 {"change", name_of(each.change)},
                                 {"before", side_json(each.before)},
                                 {"after", side_json(each.after)}});
    }
  }
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace jrpcheck::reports
