#include "fuzz/as_run.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/memory_growth.hpp"
#include "result/redact.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Direction;
using result::CaseResult;

CaseResult case_of(const Finding& finding) {
  CaseResult one;
  const std::string file = file_name_of(finding);
  one.id = "fuzz/" + file.substr(0, file.rfind('.'));
  one.title = finding.shape;
  const bool warns = finding.severity == corpus::Verdict::warn;
  one.verdict = warns ? result::Verdict::warn : result::Verdict::fail;
  one.requirements = {finding.requirement};
  std::string message = finding.message;
  if (finding.is_flaky()) {
    message += " (flaky: " + std::to_string(finding.shown) + " of " +
               std::to_string(finding.tries) + " times when it was sent again)";
  }
  one.findings.push_back({finding.requirement, finding.severity, std::move(message),
                          finding.expected, finding.actual});
  one.exercised = {finding.requirement};
  const auto add = [&one](Direction direction, const std::string& bytes) {
    auto kept = dialogue::excerpt(bytes);
    one.transcript.push_back(
        {direction, microseconds(0), std::move(kept.bytes), {}, 0, kept.left_out});
  };
  for (const auto& earlier : finding.before) add(Direction::sent, earlier);
  add(Direction::sent, finding.sent);
  for (const auto& reply : finding.replies) add(Direction::received, reply);
  if (!finding.standard_error.empty()) add(Direction::standard_error, finding.standard_error);
  one.reproduce = finding.reproduce;
  return one;
}

CaseResult passed(const corpus::Requirement& requirement) {
  CaseResult one;
  one.id = "fuzz/" + requirement.id;
  one.title = requirement.text;
  one.verdict = result::Verdict::pass;
  one.requirements = {requirement.id};
  one.exercised = {requirement.id};
  return one;
}

void add_cases(const Campaign& campaign, const corpus::Ledger& ledger, result::Run& run) {
  const auto& findings = campaign.findings();
  for (const auto& finding : findings) run.cases.push_back(case_of(finding));
  for (const auto& requirement : ledger.requirements()) {
    const bool charged = std::any_of(findings.begin(), findings.end(), [&](const Finding& each) {
      return each.requirement == requirement.id;
    });
    if (!charged && campaign.exercised().count(requirement.id) != 0) {
      run.cases.push_back(passed(requirement));
    }
  }
}

// Of what the campaign has met, and no more: the rest of the ledger is for `run`.
std::vector<std::string> classes_met(const result::Run& run, const corpus::Ledger& ledger) {
  std::vector<std::string> classes;
  for (const auto& one : run.cases) {
    const auto* requirement = ledger.find(one.requirements.front());
    if (requirement == nullptr) continue;
    const auto& name = requirement->class_name;
    if (std::find(classes.begin(), classes.end(), name) == classes.end()) classes.push_back(name);
  }
  return classes;
}

std::string plural(unsigned long long count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

void add_notes(const Campaign& campaign, result::Run& run) {
  const Tally tally = campaign.tally();
  run.notes.push_back("This is a campaign of jrpcheck fuzz: " + plural(tally.exchanges, "message") +
                      ", " + plural(tally.answered_calls, "valid call") + " answered, " +
                      plural(tally.shapes, "shape") + " of replies.");
  if (tally.answered_calls == 0) {
    run.notes.emplace_back("No valid call was answered as it must be: nothing was tested.");
  }
  // Then it is as if there were no server any more.
  if (!campaign.lost().empty() && run.interrupted.empty()) {
    run.notes.push_back("The server was lost: " + campaign.lost());
  }
  if (campaign.has_grown_unexplained()) {
    run.notes.push_back("The server's memory grew from " + in_mebibytes(tally.memory->at_first) +
                        " to " + in_mebibytes(tally.memory->now) +
                        ", but steadily with none of the latest messages.");
  }
  if (tally.unconfirmed > 0) {
    run.notes.push_back(plural(tally.unconfirmed, "suspicion") +
                        " did not show when the message was sent again, and are no findings.");
  }
}

}  // namespace

result::Run as_run(const Campaign& campaign, const corpus::Corpus& corpus,
                   const run::Endpoint& endpoint, result::Run begun) {
  result::Run run = std::move(begun);
  run.target = run::target_of(endpoint);
  run.duration = campaign.tally().took;
  add_cases(campaign, corpus.ledger, run);
  add_notes(campaign, run);
  result::summarise(run, corpus.ledger, {classes_met(run, corpus.ledger), {}, false});
  return run;
}

void redact(Finding& finding, const std::vector<result::Secret>& secrets) {
  // As a case, so that there is one place that knows what is to be hidden where.
  CaseResult one;
  one.reproduce = std::move(finding.reproduce);
  one.findings.push_back({finding.requirement, finding.severity, std::move(finding.message),
                          std::move(finding.expected), std::move(finding.actual)});
  finding.replies.push_back(std::move(finding.standard_error));
  for (auto& bytes : finding.replies) {
    one.transcript.push_back({Direction::received, microseconds(0), std::move(bytes), {}});
  }
  one.observations.push_back({"shape", std::move(finding.shape)});
  result::Run run;
  run.cases.push_back(std::move(one));
  result::redact(run, secrets);

  CaseResult& hidden = run.cases.front();
  finding.reproduce = std::move(hidden.reproduce);
  finding.message = std::move(hidden.findings.front().message);
  finding.expected = std::move(hidden.findings.front().expected);
  finding.actual = std::move(hidden.findings.front().actual);
  finding.shape = std::move(hidden.observations.front().value);
  for (std::size_t i = 0; i < finding.replies.size(); ++i) {
    finding.replies[i] = std::move(hidden.transcript[i].bytes);
  }
  finding.standard_error = std::move(finding.replies.back());
  finding.replies.pop_back();
}

}  // namespace jrpcheck::fuzz
