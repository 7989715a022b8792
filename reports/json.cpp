#include <nlohmann/json.hpp>

#include "base/bytes.hpp"
#include "base/utf8.hpp"
#include "reports/report.hpp"
#include "result/server_profile.hpp"

namespace jrpcheck::reports {
namespace {

using Json = nlohmann::ordered_json;
using dialogue::Direction;

// That nothing came is told as such; what else is finer than these is told in the note.
std::string_view direction_name(Direction direction) {
  switch (direction) {
    case Direction::sent:
    case Direction::closed:
    case Direction::exited:
    case Direction::standard_error:
    case Direction::quiet:
      return name_of(direction);
    case Direction::received:
    case Direction::aside:
    case Direction::violation:
      return "received";
  }
  return "";
}

// Texts made here are UTF-8; what quotes a server has been made visible before.
Json event_json(const dialogue::Event& event) {
  Json json;
  json["direction"] = direction_name(event.direction);
  json["at-us"] = event.at.count();
  if (is_valid_utf8(event.bytes)) {
    json["text"] = event.bytes;
  } else {
    json["base64"] = to_base64(event.bytes);
  }
  if (event.step) json["step"] = *event.step;
  std::string note = event.note;
  if (event.left_out > 0) {
    note += (note.empty() ? "" : "; ") + std::to_string(event.left_out) +
            " bytes in the middle are left out";
  }
  if (!note.empty()) json["note"] = note;
  return json;
}

Json finding_json(const judge::Finding& finding) {
  Json place = Json::object();
  if (finding.place.element) place["element"] = *finding.place.element;
  if (!finding.place.pointer.empty()) place["pointer"] = finding.place.pointer;
  Json json = {{"requirement", finding.requirement},
               {"severity", corpus::name_of(finding.severity)},
               {"symptom", judge::name_of(finding.symptom)},
               {"place", std::move(place)},
               {"message", judge::sentence_of(finding)},
               {"expected", finding.expected},
               {"actual", finding.actual},
               {"step", finding.step}};
  if (!finding.particulars.empty()) json["particulars"] = finding.particulars;
  return json;
}

Json expected_json(const result::Expected& expected) {
  Json json = {{"expectation", result::name_of(expected.expectation)}};
  if (!expected.reason.empty()) json["reason"] = expected.reason;
  if (!expected.detail.empty()) json["detail"] = expected.detail;
  return json;
}

Json baseline_json(const result::BaselineSummary& baseline) {
  return {{"file", baseline.file},
          {"holds", baseline.holds()},
          {"counts",
           {{"known", baseline.known},
            {"flaky", baseline.flaky},
            {"unexpected", baseline.unexpected},
            {"stale", baseline.stale},
            {"unchecked", baseline.unchecked}}}};
}

Json case_json(const result::CaseResult& one) {
  Json json;
  json["id"] = one.id;
  json["title"] = one.title;
  json["verdict"] = result::name_of(one.verdict);
  json["requirements"] = one.requirements;
  if (!one.reason.empty()) json["reason"] = one.reason;
  json["duration-ms"] = static_cast<double>(one.duration.count()) / 1000.0;
  json["findings"] = Json::array();
  for (const auto& finding : one.findings) json["findings"].push_back(finding_json(finding));
  json["transcript"] = Json::array();
  for (const auto& event : one.transcript) json["transcript"].push_back(event_json(event));
  json["reproduce"] = one.reproduce;
  if (one.expected) json["baseline"] = expected_json(*one.expected);
  return json;
}

Json requirement_json(const result::RequirementResult& one) {
  Json json;
  json["id"] = one.requirement.id;
  json["clause"] = one.requirement.clause;
  json["level"] = corpus::name_of(one.requirement.level);
  json["class"] = one.requirement.class_name;
  json["text"] = one.requirement.text;
  if (!one.requirement.note.empty()) json["note"] = one.requirement.note;
  if (!one.requirement.status.empty()) json["status"] = one.requirement.status;
  json["verdict"] = result::name_of(one.verdict);
  if (!one.reason.empty()) json["reason"] = one.reason;
  return json;
}

Json open_point_json(const result::OpenPoint& point) {
  Json json;
  json["name"] = point.name;
  json["summary"] = point.summary;
  json["answers"] = Json::array();
  for (const auto& each : point.answers) {
    json["answers"].push_back({{"value", each.value}, {"cases", each.cases}});
  }
  return json;
}

Json counts_json(const result::Counts& counts) {
  return {{"pass", counts.pass},
          {"warn", counts.warn},
          {"fail", counts.fail},
          {"not-exercised", counts.not_exercised},
          {"not-applicable", counts.not_applicable}};
}

Json run_json(const result::Run& run) {
  Json json;
  json["schema"] = "jrpcheck-run-1";
  json["tool"] = {{"name", "jrpcheck"},
                  {"version", run.tool_version},
                  {"corpus", run.corpus_cases},
                  {"corpus-hash", run.corpus_hash},
                  {"seed", run.seed}};
  json["target"] = {{"text", run.target.text},
                    {"transport", run.target.transport},
                    {"framing", run.target.framing}};
  json["profile"] = run.profile;
  if (run.shard) json["shard"] = {{"index", run.shard->index}, {"count", run.shard->count}};
  if (!run.interrupted.empty()) json["interrupted"] = run.interrupted;
  if (run.baseline) json["baseline"] = baseline_json(*run.baseline);
  json["started"] = run.started;
  json["duration-ms"] = static_cast<double>(run.duration.count()) / 1000.0;
  json["verdict"] = result::name_of(run.verdict);
  json["counts"] = counts_json(run.counts);
  const auto must = result::must_coverage(run);
  json["must"] = {{"exercised", must.exercised}, {"applicable", must.applicable}};
  json["classes"] = Json::array();
  for (const auto& each : run.classes) {
    json["classes"].push_back({{"name", each.name},
                               {"verdict", result::name_of(each.verdict)},
                               {"counts", counts_json(each.counts)}});
  }
  json["requirements"] = Json::array();
  for (const auto& each : run.requirements) json["requirements"].push_back(requirement_json(each));
  json["cases"] = Json::array();
  for (const auto& each : run.cases) json["cases"].push_back(case_json(each));
  json["observations"] = Json::array();
  for (const auto& each : run.observations) {
    json["observations"].push_back(
        {{"id", each.id}, {"value", each.value}, {"case", each.case_id}});
  }
  json["server-profile"] = Json::array();
  for (const auto& each : result::server_profile(run.observations)) {
    json["server-profile"].push_back(open_point_json(each));
  }
  json["tried"] = Json::array();
  for (const auto& each : run.tried) {
    json["tried"].push_back({{"role", each.role},
                             {"method", each.method},
                             {"given", each.given},
                             {"sent", each.sent},
                             {"received", each.received}});
  }
  json["notes"] = run.notes;
  return json;
}

}  // namespace

// Anything that slipped through as no UTF-8 is replaced rather than lost with the whole report.
std::string render_json(const result::Run& run) {
  return run_json(run).dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string render_compact_json(const result::Run& run) {
  return run_json(run).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace jrpcheck::reports
