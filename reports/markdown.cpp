#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/names.hpp"
#include "base/number_of.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"
#include "reports/summary.hpp"

namespace jrpcheck::reports {
namespace {

using result::Run;
using result::Verdict;

// A comment on GitHub may have 65,536 characters; a step summary, 1 MiB.
constexpr std::size_t kMarkdownBudget = 60'000;
constexpr std::size_t kShownInMarkdown = 600;
constexpr std::size_t kNamedInMarkdown = 8;

std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string markdown_heading(const Run& run) {
  const std::string binding = binding_text(run.target);
  const std::string leading = result::leading_cause(run, result::causes_of(run));
  return fmt::format("## JSON-RPC 2.0: {}\n\n**{}**\n\n{}{}{}\n\n{}", markdown_symbol(run.verdict),
                     escape_markdown(summary_of(run)),
                     markdown_code(to_visible(run.target.text, kShownInMarkdown)),
                     binding.empty() ? "" : " (" + escape_markdown(binding) + ")",
                     result::was_judged(run.verdict) ? ", " + must_text(run) : "",
                     leading.empty() ? "" : escape_markdown(leading) + ".\n\n");
}

std::string markdown_numbers(const Run& run) {
  const auto row = [](std::string_view name, std::string_view verdict,
                      const result::Counts& counts) {
    return fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", name, verdict, counts.pass,
                       counts.warn, counts.fail, counts.not_exercised, counts.not_applicable);
  };
  std::string text =
      "| | verdict | pass | warn | fail | not exercised | not applicable |\n"
      "|---|---|--:|--:|--:|--:|--:|\n";
  text += row("**cases**", markdown_symbol(run.verdict), run.counts);
  for (const auto& each : run.classes) {
    text += row(escape_markdown(each.name) + " requirements", markdown_symbol(each.verdict),
                each.counts);
  }
  return text + "\n";
}

std::string markdown_evidence(const Charge& charge) {
  const auto& finding = *charge.finding;
  const std::string sent = sent_for(*charge.one, finding);
  const std::string expectation = expectation_text(*charge.one);
  return fmt::format(
      "{}: {}{}\n\n{}\n{}\n", markdown_code(charge.one->id),
      escape_markdown(judge::sentence_of(finding)),
      expectation.empty() ? "" : " **" + escape_markdown(expectation) + "**",
      markdown_block("sent      " + to_visible(sent, kShownInMarkdown) + "\ngot       " +
                     to_visible(finding.actual, kShownInMarkdown) + "\nexpected  " +
                     to_visible(finding.expected, kShownInMarkdown)),
      charge.one->reproduce.empty() || charge.one->reproduce.size() > 4 * kShownInMarkdown
          ? ""
          : markdown_block(to_visible_lines(charge.one->reproduce)));
}

std::string markdown_other_cases(const std::vector<Charge>& charges) {
  const auto ids = other_cases(charges);
  if (ids.empty()) return "";
  std::string text = "Also in";
  const std::size_t named = std::min(ids.size(), kNamedInMarkdown);
  for (std::size_t i = 0; i < named; ++i) text += (i == 0 ? " " : ", ") + markdown_code(ids[i]);
  if (named < ids.size()) text += fmt::format(" and {} more", ids.size() - named);
  return text + ".\n\n";
}

std::string cause_title(const Run& run, const result::Cause& cause) {
  const auto verdict = cause.harm == result::Harm::warning ? Verdict::warn : Verdict::fail;
  const std::string title = markdown_symbol(verdict) + (cause.is_known() ? " (known)" : "");
  const std::string cases =
      cause.case_count() > 1 ? fmt::format(" ({})", cause.cases_in_words()) : "";
  if (!cause.failure.empty()) {
    return fmt::format("{} <b>{}</b> in place of answers{}", title, escape_xml(cause.failure),
                       cases);
  }
  const auto& id = cause.first().requirement;
  const auto* requirement = run.find_requirement(id);
  const std::string clause = requirement == nullptr ? "" : escape_xml(requirement->cited_clause());
  return fmt::format("{} <b>{}</b> {}{}", title, escape_xml(id), clause, cases);
}

// GitHub reads Markdown inside details only after an empty line, and none inside summary.
std::string markdown_cause(const Run& run, const result::Cause& cause) {
  std::string text;
  const auto* requirement = run.find_requirement(cause.first().requirement);
  if (cause.failure.empty() && requirement != nullptr) {
    text += escape_markdown(requirement->text) + "\n\n";
    if (!requirement->why.empty()) text += escape_markdown(requirement->why) + "\n\n";
  }
  return fmt::format("<details><summary>{}</summary>\n\n{}{}{}</details>\n",
                     cause_title(run, cause), text, markdown_evidence(cause.charges.front()),
                     markdown_other_cases(cause.charges));
}

// As many causes as the budget allows, what hurts most first, and how many more there are.
std::string markdown_findings(const Run& run, std::size_t budget) {
  std::string text;
  std::size_t left_out = 0;
  for (const auto& cause : result::causes_of(run)) {
    const std::string block = markdown_cause(run, cause);
    if (text.size() + block.size() > budget) {
      ++left_out;
      continue;
    }
    text += block;
  }
  if (left_out > 0) {
    text += fmt::format("\n{} more finding{} did not fit; the JSON and HTML reports have all.\n",
                        left_out, left_out == 1 ? "" : "s");
  }
  return text;
}

}  // namespace

std::string markdown_symbol(Verdict verdict) {
  return std::string(
      name_at({"✅ pass", "⚠️ warn", "❌ fail", "➖ not exercised", "not applicable"}, verdict));
}

std::string markdown_symbol(result::RunVerdict verdict) {
  return std::string(
      name_at({"✅ conforms", "➖ partial", "❌ fails", "⚪ unreachable", "⚪ no JSON-RPC"}, verdict));
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  for (const char c : to_visible(text, kShownInMarkdown)) {
    // GitHub makes links of addresses that stand in a text, too (GFM 6.9).
    const bool is_of_address =
        (c == '/' && out.ends_with(':')) || (c == '.' && out.ends_with("www"));
    if (is_of_address ||
        std::string_view("\\`*_{}[]<>()#+!|~&").find(c) != std::string_view::npos) {
      out.push_back('\\');
    }
    out.push_back(c);
    if (c == '@') out += "\xE2\x80\x8B";  // so that nobody is called
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  // A code span in a table ends at a bar all the same, and none can be empty.
  std::string shown = text.empty() ? " " : std::string(text);
  const std::string fence(longest_run_of_backticks(shown) + 1, '`');
  const bool touches = shown.front() == '`' || shown.back() == '`';
  return touches ? fence + " " + shown + " " + fence : fence + shown + fence;
}

std::string markdown_block(std::string_view text, std::string_view language) {
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fmt::format("{}{}\n{}\n{}\n", fence, language, text, fence);
}

std::string render_markdown(const Run& run) {
  std::string text = markdown_heading(run);
  if (result::was_judged(run.verdict)) text += markdown_numbers(run);
  for (const auto& notes : {urgent_notes(run), other_notes(run)}) {
    for (const auto& note : notes) text += "> " + escape_markdown(on_one_line(note)) + "\n\n";
  }
  text += markdown_findings(run, kMarkdownBudget - std::min(kMarkdownBudget, text.size()));
  text += fmt::format("\n<sub>jrpcheck {}, {} in {}, profile {}, seed {}</sub>\n",
                      escape_xml(run.tool_version), number_of(run.cases.size(), "case"),
                      duration_text(run.duration), escape_xml(run.profile), run.seed);
  return without_log_commands(text);
}

}  // namespace jrpcheck::reports
