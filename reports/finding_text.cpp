#include "reports/finding_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "base/names.hpp"
#include "reports/wrap.hpp"

namespace jrpcheck::reports {
namespace {

constexpr std::size_t kShownOfEvidence = 300;  // longer evidence is cut in the middle
constexpr std::size_t kShownSentence = 2000;
constexpr std::size_t kLongShell = 320;  // a line that nobody would type

// The lines, each where it has room; empty where one has none.
std::string shell_lines(std::string_view label, std::string_view lines) {
  std::string text;
  while (!lines.empty()) {
    const auto end = lines.find('\n');
    const std::string line = to_visible(lines.substr(0, end), kShownSentence);
    const std::string indent(label.size(), ' ');
    const std::string wrapped = wrap_shell(text.empty() ? label : indent, line);
    if (wrapped.empty() || line.size() > kLongShell) return {};
    text += wrapped;
    lines.remove_prefix(end == std::string_view::npos ? lines.size() : end + 1);
  }
  return text;
}

// What can be typed; what is too long for that stands in the reports.
std::string try_lines(const FindingText& finding) {
  if (auto text = shell_lines("    try       ", finding.reproduce); !text.empty()) return text;
  if (auto text = shell_lines("      ", finding.reproduce); !text.empty()) {
    return "    try\n" + text;
  }
  // A terminal breaks a long line where it can still be copied.
  return finding.otherwise.empty()
             ? "    try       " + to_visible(finding.reproduce, kShownSentence) + "\n"
             : finding_row("try", finding.otherwise);
}

// What a program says as it dies has lines of its own, which stand in it as \n.
constexpr std::string_view kLastWords = "standard error ends with: ";

std::vector<std::string> lines_of_evidence(const std::string& value) {
  const auto words = value.find(kLastWords);
  if (words == std::string::npos) return {to_visible(value, kShownOfEvidence)};
  std::vector<std::string> lines = {to_visible(value.substr(0, words + kLastWords.size() - 1))};
  std::string rest = to_visible(value.substr(words + kLastWords.size()), 2 * kShownOfEvidence);
  for (std::size_t begin = 0; begin < rest.size();) {
    const auto end = std::min(rest.find("\\n", begin), rest.size());
    if (end > begin) lines.push_back(rest.substr(begin, end - begin));
    begin = end + 2;
  }
  return lines;
}

std::string evidence_row(std::string_view name, const std::string& value) {
  if (value.empty()) return finding_row(name, "(nothing)");
  std::string text;
  for (const auto& line : lines_of_evidence(value)) {
    text += finding_row(text.empty() ? name : "", line);
  }
  return text;
}

std::size_t columns_without_colours(std::string_view painted) {
  std::size_t columns = 0;
  for (bool is_code = false; const char c : painted) {
    is_code = is_code || c == '\033';
    if (!is_code) ++columns;
    if (c == 'm') is_code = false;
  }
  return columns;
}

}  // namespace

std::string Palette::verdict(result::Verdict verdict, std::string_view text) const {
  return paint(name_at({"32", "1;33", "1;31", "36", "36"}, verdict), text);
}

std::string Palette::run(result::RunVerdict verdict, std::string_view text) const {
  return paint(name_at({"1;32", "1;36", "1;31", "1", "1"}, verdict), text);
}

std::string Palette::paint(std::string_view code, std::string_view text) const {
  return color_ ? fmt::format("\033[{}m{}\033[0m", code, text) : std::string(text);
}

std::string finding_heading(const Palette& palette, std::string_view label, std::string_view name,
                            std::string_view about) {
  const std::string visible_name = to_visible(name, kShownSentence);
  const std::string gap(columns_without_colours(label) + 2, ' ');
  const std::string about_it = about.empty() ? "" : "  " + std::string(about);
  const std::string lines = wrap(gap, visible_name + about_it).substr(gap.size());
  const std::string_view rest = std::string_view(lines).substr(0, lines.size() - 1);
  if (rest.substr(0, visible_name.size()) != visible_name)
    return fmt::format("{}  {}", label, lines);
  const auto behind = rest.substr(visible_name.size());
  return fmt::format("{}  {}{}\n", label, palette.bold(visible_name),
                     behind.empty() ? "" : palette.dim(behind));
}

std::string rule_heading(const Palette& palette, std::string_view label, std::string_view id,
                         const corpus::Requirement* rule, std::string_view about) {
  if (rule == nullptr) return finding_heading(palette, label, id, about);
  const std::string clause = rule->cited_clause();
  const std::string_view gap = clause.empty() || about.empty() ? "" : " ";
  return finding_heading(palette, label, id, fmt::format("{}{}{}", clause, gap, about)) +
         wrap("  ", to_visible(rule->text, kShownSentence));
}

std::string finding_row(std::string_view name, std::string_view value) {
  return wrap(fmt::format("    {:<8}  ", name), value);
}

std::string finding_lines(const FindingText& finding) {
  const std::string sentence = to_visible(finding.sentence, kShownSentence);
  std::string text = wrap("  ", finding.where.empty() ? sentence : finding.where + ": " + sentence);
  if (!finding.baseline.empty()) {
    text += finding_row("baseline", to_visible(finding.baseline, kShownSentence));
  }
  for (const auto& [name, value] : finding.before) text += evidence_row(name, value);
  text += evidence_row("sent", finding.sent);
  for (const auto& [name, value] : finding.behind) text += evidence_row(name, value);
  text += evidence_row("got", finding.got);
  text += evidence_row("expected", finding.expected);
  return finding.reproduce.empty() ? text : text + try_lines(finding);
}

}  // namespace jrpcheck::reports
