#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/join.hpp"
#include "base/number_of.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/finding_text.hpp"
#include "reports/report.hpp"
#include "reports/summary.hpp"
#include "reports/wrap.hpp"
#include "result/cause.hpp"
#include "result/server_profile.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Cause;
using result::Run;
using result::Verdict;

constexpr std::size_t kLongestSummary = 300;  // of an observation
constexpr std::size_t kSentence = 2000;
constexpr std::size_t kNamedCases = 6;  // more are counted
constexpr std::size_t kWorstShown = 3;  // in the answer

// A command is for a shell.
std::string wrapped_line(const std::string& line) {
  if (!line.starts_with("  ")) return wrap("", line);
  if (!line.starts_with("  jrpcheck ")) return wrap("  ", line.substr(2));
  const std::string wrapped = wrap_shell("  ", line.substr(2));
  return wrapped.empty() ? line + "\n" : wrapped;
}

// A text that has lines of its own, each wrapped.
std::string wrapped_lines(std::string_view text) {
  std::string lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    lines += wrapped_line(to_visible(text.substr(0, end), kSentence));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string verdict_line(const Run& run, const Palette& palette) {
  std::string name(result::name_of(run.verdict));
  return fmt::format(
      "{}  {}  {}{}\n", palette.run(run.verdict, name), must_text(run),
      to_visible(run.target.text, kSentence),
      run.target.framing.empty()
          ? ""
          : palette.dim(fmt::format(
                "  ({}{})", run.target.transport,
                run.target.framing == run.target.transport ? "" : ", " + run.target.framing)));
}

std::string numbers_text(const Run& run, const Palette& palette) {
  const auto& counts = run.counts;
  const auto number = [&](Verdict verdict, std::size_t count, std::string_view word) {
    const std::string text = fmt::format("{} {}", count, word);
    const bool is_no_alarm = verdict == Verdict::fail && fails_as_known(run);
    return count == 0 || is_no_alarm ? text : palette.verdict(verdict, text);
  };
  return fmt::format("{}, {}, {}, {}, {}", number(Verdict::pass, counts.pass, "passed"),
                     number(Verdict::warn, counts.warn, "warned"),
                     number(Verdict::fail, counts.fail, "failed"),
                     number(Verdict::not_exercised, counts.not_exercised, "not exercised"),
                     number(Verdict::not_applicable, counts.not_applicable, "not applicable"));
}

std::string numbers_line(const Run& run, const Palette& palette) {
  return numbers_text(run, palette) +
         palette.dim(fmt::format("  ({} in {})\n", number_of(run.cases.size(), "case"),
                                 duration_text(run.duration)));
}

std::string class_lines(const Run& run, const Palette& palette) {
  std::size_t width = 13;
  for (const auto& each : run.classes) width = std::max(width, each.name.size());
  std::string text = palette.dim(fmt::format("{:<{}} {:<9} {:>6} {:>6} {:>6} {:>14} {:>15}\n",
                                             "requirements", width, "verdict", "pass", "warn",
                                             "fail", "not exercised", "not applicable"));
  for (const auto& each : run.classes) {
    const auto& counts = each.counts;
    const std::string verdict = fmt::format("{:<9}", result::name_of(each.verdict));
    text += fmt::format("{:<{}} {} {:>6} {:>6} {:>6} {:>14} {:>15}\n", each.name, width,
                        palette.run(each.verdict, verdict), counts.pass, counts.warn, counts.fail,
                        counts.not_exercised, counts.not_applicable);
  }
  return text;
}

std::string explain_line(const std::string& id, const ConsoleOptions& options) {
  const std::string folder =
      options.cases.empty() ? "" : "--cases " + shell_quote(options.cases) + " ";
  return "jrpcheck explain " + folder + shell_quote(id);
}

// Where what is sent is too long to be typed, or needs more than a shell.
std::string again_line(const Charge& charge, const ConsoleOptions& options) {
  const auto& one = *charge.one;
  // What passed beside the cases is none that could be asked for.
  if (!one.ordinal) return explain_line(charge.finding->requirement, options);
  if (!options.takes_selection) return explain_line(one.id, options);
  return "the same command with --select " + shell_quote(one.id);
}

std::string evidence(const Charge& charge, const ConsoleOptions& options) {
  const auto& finding = *charge.finding;
  const auto& one = *charge.one;
  const std::string again = again_line(charge, options);
  const bool can_repeat = one.ordinal && options.takes_selection;
  return finding_lines({one.id,
                        judge::sentence_of(finding),
                        one.expected ? expectation_text(one) : "",
                        {},
                        sent_for(one, finding),
                        finding.actual,
                        finding.expected,
                        one.reproduce.empty() && can_repeat ? again : one.reproduce,
                        again});
}

std::string also_in(const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  const std::size_t named = std::min(ids.size(), kNamedCases);
  std::string text = joined(std::span(ids).first(named));
  if (named < ids.size()) text += fmt::format(" and {} more", ids.size() - named);
  return wrap("  also in ", text);
}

std::string cases_text(const Cause& cause) {
  return cause.case_count() > 1 ? fmt::format("({})", cause.cases_in_words()) : "";
}

// With a space between them where there are both.
std::string beside(std::string_view a, std::string_view b) {
  return fmt::format("{}{}{}", a, a.empty() || b.empty() ? "" : " ", b);
}

std::string_view label_of(const Cause& cause) {
  return cause.is_known() ? "KNOWN" : cause.harm == result::Harm::warning ? "WARN" : "FAIL";
}

std::string painted_label(const Cause& cause, const Palette& palette) {
  const auto label = label_of(cause);
  if (cause.is_known()) return palette.dim(label);
  return palette.verdict(cause.harm == result::Harm::warning ? Verdict::warn : Verdict::fail,
                         label);
}

// What is known is told, and takes no room from what is not.
std::string known_line(const Cause& cause, const Palette& palette) {
  const auto& one = *cause.charges.front().one;
  const std::size_t others = cause.case_count() - 1;
  const std::string& reason = one.expected->reason;
  const bool is_flaky = one.expected->expectation == result::Expectation::flaky;
  const std::string about = is_flaky ? expectation_text(one) : reason;
  const auto text =
      fmt::format("{}  {}{}{}{}", cause.first().requirement, one.id, about.empty() ? "" : ": ",
                  about, others > 0 ? fmt::format(" (and {} more)", others) : "");
  const std::string_view label = label_of(cause);
  return palette.dim(label) +
         wrap(std::string(label) + "  ", to_visible(text, kSentence)).substr(label.size());
}

std::string heading(const Run& run, const Cause& cause, const Palette& palette) {
  const auto ids = cause.requirements();
  if (!cause.failure.empty()) {
    const std::string about = beside("in place of answers", cases_text(cause));
    return "\n" + finding_heading(palette, painted_label(cause, palette), cause.failure, about) +
           wrap("  breaks ", joined(ids));
  }
  return "\n" + rule_heading(palette, painted_label(cause, palette), ids.front(),
                             run.find_requirement(ids.front()), cases_text(cause));
}

std::string cause_block(const Run& run, const Cause& cause, const ConsoleOptions& options,
                        const Palette& palette) {
  if (cause.is_known() && !options.verbose) return known_line(cause, palette);
  std::string text = heading(run, cause, palette);
  const auto& charges = cause.charges;
  const std::size_t shown =
      options.verbose ? charges.size() : std::min<std::size_t>(charges.size(), 1);
  for (std::size_t i = 0; i < shown; ++i) text += evidence(charges[i], options);
  return text + also_in(other_cases(charges, shown));
}

std::string findings_text(const Run& run, const std::vector<Cause>& causes,
                          const ConsoleOptions& options, const Palette& palette) {
  std::string text;
  bool are_known = false;
  for (const auto& cause : causes) {
    if (cause.is_known() && !options.verbose && !std::exchange(are_known, true)) text += "\n";
    text += cause_block(run, cause, options, palette);
  }
  return text;
}

std::string not_exercised_text(const Run& run) {
  std::string text;
  for (const auto& one : run.cases) {
    if (one.verdict != Verdict::not_exercised) continue;
    text += wrap("  ", one.id + ": " + to_visible(one.reason, kSentence));
  }
  return text.empty() ? text : "\nnot exercised:\n" + text;
}

// Short: only what matters to most clients.
std::string profile_text(const Run& run, bool verbose) {
  std::string text;
  for (const auto& point : result::server_profile(run.observations)) {
    if (!verbose && !point.in_short) continue;
    text +=
        wrap("  ", fmt::format("{}: {}", point.name, to_visible(point.summary, kLongestSummary)));
  }
  return text.empty() ? text : "\nwhere the specification leaves it open, this server:\n" + text;
}

// A run that fails as its baseline says is nothing to worry about.
std::string verdict_words(const Run& run, const Palette& palette) {
  const std::string name(result::name_of(run.verdict));
  if (!fails_as_known(run)) return palette.run(run.verdict, name);
  return palette.run(result::RunVerdict::conforms, "known") + "  " + name;
}

std::string target_text(const Run& run) {
  const std::string binding = binding_text(run.target);
  return to_visible(run.target.text, kSentence) + (binding.empty() ? "" : " (" + binding + ")");
}

std::string worst_text(const std::vector<Cause>& causes, const Palette& palette) {
  std::string text;
  std::size_t shown = 0;
  std::size_t left = 0;
  for (const auto& cause : causes) {
    if (cause.is_known() || shown == kWorstShown) {
      left += cause.is_known() ? 0 : 1;
      continue;
    }
    ++shown;
    const auto& finding = cause.first();
    const std::string what =
        cause.failure.empty()
            ? finding.requirement + ": " + to_visible(judge::sentence_of(finding), kSentence)
            : cause.failure + " in place of answers";
    const std::string count = cases_text(cause);
    text += fmt::format("  {}  {}\n", painted_label(cause, palette),
                        beside(shortened(what, kScreenWidth - 9 - count.size()), count));
  }
  if (left > 0) text += fmt::format("  and {} more above\n", left);
  return text;
}

std::string next_text(const Run& run, const std::vector<Cause>& causes,
                      const ConsoleOptions& options) {
  std::string text;
  const auto add = [&](const std::string& line) {
    text += wrap(text.empty() ? "next    " : "        ", line);
  };
  const bool finds = !causes.empty() && !causes.front().is_known();
  if (finds) add(explain_line(causes.front().first().requirement, options));
  const bool has_page = std::ranges::any_of(
      options.written, [](const auto& path) { return path.starts_with("html "); });
  if (finds && !has_page) add("--report html=report.html writes a page with everything");
  if (run.baseline && !run.baseline->holds()) {
    add("--update-baseline makes the baseline say what this run has shown");
  } else if (options.takes_baseline && run.counts.fail > 0 && !run.baseline) {
    add("--baseline known.json --update-baseline takes these failures for known");
  }
  return text;
}

// What is read first stands last.
std::string answer_text(const Run& run, const std::vector<Cause>& causes,
                        const ConsoleOptions& options, const Palette& palette) {
  std::string text = "\n" + verdict_words(run, palette) + "  ";
  const std::size_t indent =
      columns_of(result::name_of(run.verdict)) + (fails_as_known(run) ? 9 : 2);
  text += wrap(std::string(indent, ' '), target_text(run)).substr(indent);
  text += wrap("", summary_of(run));
  text += numbers_text(run, palette) + "\n";
  text += fmt::format("{} ({} in {})\n", must_text(run), number_of(run.cases.size(), "case"),
                      duration_text(run.duration));
  if (!run.interrupted.empty()) {
    text += wrap("partial: ", to_visible(run.interrupted, kSentence));
  }
  if (run.baseline) text += wrap("", to_visible(baseline_text(run), kSentence));
  if (const std::string leading = result::leading_cause(run, causes); !leading.empty()) {
    const std::string lines = wrap("", leading);
    text += palette.bold(lines.substr(0, lines.size() - 1)) + "\n";
  }
  text += worst_text(causes, palette);
  for (const auto& path : options.written) text += wrap("report  ", to_visible(path, kSentence));
  return text + next_text(run, causes, options);
}

std::string console_text(const Run& run, const ConsoleOptions& options) {
  const Palette palette(options.color);
  if (options.quiet) {
    std::string text = verdict_line(run, palette) + numbers_line(run, palette);
    if (!run.interrupted.empty())
      text += fmt::format("partial: {}\n", to_visible(run.interrupted, kSentence));
    if (run.baseline) text += fmt::format("{}\n", to_visible(baseline_text(run), kSentence));
    return text;
  }
  const auto causes = result::causes_of(run);
  std::string text = class_lines(run, palette);
  for (const auto& note : other_notes(run)) text += "\n" + wrapped_lines(note);
  text += profile_text(run, options.verbose);
  if (options.verbose) text += not_exercised_text(run);
  text += findings_text(run, causes, options, palette);
  return text + answer_text(run, causes, options, palette);
}

}  // namespace

// What is wrapped may put any word at the beginning of a line.
std::string render_console(const Run& run, const ConsoleOptions& options) {
  return without_log_commands(console_text(run, options));
}

}  // namespace jrpcheck::reports
