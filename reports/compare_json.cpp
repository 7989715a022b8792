#include <nlohmann/json.hpp>

#include "base/bytes.hpp"
#include "reports/citation.hpp"
#include "reports/comparison.hpp"
#include "reports/evidence.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

using Json = nlohmann::ordered_json;

Json run_json(const std::string& name, const result::Run& run) {
  const auto must = result::must_coverage(run);
  return {{"name", name},
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

constexpr std::size_t kShownInJson = 600;
constexpr std::size_t kShownCommand = 2400;

// Why there is no pass: the gravest finding, or what hindered the run.
Json account_json(const result::Run& run, const result::RequirementResult* result) {
  if (result == nullptr) return nullptr;
  const auto charge = gravest_charge(run, result->requirement.id);
  if (!charge) return result->reason.empty() ? Json() : Json({{"reason", result->reason}});
  const auto& [one, finding] = *charge;
  return {{"case", one->id},
          {"message", judge::sentence_of(*finding)},
          {"sent", to_visible(sent_for(*one, *finding), kShownInJson)},
          {"expected", to_visible(finding->expected, kShownInJson)},
          {"actual", to_visible(finding->actual, kShownInJson)},
          {"reproduce", one->reproduce.size() > kShownCommand ? "" : one->reproduce}};
}

Json requirement_json(const Comparison& comparison, const ComparedRequirement& row) {
  Json verdicts = Json::array();
  Json accounts = Json::array();
  for (std::size_t i = 0; i < row.results.size(); ++i) {
    const auto* result = row.results[i];
    verdicts.push_back(result == nullptr ? Json() : Json(result::name_of(result->verdict)));
    accounts.push_back(account_json(*comparison.runs[i], result));
  }
  const auto& requirement = *row.requirement;
  Json json = {{"id", requirement.id},
               {"clause", requirement.clause},
               {"level", corpus::name_of(requirement.level)},
               {"class", requirement.class_name},
               {"text", requirement.text},
               {"agree", row.agrees()},
               {"verdicts", std::move(verdicts)},
               {"accounts", std::move(accounts)}};
  if (auto link = clause_link(requirement); !link.empty()) json["link"] = std::move(link);
  if (!requirement.why.empty()) json["why"] = requirement.why;
  return json;
}

Json side_json(const result::CaseResult* one) {
  if (one == nullptr) return nullptr;
  return {{"verdict", result::name_of(one->verdict)}, {"account", short_account(*one)}};
}

Json comparison_json(const Comparison& comparison) {
  Json json = {{"schema", "jrpcheck-comparison-1"}, {"summary", summary_of(comparison)}};
  json["runs"] = Json::array();
  for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
    json["runs"].push_back(run_json(comparison.names[i], *comparison.runs[i]));
  }
  json["requirements"] = Json::array();
  for (const auto& row : comparison.requirements) {
    json["requirements"].push_back(requirement_json(comparison, row));
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
  return json;
}

}  // namespace

std::string render_comparison_json(const Comparison& comparison) {
  return inert_json(
             comparison_json(comparison).dump(1, ' ', false, Json::error_handler_t::replace)) +
         "\n";
}

std::string render_compact_comparison_json(const Comparison& comparison) {
  return comparison_json(comparison).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace jrpcheck::reports
