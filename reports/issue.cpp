#include "reports/issue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.hpp"
#include "reports/citation.hpp"
#include "reports/evidence.hpp"
#include "reports/markdown.hpp"
#include "reports/target_words.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Run;
using targets::Target;

constexpr std::size_t kLongestEvidence = 2000;

std::string rule_in_words(const corpus::Requirement& requirement) {
  const auto clause = requirement.cited_clause();
  auto text = escape_markdown(requirement.text);
  if (clause.empty()) return text;
  const auto address = clause_link(requirement);
  const auto place = address.empty() ? clause : fmt::format("[{}]({})", clause, address);
  return fmt::format("{} ({})", text, place);
}

std::string what_was_judged(const Run& run, const std::optional<Target>& about) {
  const std::string binding = escape_markdown(binding_text(run.target));
  if (!about) {
    const auto target = markdown_code(to_visible(run.target.text, kLongestEvidence));
    return fmt::format("{}, {}", target, binding);
  }
  // Packages of npm are named with their versions.
  const std::string what =
      about->npm.empty() ? about->name + " " + about->judged_version() : packages_of(*about);
  return fmt::format("{}, {}", what, binding);
}

std::string how_to_start(const Run& run, const std::optional<Target>& about) {
  if (!about || about->kind == targets::Kind::client) return "";
  std::string text =
      "Started as\n\n" + markdown_block(start_command(*about, run.target.text), "sh") + "\n";
  // Whoever maintains it has never seen a file of ours.
  if (!about->wrapper.empty()) {
    text += fmt::format(
        "where `wrappers/{0}` is a file of a few lines that starts it: `targets/{1}` in the "
        "sources of jrpcheck.\n\n",
        about->wrapper.substr(about->wrapper.rfind('/') + 1), about->wrapper);
  }
  return text;
}

// A control call is one of ours to whoever reads this.
std::string without_our_words(std::string text) {
  constexpr std::string_view kOurs = "the control call";
  for (auto at = text.find(kOurs); at != text.npos; at = text.find(kOurs, at)) {
    text.replace(at, kOurs.size(), "the call");
  }
  return text;
}

std::string severity_words(const judge::Finding& finding) {
  return finding.severity == corpus::Verdict::fail ? "" : "This is a recommendation, not a must. ";
}

}  // namespace

Result<std::string> render_issue(const Run& run, std::string_view case_id,
                                 const std::optional<Target>& about) {
  const auto found = std::ranges::find_if(
      run.cases, [case_id](const CaseResult& one) { return one.id == case_id; });
  if (found == run.cases.end()) {
    return Error{fmt::format("the run has no case '{}'", to_visible(case_id))};
  }
  if (found->findings.empty()) {
    return Error{fmt::format("nothing was found in the case '{}': it is {}", to_visible(case_id),
                             result::name_of(found->verdict))};
  }
  const auto& finding = found->findings.front();
  const auto shown = [](std::string_view text) { return to_visible(text, kLongestEvidence); };
  std::string text = fmt::format("# {}: {}\n\n", escape_markdown(found->title),
                                 escape_markdown(judge::sentence_of(finding)));
  text += fmt::format("Hello, and thank you for your work. With {} I see this:\n\n",
                      what_was_judged(run, about));
  const auto sent = sent_for(*found, finding);
  text += "Sent\n\n" + markdown_block(shown(sent.empty() ? "(nothing)" : sent)) + "\nReceived\n\n" +
          markdown_block(shown(finding.actual)) + "\nExpected\n\n" +
          markdown_block(shown(without_our_words(finding.expected))) + "\n";
  const auto* rule = run.find_requirement(finding.requirement);
  if (rule != nullptr) text += rule_in_words(*rule) + "\n\n";
  text += severity_words(finding);
  if (rule != nullptr && !rule->why.empty()) text += escape_markdown(rule->why) + "\n";
  text += "\n";
  text += "## To reproduce\n\n" + how_to_start(run, about);
  if (!found->reproduce.empty())
    text += markdown_block(to_visible_lines(found->reproduce), "sh") + "\n";
  text += fmt::format(
      "Found with jrpcheck {}, a conformance suite for JSON-RPC: {} "
      "judges this alone. If the behaviour is intended, or a setting of mine is wrong, I would be "
      "glad to learn it.\n",
      run.tool_version, markdown_code("jrpcheck run --select " + shell_quote(found->id) + " ..."));
  return without_log_commands(text);
}

}  // namespace jrpcheck::reports
