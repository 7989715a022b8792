#include "cli/properties_screen.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/names.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::cli {
namespace {

using result::Verdict;

constexpr std::size_t kShown = 2000;

// All that was sent and came back in one step, a line each.
std::string exchange_lines(const result::CaseResult& one, std::size_t step) {
  std::string text;
  for (const auto& event : one.transcript) {
    if (event.step != step) continue;
    const std::string what = event.bytes.empty() ? event.note : event.bytes;
    text +=
        fmt::format("    {:<9} {}\n", dialogue::name_of(event.direction), to_visible(what, kShown));
    if (!event.bytes.empty() && !event.note.empty()) {
      text += fmt::format("              ({})\n", event.note);
    }
  }
  return text;
}

void print_findings(const result::CaseResult& one, std::ostream& out) {
  std::size_t first = 0;
  for (const auto& finding : one.findings) {
    out << fmt::format("  {} {}: {}\n",
                       finding.severity == corpus::Verdict::warn ? "warns" : "breaks",
                       finding.requirement, to_visible(judge::sentence_of(finding), kShown));
    for (std::size_t step = first; step <= finding.step; ++step) out << exchange_lines(one, step);
    out << fmt::format("    expected  {}\n    actual    {}\n", to_visible(finding.expected, kShown),
                       to_visible(finding.actual, kShown));
    first = finding.step + 1;
  }
  if (!one.reproduce.empty()) out << fmt::format("    try       {}\n", one.reproduce);
}

std::string_view word_of(Verdict verdict) {
  return name_at({"PASS", "WARN", "FAIL", "----", "----"}, verdict);
}

std::string figures_text(const properties::PropertyResult& figures) {
  if (figures.tests == 0) return "";
  const auto skipped = figures.tests - figures.shown();
  const std::string of = figures.tests < figures.asked ? fmt::format(" of {}", figures.asked) : "";
  return fmt::format("  ({}{} test{}{})", figures.tests, of, figures.asked == 1 ? "" : "s",
                     skipped > 0 ? fmt::format(", {} skipped", skipped) : "");
}

}  // namespace

void print_property(const result::CaseResult& one, const properties::PropertyResult& figures,
                    std::ostream& out) {
  out << fmt::format("{}  {}  {}{}\n", word_of(one.verdict), one.id, one.title,
                     figures_text(figures));
  if (!one.reason.empty()) {
    out << fmt::format("  not exercised: {}\n", to_visible(one.reason, kShown));
  }
  std::ostringstream findings;
  print_findings(one, findings);
  out << without_log_commands(findings.str()) << std::flush;
}

void print_sums(const result::Run& run, std::size_t tests, std::ostream& out) {
  for (const auto& note : run.notes) {
    out << without_log_commands(to_visible(note, kShown)) << "\n";
  }
  if (!run.interrupted.empty()) out << fmt::format("partial: {}\n", run.interrupted);
  const auto& counts = run.counts;
  out << fmt::format("{} held, {} warned, {} broken, {} not exercised  (seed {}, {} tests each)\n",
                     counts.pass, counts.warn, counts.fail, counts.not_exercised, run.seed, tests);
  if (counts.fail + counts.warn > 0) {
    out << fmt::format("again: the same command with --seed {} --tests {} --only PROPERTY\n",
                       run.seed, tests);
  }
  out << std::flush;
}

}  // namespace jrpcheck::cli
