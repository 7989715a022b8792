#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>

#include "base/bytes.hpp"
#include "base/names.hpp"
#include "reports/citation.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/markdown.hpp"
#include "reports/report.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

using Json = nlohmann::ordered_json;
using result::CaseResult;
using result::RequirementResult;
using result::Run;

constexpr std::size_t kShownInSarif = 600;
constexpr std::string_view kSpecification = "https://www.jsonrpc.org/specification";

std::string_view level_of(corpus::Level level) {
  return name_at({"error", "warning", "note"}, level);
}

// Where the clause can be read; what no document says is about JSON-RPC all the same.
std::string help_uri(const corpus::Requirement& requirement) {
  const std::string link = clause_link(requirement);
  return link.empty() ? std::string(kSpecification) : link;
}

Json rule_json(const corpus::Requirement& requirement) {
  const std::string clause = requirement.cited_clause();
  const std::string cited = clause.empty() ? "" : " (" + clause + ")";
  std::string note;
  std::string markdown_note;
  for (const auto* each : {&requirement.note, &requirement.why}) {
    if (each->empty()) continue;
    note += "\n\n" + *each;
    markdown_note += "\n\n" + escape_markdown(*each);
  }
  const bool must = requirement.level == corpus::Level::must;
  return {{"id", requirement.id},
          {"shortDescription", {{"text", requirement.text}}},
          {"fullDescription", {{"text", requirement.text + cited}}},
          {"help",
           {{"text", requirement.text + cited + note},
            {"markdown", escape_markdown(requirement.text) +
                             (clause.empty() ? "" : " (" + escape_markdown(clause) + ")") +
                             markdown_note}}},
          {"helpUri", help_uri(requirement)},
          {"defaultConfiguration", {{"level", level_of(requirement.level)}}},
          {"properties",
           {{"tags", {"json-rpc", requirement.class_name}},
            {"precision", "very-high"},
            {"problem.severity", must ? "error" : "warning"}}}};
}

// FNV-1a: the same in every run, on every machine.
std::string fingerprint(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001B3U;
  }
  return fmt::format("{:016x}", hash);
}

// Code scanning wants every result in a file of the repository. There is none that a server's
// behaviour stands in; the id of the case stands for it, so that each case is a place of its own.
std::string uri_of(const CaseResult& one) { return "jrpcheck/" + one.id; }

// What a viewer opens in its place: SARIF 2.1.0 §3.24.8 lets a log carry it.
Json artifact_json(const CaseResult& one) {
  std::string text = one.title + "\n";
  for (const auto& finding : one.findings) {
    text += fmt::format(
        "\n{}: {}\nsent      {}\ngot       {}\nexpected  {}\n", finding.requirement,
        judge::sentence_of(finding), to_visible(sent_for(one, finding), kShownInSarif),
        to_visible(finding.actual, kShownInSarif), to_visible(finding.expected, kShownInSarif));
  }
  text += "\ntry       " + to_visible(one.reproduce, 4 * kShownInSarif) + "\n";
  return {{"location", {{"uri", uri_of(one)}}},
          {"mimeType", "text/plain"},
          {"contents", {{"text", std::move(text)}}}};
}

Json artifacts_json(const Run& run) {
  Json artifacts = Json::array();
  for (const auto& one : run.cases) {
    if (!one.findings.empty()) artifacts.push_back(artifact_json(one));
  }
  return artifacts;
}

Json location_json(const CaseResult& one, std::size_t artifact) {
  return {{"physicalLocation",
           {{"artifactLocation", {{"uri", uri_of(one)}, {"index", artifact}}},
            {"region", {{"startLine", 1}}}}},
          {"logicalLocations", {{{"fullyQualifiedName", one.id}, {"kind", "member"}}}}};
}

// `artifact`: the place of the case among those that have findings.
Json result_json(const CaseResult& one, const judge::Finding& finding, std::size_t ordinal,
                 std::size_t artifact) {
  const std::string sent = to_visible(sent_for(one, finding), kShownInSarif);
  const std::string expected = to_visible(finding.expected, kShownInSarif);
  const std::string actual = to_visible(finding.actual, kShownInSarif);
  // What the server said is not part of it: it may hold a clock or a counter.
  const std::string identity =
      fmt::format("{}\n{}\n{}\n{}", finding.requirement, one.id, finding.step, ordinal);
  std::string message = fmt::format("{} ({})\nSent: {}\nExpected: {}\nGot: {}",
                                    judge::sentence_of(finding), one.id, sent, expected, actual);
  // SARIF 2.1.0 §3.11.6: [text](target) would be a link, which no server should place.
  for (auto at = message.find("]("); at != std::string::npos; at = message.find("](", at)) {
    message.insert(at + 1, " ");
  }
  Json json = {{"ruleId", finding.requirement},
               {"level", finding.severity == corpus::Verdict::fail ? "error" : "warning"},
               {"message", {{"text", std::move(message)}}},
               {"locations", Json::array({location_json(one, artifact)})},
               {"partialFingerprints",
                {{"primaryLocationLineHash", fingerprint(identity) + ":1"},
                 {"jrpcheckFinding/v1", fingerprint(identity)}}},
               {"properties",
                {{"sent", sent},
                 {"expected", expected},
                 {"actual", actual},
                 {"reproduce", to_visible(one.reproduce, 4 * kShownInSarif)}}}};
  return json;
}

// SARIF 2.1.0 §3.27.23: where one result says whether it is suppressed, all do.
Json baseline_json(const CaseResult& one) {
  const bool known = is_known(one);
  Json suppressions = Json::array();
  if (known) {
    suppressions.push_back(
        {{"kind", "external"}, {"status", "accepted"}, {"justification", expectation_text(one)}});
  }
  return {{"baselineState", known ? "unchanged" : "new"},
          {"suppressions", std::move(suppressions)}};
}

// Findings are about requirements of the run; but a reader must not depend on it.
Json results_json(const Run& run) {
  std::map<std::string, std::size_t> rule_index;
  for (const auto& each : run.requirements) {
    rule_index.emplace(each.requirement.id, rule_index.size());
  }
  Json results = Json::array();
  std::size_t artifact = 0;
  for (const auto& one : run.cases) {
    std::map<std::string, std::size_t> ordinals;  // of findings that are otherwise the same
    for (const auto& finding : one.findings) {
      const std::string key = fmt::format("{} {}", finding.requirement, finding.step);
      results.push_back(result_json(one, finding, ordinals[key]++, artifact));
      if (run.baseline) results.back().update(baseline_json(one));
      const auto found = rule_index.find(finding.requirement);
      if (found != rule_index.end()) results.back()["ruleIndex"] = found->second;
    }
    if (!one.findings.empty()) ++artifact;
  }
  return results;
}

Json invocation_json(const Run& run) {
  const bool complete = !exercised_nothing(run) && run.interrupted.empty();
  const bool alarming = !complete || (run.baseline && run.baseline->stale > 0);
  Json json = {{"executionSuccessful", complete}, {"startTimeUtc", run.started}};
  Json notifications = Json::array();
  for (const auto& note : all_notes(run)) {
    notifications.push_back(
        {{"level", alarming ? "error" : "note"}, {"message", {{"text", note}}}});
  }
  json["toolExecutionNotifications"] = std::move(notifications);
  return json;
}

}  // namespace

std::string render_sarif(const Run& run) {
  Json rules = Json::array();
  for (const auto& each : run.requirements) rules.push_back(rule_json(each.requirement));
  const Json driver = {{"name", "jrpcheck"},
                       {"version", run.tool_version},
                       {"semanticVersion", run.tool_version},
                       {"informationUri", kSpecification},
                       {"rules", std::move(rules)}};
  const Json one = {{"tool", {{"driver", driver}}},
                    {"invocations", Json::array({invocation_json(run)})},
                    {"columnKind", "utf16CodeUnits"},
                    {"artifacts", artifacts_json(run)},
                    {"results", results_json(run)},
                    {"properties",
                     {{"verdict", result::name_of(run.verdict)},
                      {"summary", summary_of(run)},
                      {"target", to_visible(run.target.text, kShownInSarif)},
                      {"profile", run.profile},
                      {"pass", run.counts.pass},
                      {"warn", run.counts.warn},
                      {"fail", run.counts.fail},
                      {"not-exercised", run.counts.not_exercised},
                      {"not-applicable", run.counts.not_applicable},
                      {"must", must_text(run)}}}};
  const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs", Json::array({one})}};
  return inert_json(log.dump(1, ' ', false, Json::error_handler_t::replace)) + "\n";
}

}  // namespace jrpcheck::reports
