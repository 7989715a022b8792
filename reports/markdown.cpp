#include "reports/markdown.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/bytes.hpp"
#include "base/duration_text.hpp"
#include "base/names.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"

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

std::string heading(const Run& run) {
  std::string text =
      fmt::format("## JSON-RPC 2.0: {}, {}\n\n{}", markdown_symbol(run.verdict), must_text(run),
                  markdown_code(to_visible(run.target.text, kShownInMarkdown)));
  const std::string binding = binding_text(run.target);
  if (!binding.empty()) text += " (" + binding + ")";
  return text + "\n\n";
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

std::string evidence(const Charge& charge) {
  const auto& finding = *charge.finding;
  const std::string sent = sent_in_step(*charge.one, finding.step);
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
          : markdown_block(charge.one->reproduce));
}

std::string other_cases(const std::vector<Charge>& charges) {
  std::vector<std::string> ids;
  for (const auto& charge : charges) {
    const auto& id = charge.one->id;
    if (id == charges.front().one->id || std::find(ids.begin(), ids.end(), id) != ids.end())
      continue;
    ids.push_back(id);
  }
  if (ids.empty()) return "";
  std::string text = "Also in";
  const std::size_t named = std::min(ids.size(), kNamedInMarkdown);
  for (std::size_t i = 0; i < named; ++i) text += (i == 0 ? " " : ", ") + markdown_code(ids[i]);
  if (named < ids.size()) text += fmt::format(" and {} more", ids.size() - named);
  return text + ".\n\n";
}

std::string requirement_block(const result::RequirementResult& one,
                              const std::vector<Charge>& charges) {
  const auto& requirement = one.requirement;
  // GitHub reads Markdown inside details only after an empty line, and none inside summary.
  return fmt::format("<details><summary>{}{} <b>{}</b> {}</summary>\n\n{}\n\n{}{}</details>\n",
                     markdown_symbol(one.verdict), all_known(charges) ? " (known)" : "",
                     escape_xml(requirement.id), escape_xml(requirement.cited_clause()),
                     escape_markdown(requirement.text), evidence(charges.front()),
                     other_cases(charges));
}

// As many requirements as the budget allows, failures first, and how many more there are.
std::string findings(const Run& run, std::size_t budget) {
  const auto charges = charges_by_requirement(run);
  std::string text;
  std::size_t left_out = 0;
  for (const auto& [verdict, known] : order_of_findings()) {
    for (const auto& requirement : run.requirements) {
      const auto found = charges.find(requirement.requirement.id);
      if (requirement.verdict != verdict || found == charges.end()) continue;
      if (all_known(found->second) != known) continue;
      const std::string block = requirement_block(requirement, found->second);
      if (text.size() + block.size() > budget) {
        ++left_out;
        continue;
      }
      text += block;
    }
  }
  if (left_out > 0) {
    text += fmt::format(
        "\n{} more requirement{} with findings did not fit; the JSON and HTML reports have all.\n",
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
    if (std::string_view("\\`*_{}[]<>()#+!|~&").find(c) != std::string_view::npos) {
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

std::string markdown_block(std::string_view text) {
  const std::string fence(std::max<std::size_t>(3, longest_run_of_backticks(text) + 1), '`');
  return fence + "text\n" + std::string(text) + "\n" + fence + "\n";
}

std::string render_markdown(const Run& run) {
  std::string text = heading(run) + markdown_numbers(run);
  for (const auto& note : all_notes(run)) text += "> " + escape_markdown(note) + "\n\n";
  text += findings(run, kMarkdownBudget - std::min(kMarkdownBudget, text.size()));
  text += fmt::format("\n<sub>jrpcheck {}, {} cases in {}, profile {}, seed {}</sub>\n",
                      escape_xml(run.tool_version), run.cases.size(), duration_text(run.duration),
                      escape_xml(run.profile), run.seed);
  return text;
}

}  // namespace jrpcheck::reports
