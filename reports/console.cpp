#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/names.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"
#include "result/server_profile.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::RequirementResult;
using result::Run;
using result::Verdict;

constexpr std::size_t kWidth = 400;  // longer evidence is cut in the middle
constexpr std::size_t kSentence = 2000;
constexpr std::size_t kNamedCases = 6;  // more are counted

class Palette {
 public:
  explicit Palette(bool color) : color_(color) {}
  std::string bold(std::string_view text) const { return paint("1", text); }
  std::string dim(std::string_view text) const { return paint("2", text); }
  std::string verdict(Verdict verdict, std::string_view text) const {
    return paint(name_at({"32", "1;33", "1;31", "36", "36"}, verdict), text);
  }
  std::string run(result::RunVerdict verdict, std::string_view text) const {
    return paint(name_at({"1;32", "1;36", "1;31", "1", "1"}, verdict), text);
  }

 private:
  std::string paint(std::string_view code, std::string_view text) const {
    return color_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
  }
  bool color_;
};

// Notes have lines of their own.
std::string visible_lines(std::string_view text) {
  std::string visible;
  while (true) {
    const auto end = text.find('\n');
    visible += to_visible(text.substr(0, end), kSentence);
    if (end == std::string_view::npos) return visible;
    visible += '\n';
    text.remove_prefix(end + 1);
  }
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

std::string numbers_line(const Run& run, const Palette& palette) {
  const auto& counts = run.counts;
  const auto number = [&](Verdict verdict, std::size_t count, std::string_view word) {
    const std::string text = fmt::format("{} {}", count, word);
    return count == 0 ? text : palette.verdict(verdict, text);
  };
  return fmt::format(
      "{}, {}, {}, {}, {}  {}\n", number(Verdict::pass, counts.pass, "passed"),
      number(Verdict::warn, counts.warn, "warned"), number(Verdict::fail, counts.fail, "failed"),
      number(Verdict::not_exercised, counts.not_exercised, "not exercised"),
      number(Verdict::not_applicable, counts.not_applicable, "not applicable"),
      palette.dim(fmt::format("({} cases in {})", run.cases.size(), duration_text(run.duration))));
}

std::string class_lines(const Run& run, const Palette& palette) {
  std::string text = palette.dim(fmt::format("{:<13} {:<9} {:>6} {:>6} {:>6} {:>14} {:>15}\n",
                                             "requirements", "verdict", "pass", "warn", "fail",
                                             "not exercised", "not applicable"));
  for (const auto& each : run.classes) {
    const auto& counts = each.counts;
    const std::string verdict = fmt::format("{:<9}", result::name_of(each.verdict));
    text += fmt::format("{:<13} {} {:>6} {:>6} {:>6} {:>14} {:>15}\n", each.name,
                        palette.run(each.verdict, verdict), counts.pass, counts.warn, counts.fail,
                        counts.not_exercised, counts.not_applicable);
  }
  return text;
}

std::string evidence(const Charge& charge, const Palette& palette) {
  const auto& finding = *charge.finding;
  const auto row = [&](std::string_view name, const std::string& value) {
    return fmt::format("    {}  {}\n", palette.dim(fmt::format("{:<8}", name)), value);
  };
  std::string text =
      fmt::format("  {}: {}\n", charge.one->id, to_visible(judge::sentence_of(finding), kSentence));
  const std::string sent = sent_in_step(*charge.one, finding.step);
  if (charge.one->expected) {
    text += row("baseline", to_visible(expectation_text(*charge.one), kSentence));
  }
  text += row("sent", sent.empty() ? "(nothing)" : to_visible(sent, kWidth));
  text += row("got", to_visible(finding.actual, kWidth));
  text += row("expected", to_visible(finding.expected, kWidth));
  if (!charge.one->reproduce.empty()) text += row("try", visible_lines(charge.one->reproduce));
  return text;
}

std::string other_cases(const std::vector<Charge>& charges, std::size_t shown) {
  std::vector<std::string> ids;
  for (std::size_t i = shown; i < charges.size(); ++i) {
    const auto& id = charges[i].one->id;
    if (id != charges.front().one->id && std::find(ids.begin(), ids.end(), id) == ids.end()) {
      ids.push_back(id);
    }
  }
  if (ids.empty()) return {};
  const std::size_t named = std::min(ids.size(), kNamedCases);
  std::string text =
      fmt::format("  also in {}",
                  fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(named), ", "));
  if (named < ids.size()) text += fmt::format(" and {} more", ids.size() - named);
  return text + "\n";
}

std::string known_cases(const std::vector<Charge>& charges) {
  std::string text;
  for (const auto& charge : charges) {
    const auto line = fmt::format("  {}: {}\n", charge.one->id,
                                  to_visible(expectation_text(*charge.one), kSentence));
    if (text.find(line) == std::string::npos) text += line;
  }
  return text;
}

std::string requirement_block(const RequirementResult& one, const std::vector<Charge>& charges,
                              const ConsoleOptions& options, const Palette& palette) {
  const auto& requirement = one.requirement;
  const std::string clause = requirement.cited_clause();
  const bool known = all_known(charges);
  const std::string_view label = known ? "KNOWN" : one.verdict == Verdict::fail ? "FAIL" : "WARN";
  std::string text = fmt::format(
      "\n{}  {}  {}\n", known ? palette.dim(label) : palette.verdict(one.verdict, label),
      palette.bold(requirement.id), palette.dim(clause.empty() ? "" : clause));
  text += fmt::format("  {}\n", to_visible(requirement.text, kSentence));
  // What is known is told, and takes no room from what is not.
  if (known && !options.verbose) return text + known_cases(charges);
  const std::size_t shown =
      options.verbose ? charges.size() : std::min<std::size_t>(charges.size(), 1);
  for (std::size_t i = 0; i < shown; ++i) text += evidence(charges[i], palette);
  return text + other_cases(charges, shown);
}

std::string findings_text(const Run& run, const ConsoleOptions& options, const Palette& palette) {
  const auto charges = charges_by_requirement(run);
  std::string text;
  for (const auto& [verdict, known] : order_of_findings()) {
    for (const auto& requirement : run.requirements) {
      const auto found = charges.find(requirement.requirement.id);
      if (requirement.verdict != verdict || found == charges.end()) continue;
      if (all_known(found->second) != known) continue;
      text += requirement_block(requirement, found->second, options, palette);
    }
  }
  return text;
}

std::string not_exercised_text(const Run& run) {
  std::string text;
  for (const auto& one : run.cases) {
    if (one.verdict != Verdict::not_exercised) continue;
    text += fmt::format("  {}: {}\n", one.id, to_visible(one.reason, kSentence));
  }
  return text.empty() ? text : "\nnot exercised:\n" + text;
}

// Short: only what matters to most clients.
std::string profile_text(const Run& run, bool verbose) {
  std::string text;
  for (const auto& point : result::server_profile(run.observations)) {
    if (!verbose && !point.in_short) continue;
    text += fmt::format("  {}: {}\n", point.name, to_visible(point.summary, kWidth));
  }
  return text.empty() ? text : "\nwhere the specification leaves it open, this server:\n" + text;
}

}  // namespace

std::string render_console(const Run& run, const ConsoleOptions& options) {
  const Palette palette(options.color);
  std::string text = verdict_line(run, palette) + numbers_line(run, palette);
  if (!run.interrupted.empty()) text += fmt::format("partial: {}\n", run.interrupted);
  if (run.baseline) text += fmt::format("{}\n", to_visible(baseline_text(run), kSentence));
  if (options.quiet) return text;
  text += class_lines(run, palette);
  for (const auto& note : other_notes(run)) text += fmt::format("\n{}\n", visible_lines(note));
  text += findings_text(run, options, palette);
  text += profile_text(run, options.verbose);
  if (options.verbose) text += not_exercised_text(run);
  return text;
}

}  // namespace jrpcheck::reports
