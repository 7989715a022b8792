#include "cli/properties_screen.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "base/names.hpp"
#include "base/number_of.hpp"
#include "dialogue/transcript.hpp"
#include "reports/evidence.hpp"
#include "reports/finding_text.hpp"
#include "reports/wrap.hpp"

namespace jrpcheck::cli {
namespace {

using result::Verdict;

constexpr std::size_t kShown = 2000;

// What passed from that step on, in front of what was sent at last.
std::vector<std::pair<std::string_view, std::string>> exchanges_between(
    const result::CaseResult& one, std::size_t first, std::size_t last) {
  std::vector<std::pair<std::string_view, std::string>> rows;
  for (const auto& event : one.transcript) {
    if (event.step < first || event.step >= last) continue;
    const bool is_sent = event.direction == dialogue::Direction::sent;
    rows.emplace_back(is_sent ? "sent" : "got", event.bytes.empty() ? event.note : event.bytes);
  }
  return rows;
}

std::string findings_text(const result::CaseResult& one) {
  std::string text;
  std::size_t first = 0;
  for (const auto& finding : one.findings) {
    text += reports::finding_lines({finding.requirement, judge::sentence_of(finding), "",
                                    exchanges_between(one, first, finding.step),
                                    reports::sent_in_step(one, finding.step), finding.actual,
                                    finding.expected,
                                    &finding == &one.findings.front() ? one.reproduce : "", ""});
    first = finding.step + 1;
  }
  return text;
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

void print_property(const result::RedactedRun& run, const properties::PropertyResult& figures,
                    bool color, std::ostream& out) {
  const auto& one = run->cases.front();
  const reports::Palette palette(color);
  const std::string word(word_of(one.verdict));
  const std::string title = one.title + figures_text(figures);
  if (one.findings.empty()) {
    const std::string line = reports::wrap(word + "  ", one.id + "  " + title);
    out << palette.verdict(one.verdict, word) << line.substr(word.size());
  } else {
    out << reports::finding_heading(palette, palette.verdict(one.verdict, word), one.id, "")
        << reports::wrap("  ", title) << without_log_commands(findings_text(one));
  }
  if (!one.reason.empty()) {
    const std::string why =
        one.verdict == Verdict::not_applicable ? "does not apply: " : "not exercised: ";
    out << without_log_commands(reports::wrap("  ", why + to_visible(one.reason, kShown)));
  }
  out << std::flush;
}

void print_sums(const result::RedactedRun& redacted, std::size_t notes, std::size_t tests,
                std::ostream& out) {
  const result::Run& run = redacted;
  for (std::size_t i = 0; i < notes; ++i) {
    out << without_log_commands(reports::wrap("", to_visible(run.notes[i], kShown)));
  }
  if (!run.interrupted.empty()) out << fmt::format("partial: {}\n", run.interrupted);
  const auto& counts = run.counts;
  out << fmt::format("{} held, {} warned, {} broken, {} not exercised  (seed {}, {} each)\n",
                     counts.pass, counts.warn, counts.fail, counts.not_exercised, run.seed,
                     number_of(tests, "test"));
  if (counts.fail + counts.warn > 0) {
    out << fmt::format("again: the same command with --seed {} --tests {} --only PROPERTY\n",
                       run.seed, tests);
  }
  out << std::flush;
}

}  // namespace jrpcheck::cli
