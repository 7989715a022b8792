#include <fmt/format.h>

#include <map>
#include <vector>

#include "base/bytes.hpp"
#include "reports/evidence.hpp"
#include "reports/expectation.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace {

using result::CaseResult;
using result::Run;
using result::Verdict;

// CI servers keep every report; what a person needs of a message are its ends.
constexpr std::size_t kShownInJunit = 2000;

std::string seconds(microseconds duration) {
  return fmt::format("{:.6f}", static_cast<double>(duration.count()) / 1e6);
}

// Some print it into the log of the job.
std::string content(std::string_view text) { return escape_xml(without_log_commands(text)); }

std::string attribute(std::string_view name, std::string_view value) {
  return fmt::format(" {}=\"{}\"", name, content(to_visible(value, kShownInJunit)));
}

std::string finding_text(const CaseResult& one, const judge::Finding& finding) {
  std::string text =
      fmt::format("{} ({}): {}\n", finding.requirement, corpus::name_of(finding.severity),
                  to_visible(judge::sentence_of(finding), kShownInJunit));
  text += "sent:     " + to_visible(sent_for(one, finding), kShownInJunit) + "\n";
  text += "expected: " + to_visible(finding.expected, kShownInJunit) + "\n";
  text += "got:      " + to_visible(finding.actual, kShownInJunit) + "\n";
  return text;
}

// One failure element whatever the number of findings: some readers show the first alone, others
// count each as a test.
std::string failure_element(const CaseResult& one) {
  std::string message = one.expected ? expectation_text(one) : "";
  std::string text;
  for (const auto& finding : one.findings) {
    if (message.empty() && finding.severity == corpus::Verdict::fail) {
      message = finding.requirement + ": " + judge::sentence_of(finding);
    }
    text += finding_text(one, finding);
  }
  text += "try:      " + to_visible_lines(one.reproduce) + "\n";
  const bool stale = one.expected && one.expected->expectation == result::Expectation::stale;
  return fmt::format("      <failure{} type=\"{}\">{}</failure>\n", attribute("message", message),
                     stale ? "stale" : "violation", content(text));
}

std::string output_element(const CaseResult& one) {
  std::string text = to_visible(one.title, kShownInJunit) + "\n";
  if (is_known(one)) text += to_visible(expectation_text(one), kShownInJunit) + "\n";
  if (one.verdict == Verdict::warn || is_known(one)) {
    const std::string word = one.verdict == Verdict::warn ? "WARNING " : "FAILURE ";
    for (const auto& finding : one.findings) text += word + finding_text(one, finding);
    text += "try:      " + to_visible_lines(one.reproduce) + "\n";
  }
  for (const auto& event : one.transcript) {
    if (event.is_for_people()) text += event_line(event, kShownInJunit) + "\n";
  }
  return "      <system-out>" + content(text) + "</system-out>\n";
}

// Jenkins takes the last dot of classname for the end of a package's name.
// A failure that is known is shown as skipped: what has no word for it would be red, or hide it.
std::string case_element(const CaseResult& one, const std::string& suite, bool alarm) {
  std::string element = fmt::format(
      "    <testcase{}{}{}>\n",
      attribute("classname", "jrpcheck." + suite + "." + one.id.substr(0, one.id.find('/'))),
      attribute("name", one.id), attribute("time", seconds(one.duration)));
  if (alarm) {
    element += failure_element(one);
  } else if (is_known(one)) {
    element += fmt::format("      <skipped{}/>\n", attribute("message", expectation_text(one)));
  } else if (!was_exercised(one.verdict)) {
    element += fmt::format("      <skipped{}/>\n", attribute("message", one.reason));
  }
  return element + output_element(one) + "    </testcase>\n";
}

struct Suite {
  std::string name;
  std::string cases;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::size_t skipped = 0;
  microseconds duration{0};

  void add(const CaseResult& one, bool alarm) {
    ++tests;
    failures += alarm ? 1 : 0;
    skipped += !alarm && (is_known(one) || !was_exercised(one.verdict)) ? 1 : 0;
    duration += one.duration;
    cases += case_element(one, name, alarm);
  }
};

// A run in which nothing was exercised, or that did not come to its end, would otherwise look
// green: what it has not exercised is skipped.
Suite suite_of_the_run(const Run& run) {
  const bool nothing = exercised_nothing(run);
  Suite suite{"run", "", 1, 0, 1};
  std::string why;
  for (const auto& note : all_notes(run)) why += to_visible_lines(note) + "\n";
  suite.cases = fmt::format(
      "    <testcase classname=\"jrpcheck.run.target\" name=\"is {}\" "
      "time=\"0.000000\">\n      <error{} type=\"not-exercised\">{}</error>\n"
      "    </testcase>\n",
      nothing ? "reached" : "judged to the end",
      attribute("message", run.interrupted.empty() ? "nothing was exercised" : run.interrupted),
      content(why));
  return suite;
}

std::vector<Suite> suites_of(const Run& run) {
  std::vector<Suite> suites;
  std::map<std::string, std::size_t> index;
  const CaseClasses classes(run);
  if (exercised_nothing(run) || !run.interrupted.empty()) {
    suites.push_back(suite_of_the_run(run));
  }
  for (const auto& one : run.cases) {
    const std::string name = classes.of(one);
    const auto [found, fresh] = index.emplace(name, suites.size());
    if (fresh) suites.push_back({name, ""});
    suites[found->second].add(one, is_alarm(run, one));
  }
  return suites;
}

std::string properties_element(const Run& run) {
  std::string text = "    <properties>\n";
  const auto add = [&text](std::string_view name, std::string_view value) {
    text +=
        fmt::format("      <property{}{}/>\n", attribute("name", name), attribute("value", value));
  };
  add("verdict", result::name_of(run.verdict));
  add("must", must_text(run));
  if (run.baseline) add("baseline", baseline_text(run));
  if (run.shard) add("shard", fmt::format("{} of {}", run.shard->index, run.shard->count));
  add("target", to_visible(run.target.text, kShownInJunit));
  add("binding", binding_text(run.target));
  add("profile", run.profile);
  add("jrpcheck", run.tool_version);
  add("corpus", run.corpus_hash);
  add("seed", std::to_string(run.seed));
  return text + "    </properties>\n";
}

std::string suite_element(const Suite& suite, const Run& run) {
  // ISO 8601 without a zone, as the schema has it.
  const std::string timestamp = run.started.substr(0, run.started.find('Z'));
  return fmt::format(
             "  <testsuite{} tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" "
             "time=\"{}\"{}>\n",
             attribute("name", "jrpcheck." + suite.name), suite.tests, suite.failures, suite.errors,
             suite.skipped, seconds(suite.duration), attribute("timestamp", timestamp)) +
         properties_element(run) + suite.cases + "  </testsuite>\n";
}

}  // namespace

std::string render_junit(const Run& run) {
  const auto suites = suites_of(run);
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;
  std::string body;
  for (const auto& suite : suites) {
    tests += suite.tests;
    failures += suite.failures;
    errors += suite.errors;
    body += suite_element(suite, run);
  }
  return fmt::format(
             "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
             "<testsuites name=\"jrpcheck\" tests=\"{}\" failures=\"{}\" errors=\"{}\" "
             "time=\"{}\">\n",
             tests, failures, errors, seconds(run.duration)) +
         body + "</testsuites>\n";
}

}  // namespace jrpcheck::reports
