#include "embed/report_text.hpp"

#include "base/bytes.hpp"

namespace jrpcheck::embed {
namespace {

constexpr std::size_t kLongestLine = 2000;

// The public names of the verdicts are those of the results, in the same order.
template <typename To, typename From>
constexpr To same_verdict(From verdict) {
  static_assert(static_cast<int>(To::pass) == static_cast<int>(From::pass));
  static_assert(static_cast<int>(To::warn) == static_cast<int>(From::warn));
  static_assert(static_cast<int>(To::fail) == static_cast<int>(From::fail));
  static_assert(static_cast<int>(To::not_exercised) == static_cast<int>(From::not_exercised));
  return static_cast<To>(verdict);
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
  report.verdict = same_verdict<Verdict>(result.verdict);
  report.reason = result.reason;
  for (const auto& each : result.findings) {
    const auto* requirement = ledger.find(each.requirement);
    report.findings.push_back(
        {each.requirement, requirement != nullptr ? requirement->cited_clause() : "",
         each.severity == corpus::Verdict::fail ? Verdict::fail : Verdict::warn,
         judge::sentence_of(each), each.expected, each.actual});
  }
  for (const auto& event : result.transcript) {
    if (!event.is_for_people()) continue;
    report.events.push_back(
        {event.direction == dialogue::Direction::sent, event.bytes, event.note});
  }
  return report;
}

std::string_view name_of(Verdict verdict) {
  return result::name_of(same_verdict<result::Verdict>(verdict));
}

std::string CaseReport::text() const {
  std::string text = id + ": " + std::string(name_of(verdict)) + "\n" + line("case", title);
  if (!reason.empty()) text += line("reason", reason);
  for (const auto& finding : findings) text += text_of(finding);
  for (const auto& event : events) text += line(event.sent ? "sent" : "received", text_of(event));
  return text + line("more", "jrpcheck explain " + id);
}

}  // namespace jrpcheck::embed
