#include "embed/report_text.hpp"

#include "base/bytes.hpp"

namespace jrpcheck::embed {
namespace {

constexpr std::size_t kLongestLine = 2000;

Verdict verdict_of(result::Verdict verdict) {
  switch (verdict) {
    case result::Verdict::pass:
      return Verdict::pass;
    case result::Verdict::warn:
      return Verdict::warn;
    case result::Verdict::fail:
      return Verdict::fail;
    case result::Verdict::not_exercised:
      break;
  }
  return Verdict::not_exercised;
}

std::string line(const std::string& label, const std::string& text) {
  std::string start = "  " + label;
  start.resize(15, ' ');
  return start + text + "\n";
}

std::string text_of(const Event& event) {
  if (event.bytes.empty()) return event.note;
  const std::string text = to_visible(event.bytes, kLongestLine);
  return event.note.empty() ? text : text + "  (" + event.note + ")";
}

std::string text_of(const Finding& finding) {
  const std::string clause = finding.clause.empty() ? "" : " (" + finding.clause + ")";
  const bool fails = finding.severity == Verdict::fail;
  std::string text = line(fails ? "violated" : "inadvisable", finding.requirement + clause);
  text += line("why", finding.message);
  if (!finding.expected.empty()) text += line("expected", finding.expected);
  if (!finding.actual.empty()) text += line("actual", finding.actual);
  return text;
}

}  // namespace

CaseReport report_of(const result::CaseResult& result, const corpus::Ledger& ledger) {
  CaseReport report;
  report.id = result.id;
  report.title = result.title;
  report.verdict = verdict_of(result.verdict);
  report.reason = result.reason;
  for (const auto& each : result.findings) {
    const auto* requirement = ledger.find(each.requirement);
    report.findings.push_back(
        {each.requirement, requirement != nullptr ? requirement->cited_clause() : "",
         each.severity == corpus::Verdict::fail ? Verdict::fail : Verdict::warn, each.message,
         each.expected, each.actual});
  }
  for (const auto& event : result.transcript) {
    report.events.push_back({event.direction == session::Direction::sent, event.bytes, event.note});
  }
  return report;
}

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass:
      return "pass";
    case Verdict::warn:
      return "warn";
    case Verdict::fail:
      return "fail";
    case Verdict::not_exercised:
      break;
  }
  return "not-exercised";
}

std::string CaseReport::text() const {
  std::string text = id + ": " + std::string(name_of(verdict)) + "\n" + line("case", title);
  if (!reason.empty()) text += line("reason", reason);
  for (const auto& finding : findings) text += text_of(finding);
  for (const auto& event : events) text += line(event.sent ? "sent" : "received", text_of(event));
  return text + line("more", "jrpcheck explain " + id);
}

}  // namespace jrpcheck::embed
