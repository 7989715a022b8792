#include "fuzz/finding_log.hpp"

#include <algorithm>
#include <utility>

#include "fuzz/oracle.hpp"
#include "fuzz/protocol.hpp"
#include "result/redact.hpp"

namespace jrpcheck::fuzz {
namespace {

using dialogue::Direction;

// Hidden as in a case, so that one place knows what is to be hidden where. What was sent may hold
// what the server has said before.
void redact(Finding& finding, const std::vector<result::Secret>& secrets) {
  result::CaseResult one;
  one.reproduce = std::move(finding.reproduce);
  one.findings.push_back({finding.requirement, finding.severity, finding.symptom, finding.place,
                          std::move(finding.expected), std::move(finding.actual),
                          std::move(finding.particulars)});
  std::vector<std::string*> texts = {&finding.sent, &finding.standard_error};
  for (auto* each : {&finding.before, &finding.replies}) {
    for (auto& bytes : *each) texts.push_back(&bytes);
  }
  if (finding.company) {
    for (auto* each : {&finding.company->ahead, &finding.company->behind}) {
      for (auto& bytes : *each) texts.push_back(&bytes);
    }
  }
  for (auto* bytes : texts) {
    one.transcript.push_back({Direction::received, microseconds(0), std::move(*bytes), {}});
  }
  one.observations.push_back({"shape", std::move(finding.shape)});
  for (auto& method : finding.traits.methods) {
    one.observations.push_back({"method", std::move(method)});
  }
  result::Run run;
  run.cases.push_back(std::move(one));
  run = result::RedactedRun(std::move(run), secrets).release();

  result::CaseResult& hidden = run.cases.front();
  finding.reproduce = std::move(hidden.reproduce);
  finding.particulars = std::move(hidden.findings.front().particulars);
  finding.expected = std::move(hidden.findings.front().expected);
  finding.actual = std::move(hidden.findings.front().actual);
  finding.place = std::move(hidden.findings.front().place);
  finding.shape = std::move(hidden.observations.front().value);
  for (std::size_t i = 0; i < finding.traits.methods.size(); ++i) {
    finding.traits.methods[i] = std::move(hidden.observations[i + 1].value);
  }
  for (std::size_t i = 0; i < texts.size(); ++i) *texts[i] = std::move(hidden.transcript[i].bytes);
}

}  // namespace

Finding FindingLog::about(std::string sent, std::vector<std::string> before,
                          std::optional<Company> company, const Traits& traits) const {
  Finding finding;
  finding.sent = std::move(sent);
  finding.before = std::move(before);
  finding.company = std::move(company);
  finding.transport = std::string(endpoint_.binding().name);
  finding.traits = traits;
  if (traits.protocol) finding.profile = traits.protocol->law->profile.name;
  finding.seed = seed_;
  return finding;
}

corpus::Case case_playing(const Finding& finding) {
  corpus::Case played;
  for (const auto& message : finding.before) played.steps.push_back(corpus::step_sending(message));
  played.steps.push_back(finding.company
                             ? step_in_company(finding.sent, *finding.company, finding.traits)
                             : corpus::step_sending(finding.sent));
  if (finding.shape.starts_with(kCallBehind)) {
    played.steps.push_back(corpus::step_sending(first_call()));
  }
  if (!finding.company) add_call_behind_death(finding.symptom, played);
  return played;
}

void add_call_behind_death(judge::Symptom symptom, corpus::Case& played) {
  constexpr std::size_t kMomentMs = 100;
  if (symptom != judge::Symptom::died && symptom != judge::Symptom::died_later) return;
  played.steps.push_back(corpus::step_sending(first_call()));
  played.steps.back().listen_first_ms = kMomentMs;
}

void FindingLog::add(Finding finding) {
  finding.reproduce = endpoint_.reproduce(case_playing(finding));
  redact(finding, limits_.secrets());
  const bool is_new = std::none_of(findings_.begin(), findings_.end(), [&](const Finding& other) {
    return other.requirement == finding.requirement && other.shape == finding.shape;
  });
  if (!is_new) return;
  findings_.push_back(std::move(finding));
  observer_.found(findings_.back());
}

bool FindingLog::counts(const judge::Finding& finding) const {
  return limits_.is_fault(finding.severity);
}

bool FindingLog::has_failed() const {
  return std::any_of(findings_.begin(), findings_.end(),
                     [this](const Finding& each) { return limits_.is_fault(each.severity); });
}

}  // namespace jrpcheck::fuzz
