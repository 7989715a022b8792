#include "reports/expectation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/number_of.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Expectation;
using result::Run;

std::string with_reason(const std::string& text, const std::string& reason) {
  return reason.empty() ? text : text + " (" + reason + ")";
}

std::string stale_text(const Run& run) {
  std::vector<std::string> lines;
  for (const auto& one : run.cases) {
    if (one.expected && one.expected->expectation == Expectation::stale) {
      lines.push_back(one.id + " " + one.expected->detail);
    }
  }
  if (lines.empty()) return {};
  return fmt::format("Stale in the baseline, to be taken out of it (--update-baseline does): {}.",
                     fmt::join(lines, "; "));
}

}  // namespace

bool is_alarm(const Run& run, const CaseResult& one) {
  if (!run.baseline) return one.verdict == result::Verdict::fail;
  return one.expected && one.expected->differs();
}

bool fails_as_known(const Run& run) {
  return run.counts.fail > 0 && run.baseline && run.baseline->holds();
}

std::string expectation_text(const CaseResult& one) {
  if (!one.expected) return {};
  const auto& [expectation, reason, detail] = *one.expected;
  switch (expectation) {
    case Expectation::known:
      return "known failure" + (reason.empty() ? "" : ": " + reason);
    case Expectation::flaky:
      return with_reason("known to be flaky: " + detail, reason);
    case Expectation::unexpected:
      return with_reason("unexpected: " + detail, reason);
    case Expectation::stale:
      return with_reason("stale in the baseline: " + detail, reason);
    case Expectation::unchecked:
      return with_reason("listed in the baseline, and not exercised", reason);
  }
  return {};
}

std::string baseline_text(const Run& run) {
  if (!run.baseline) return {};
  const auto& baseline = *run.baseline;
  std::vector<std::string> counts;
  if (baseline.unexpected > 0) counts.push_back(fmt::format("{} unexpected", baseline.unexpected));
  if (baseline.stale > 0) counts.push_back(fmt::format("{} stale", baseline.stale));
  counts.push_back(number_of(baseline.known, "known failure"));
  if (baseline.flaky > 0) counts.push_back(fmt::format("{} known to be flaky", baseline.flaky));
  if (baseline.unchecked > 0) {
    counts.push_back(fmt::format("{} listed and not exercised", baseline.unchecked));
  }
  return fmt::format("{} the baseline {}{}: {}", baseline.holds() ? "as" : "differs from",
                     baseline.file, baseline.holds() ? " says" : "", fmt::join(counts, ", "));
}

namespace {

std::string tried_text(const result::TriedMethod& tried) {
  std::string text = fmt::format(
      "The method {}{} does not do what the role '{}' asks, and was left out: ", tried.method,
      tried.given ? " of --methods" : "", tried.role);
  if (tried.sent.empty()) return text + "the server could not be asked any more.";
  return text + (tried.received.empty()
                     ? fmt::format("{} was not answered.", tried.sent)
                     : fmt::format("{} was answered by {}", tried.sent, tried.received));
}

}  // namespace

std::vector<std::string> other_notes(const Run& run) {
  std::vector<std::string> notes;
  if (run.shard) {
    notes.push_back(fmt::format(
        "This is shard {} of {}, counted from 0{}. jrpcheck report puts the whole together.",
        run.shard->index, run.shard->count, run.cases.empty() ? ", and has no case" : ""));
  }
  if (auto stale = stale_text(run); !stale.empty()) notes.push_back(std::move(stale));
  notes.insert(notes.end(), run.notes.begin(), run.notes.end());
  for (const auto& each : run.tried) notes.push_back(tried_text(each));
  return notes;
}

std::string on_one_line(const std::string& note) {
  std::string line;
  for (const char c : note) {
    const bool is_space = c == '\n' || c == ' ';
    const bool needs_mark = c == '\n' && !line.empty() &&
                            std::string_view(":;.,?! ").find(line.back()) == std::string_view::npos;
    if (needs_mark) line.push_back(';');
    if (!is_space) {
      line.push_back(c);
    } else if (!line.empty() && line.back() != ' ') {
      line.push_back(' ');
    }
  }
  return line;
}

std::vector<std::string> urgent_notes(const Run& run) {
  std::vector<std::string> notes;
  if (!run.interrupted.empty()) {
    notes.push_back("This run is partial: it was " + run.interrupted +
                    ". What it had not settled by then is not exercised.");
  }
  if (run.baseline) {
    notes.push_back("The run is held against a baseline: " + baseline_text(run) + ".");
  }
  return notes;
}

std::vector<std::string> all_notes(const Run& run) {
  std::vector<std::string> notes = urgent_notes(run);
  if (auto leading = result::leading_cause(run, result::causes_of(run)); !leading.empty()) {
    notes.push_back(std::move(leading) + ".");
  }
  auto others = other_notes(run);
  notes.insert(notes.end(), std::make_move_iterator(others.begin()),
               std::make_move_iterator(others.end()));
  std::transform(notes.begin(), notes.end(), notes.begin(), on_one_line);
  return notes;
}

}  // namespace jrpcheck::reports
