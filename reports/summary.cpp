#include "reports/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "base/join.hpp"
#include "base/number_of.hpp"
#include "reports/comparison.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "result/cause.hpp"

namespace jrpcheck::reports {
namespace {

using result::Counts;
using result::Harm;
using result::Run;
using result::RunVerdict;
using result::Verdict;

constexpr std::size_t kNamedClasses = 3;
constexpr std::size_t kShownReason = 200;
constexpr std::size_t kManyUntried = 4;  // a quarter of the cases

std::size_t judged(const Counts& counts) { return counts.pass + counts.warn + counts.fail; }

// In words, as in a sentence that people write.
std::string in_words(std::size_t count) {
  constexpr std::array<std::string_view, 10> kWords = {"none", "one", "two",   "three", "four",
                                                       "five", "six", "seven", "eight", "nine"};
  return count < kWords.size() ? std::string(kWords.at(count)) : std::to_string(count);
}

std::string capitalised(std::string text) {
  text.front() = to_upper(text.front());
  return text;
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", in_words(count), noun, count == 1 ? "" : "s");
}

std::string enumerated(const std::vector<std::string>& parts) {
  if (parts.size() < 2) return parts.empty() ? "" : parts.front();
  return fmt::format("{} and {}", fmt::join(parts.begin(), parts.end() - 1, ", "), parts.back());
}

// "breaks 10 of 69 core, 1 of 9 json rules and 4 others"
std::string broken_rules(const Run& run) {
  std::vector<std::string> parts;
  std::size_t others = 0;
  for (const auto& each : run.classes) {
    if (each.counts.fail == 0) continue;
    if (parts.size() == kNamedClasses) {
      others += each.counts.fail;
      continue;
    }
    parts.push_back(fmt::format("{} of {} {}", each.counts.fail, judged(each.counts), each.name));
  }
  if (!parts.empty()) parts.back() += " rules";
  if (others > 0) parts.push_back(number_of(others, "other"));
  if (parts.empty()) return fmt::format("fails {}", counted(run.counts.fail, "case"));
  return "breaks " + enumerated(parts);
}

struct HarmWords {
  Harm harm;
  std::string_view before;
  std::string_view noun;
};

// What hurts more than a wrong answer, the worst first.
constexpr std::array<HarmWords, 4> kHarms = {{
    {Harm::dies, "dies of ", "message"},
    {Harm::hangs, "hangs after ", "message"},
    {Harm::deaf, "goes deaf on a connection after ", "message"},
    {Harm::loses_answers, "loses or mixes up answers in ", "case"},
}};

// Of what a server ended between cases nobody knows.
bool is_between_cases(const judge::Finding& finding) {
  return finding.symptom == judge::Symptom::went_away;
}

std::size_t cases_of(const Run& run, Harm harm) {
  return static_cast<std::size_t>(std::ranges::count_if(run.cases, [harm](const auto& one) {
    return std::ranges::any_of(one.findings, [harm](const auto& each) {
      return result::harm_of(each) == harm && !is_between_cases(each);
    });
  }));
}

bool ends_by_itself(const Run& run) {
  return std::ranges::any_of(run.cases, [](const auto& one) {
    return std::ranges::any_of(one.findings, is_between_cases);
  });
}

std::vector<std::string> harms(const Run& run) {
  std::vector<std::string> parts;
  for (const auto& [harm, before, noun] : kHarms) {
    const std::size_t count = cases_of(run, harm);
    if (count > 0) parts.push_back(std::string(before) + counted(count, noun));
  }
  if (ends_by_itself(run)) parts.emplace_back("ends or stops serving between cases");
  return parts;
}

// A server without batches is another one than a server that was not asked.
std::string missing_batches(const Run& run) {
  constexpr std::string_view kBatches = "batches are ";
  for (const auto& one : run.cases) {
    if (!one.reason.starts_with(kBatches)) continue;
    const auto end = one.reason.find_first_of("(;:,.");
    const std::string words = one.reason.substr(0, end);
    return words.substr(0, words.find_last_not_of(' ') + 1);
  }
  return "";
}

std::string untried(const Run& run) {
  return fmt::format("{} of {} cases could not be tried", run.counts.not_exercised,
                     applicable_cases(run));
}

std::vector<std::string> parts_of_failure(const Run& run) {
  std::vector<std::string> parts = {broken_rules(run)};
  for (auto& each : harms(run)) parts.push_back(std::move(each));
  if (auto batches = missing_batches(run); !batches.empty()) parts.push_back(std::move(batches));
  if (run.counts.not_exercised * kManyUntried >= applicable_cases(run)) {
    parts.push_back(untried(run));
  }
  return parts;
}

// A run with a baseline fails where it differs.
std::vector<std::string> parts_of_known(const Run& run) {
  return {fmt::format("fails as its baseline says, in {}, and in no other",
                      counted(run.counts.fail, "case"))};
}

std::vector<std::string> parts_of_success(const Run& run) {
  const std::size_t all = applicable_cases(run);
  std::vector<std::string> parts;
  if (run.verdict == RunVerdict::conforms) {
    parts.push_back(
        run.counts.pass == all
            ? fmt::format("keeps every rule that applies: {} of {} cases pass", all, all)
            : "keeps every rule that it must");
  } else {
    parts.emplace_back(exercised_nothing(run) ? "shows nothing" : "breaks no rule that was tried");
  }
  if (run.counts.warn > 0) {
    parts.push_back(fmt::format("warns in {} of {} cases", run.counts.warn, all));
  }
  if (auto batches = missing_batches(run); !batches.empty()) parts.push_back(std::move(batches));
  if (run.counts.not_exercised > 0) parts.push_back(untried(run));
  return parts;
}

std::vector<std::string> parts_of(const Run& run) {
  if (run.verdict == RunVerdict::unreachable) {
    const std::string what =
        run.answered.empty() ? "nobody is there, or nobody says anything" : run.answered;
    return {what + ": nothing was judged"};
  }
  if (run.verdict == RunVerdict::not_json_rpc) {
    return {"what answers is no JSON-RPC endpoint: nothing was judged"};
  }
  if (run.counts.fail == 0) return parts_of_success(run);
  if (fails_as_known(run)) return parts_of_known(run);
  return parts_of_failure(run);
}

}  // namespace

std::string summary_of(const Run& run) {
  auto parts = parts_of(run);
  if (!run.interrupted.empty()) {
    parts.push_back("the run ended early: " + to_visible(run.interrupted, kShownReason));
  }
  return capitalised(joined(parts, "; ") + ".");
}

namespace {

std::string who_conforms(const Comparison& comparison) {
  const auto all = comparison.runs.size();
  const auto count = static_cast<std::size_t>(std::ranges::count_if(
      comparison.runs, [](const Run* run) { return run->verdict == RunVerdict::conforms; }));
  const auto noun = comparison.noun;
  if (count == 0) return fmt::format("none of the {} {}s conforms", in_words(all), noun);
  if (count == all) return fmt::format("all {} {}s conform", in_words(all), noun);
  return fmt::format("{} of {} {}s conform{}", in_words(count), in_words(all), noun,
                     count == 1 ? "s" : "");
}

std::string who_dies(const Comparison& comparison) {
  const auto count = std::ranges::count_if(
      comparison.runs, [](const Run* run) { return cases_of(*run, Harm::dies) > 0; });
  if (count == 0) return "";
  return fmt::format("{} die{} of a message", in_words(static_cast<std::size_t>(count)),
                     count == 1 ? "s" : "");
}

bool is_of_dying(const Comparison& comparison, const ComparedRequirement& row) {
  for (const auto* run : comparison.runs) {
    const auto charge = gravest_charge(*run, row.requirement->id);
    if (charge && result::harm_of(*charge->finding) == Harm::dies) return true;
  }
  return false;
}

// The rule that most of them break, where several do; dying is told anyway.
std::string most_broken(const Comparison& comparison) {
  const ComparedRequirement* most = nullptr;
  std::size_t most_fails = 1;
  for (const auto& row : comparison.requirements) {
    const std::size_t fails = row.count(Verdict::fail);
    if (fails <= most_fails || is_of_dying(comparison, row)) continue;
    most = &row;
    most_fails = fails;
  }
  if (most == nullptr) return "";
  const std::string rule = to_visible(most->requirement->text, kShownReason);
  return fmt::format("{} of {} break \u201c{}\u201d ({})", most_fails, comparison.runs.size(),
                     rule.substr(0, rule.find_last_not_of('.') + 1), most->requirement->id);
}

std::string before_and_after(const Comparison& comparison) {
  std::array<std::size_t, 2> counts{};
  for (const auto& each : comparison.changes) {
    if (each.change == Change::broken) ++counts[0];
    if (each.change == Change::fixed) ++counts[1];
  }
  if (comparison.changes.empty()) return "No case changed.";
  return fmt::format("Of {} that changed, {} got worse and {} better.",
                     counted(comparison.changes.size(), "case"), in_words(counts[0]),
                     in_words(counts[1]));
}

}  // namespace

std::string summary_of(const Comparison& comparison) {
  if (comparison.is_difference) return before_and_after(comparison);
  std::vector<std::string> parts = {who_conforms(comparison)};
  if (auto dying = who_dies(comparison); !dying.empty()) parts.push_back(std::move(dying));
  if (auto broken = most_broken(comparison); !broken.empty()) parts.push_back(std::move(broken));
  return capitalised(joined(parts, "; ") + ".");
}

std::size_t applicable_cases(const Run& run) {
  return judged(run.counts) + run.counts.not_exercised;
}

}  // namespace jrpcheck::reports
