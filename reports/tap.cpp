#include <fmt/format.h>

#include "base/bytes.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Run;
using result::Verdict;

constexpr std::size_t kShownInTap = 1000;

// A # would begin a directive, and a backslash escapes.
std::string escape_tap(std::string_view text) {
  std::string out;
  for (const char c : to_visible(text, kShownInTap)) {
    if (c == '#' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

// YAML 1.2 §7.3.2: in single quotes nothing but the quote itself has a meaning.
std::string yaml_text(std::string_view text) {
  std::string out = "'";
  for (const char c : to_visible(text, kShownInTap)) out += c == '\'' ? "''" : std::string(1, c);
  return out + "'";
}

std::string diagnostics(const CaseResult& one) {
  std::string text = "  ---\n";
  text += fmt::format("  severity: {}\n", result::name_of(one.verdict));
  if (one.expected) text += fmt::format("  baseline: {}\n", yaml_text(expectation_text(one)));
  text += one.findings.empty() ? "  findings: []\n" : "  findings:\n";
  for (const auto& finding : one.findings) {
    text += fmt::format("    - requirement: {}\n", yaml_text(finding.requirement));
    text += fmt::format("      message: {}\n", yaml_text(judge::sentence_of(finding)));
    text += fmt::format("      sent: {}\n", yaml_text(sent_for(one, finding)));
    text += fmt::format("      expected: {}\n", yaml_text(finding.expected));
    text += fmt::format("      got: {}\n", yaml_text(finding.actual));
  }
  text += fmt::format("  try: {}\n", yaml_text(one.reproduce));
  return text + "  ...\n";
}

// There is a directive for failures that are known: readers count them as no failures.
std::string test_line(const Run& run, const CaseResult& one, std::size_t number) {
  const bool failed = is_alarm(run, one) || one.verdict == Verdict::fail;
  std::string line = fmt::format("{} {} - {}: {}", failed ? "not ok" : "ok", number,
                                 escape_tap(one.id), escape_tap(one.title));
  if (failed && is_known(one)) line += " # TODO " + to_visible(expectation_text(one), kShownInTap);
  if (!was_exercised(one.verdict)) line += " # SKIP " + to_visible(one.reason, kShownInTap);
  return line + "\n";
}

// Of what version 14 adds nothing is used: only the name differs.
std::string render_version(const Run& run, int version) {
  std::string text =
      fmt::format("TAP version {}\n1..{}{}\n", version, run.cases.size(),
                  run.cases.empty() && run.shard ? " # SKIP no case is in this shard" : "");
  text += fmt::format("# {}: {}, {}; {}\n", to_visible(run.target.text, kShownInTap),
                      result::name_of(run.verdict), must_text(run), counts_text(run.counts));
  for (const auto& note : all_notes(run)) text += "# " + to_visible(note, kShownInTap) + "\n";
  if (run.cases.empty() && run.shard) return text;
  // A plan of skipped tests alone counts as a success.
  if (exercised_nothing(run)) {
    const std::string why = run.interrupted.empty() ? "nothing was exercised" : run.interrupted;
    return text + "Bail out! " + to_visible(why, kShownInTap) + "\n";
  }
  std::size_t number = 0;
  for (const auto& one : run.cases) {
    text += test_line(run, one, ++number);
    if (!one.findings.empty() || is_alarm(run, one)) text += diagnostics(one);
  }
  if (!run.interrupted.empty())
    text += "Bail out! " + to_visible(run.interrupted, kShownInTap) + "\n";
  return text;
}

}  // namespace

std::string render_tap(const Run& run) { return without_log_commands(render_version(run, 13)); }

std::string render_tap14(const Run& run) { return without_log_commands(render_version(run, 14)); }

}  // namespace jrpcheck::reports
