// Runs against servers that try to break reports, and runs that strain them.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"
#include "reports/run_for_testing.hpp"

namespace jrpcheck::reports {

/// What a hostile server says: ends of scripts, comments, fences and sections, controls, characters
/// that turn the direction of writing, bytes that are not UTF-8, a lone surrogate, and a long line.
inline std::string hostile_text() {
  std::string text =
      "</script><script>window.pwned=1</script><!--<script>]]>\"'&lt;<img src=x "
      "onerror=\"window.pwned=1\"></title></textarea></style>\x1b[2J\x07\r\n";
  text += std::string("\0\x0b\x1f\x7f", 4);
  text +=
      "\xC2\x85\xE2\x80\xAE"
      "evil\xE2\x80\xAC\xE2\x80\xA8\xE2\x80\xA9\xEF\xBB\xBF";
  text += "\xEF\xBF\xBE\xEF\xBF\xBF\xED\xA0\x80\xff\xfe\xC0\xAF\xF0\x9F\x98\x80";
  text +=
      "```\n````\n| a | @everyone [x](javascript:window.pwned=1) # SKIP \\ \n...\n---\nnot ok 1\n";
  return text + "${alert(1)}{{7*7}}javascript:window.pwned=1";
}

inline result::Run hostile_run_for_testing() {
  using dialogue::Direction;
  const std::string evil = hostile_text();
  auto run = run_for_testing();
  run.target.text = "node " + evil;
  run.notes = {evil};
  for (auto& one : run.cases) {
    one.title += evil;
    one.reproduce.append(evil).append("\n::error::").append(evil);
    if (!one.reason.empty()) one.reason += evil;
    for (auto& finding : one.findings) {
      finding.particulars += evil;
      finding.expected += evil;
      finding.actual = std::string(evil).append(1U << 20U, 'A').append(evil);
    }
    for (const auto direction :
         {Direction::received, Direction::aside, Direction::violation, Direction::quiet,
          Direction::closed, Direction::exited, Direction::standard_error}) {
      one.transcript.push_back({direction, microseconds(30), evil, evil});
    }
    one.transcript.push_back(
        {Direction::received, microseconds(40), std::string(1 << 20, 'B'), ""});
  }
  for (auto& each : run.observations) each.value = evil;
  for (auto& each : run.requirements) {
    each.requirement.text += evil;
    each.requirement.note += evil;
    if (!each.reason.empty()) each.reason += evil;
  }
  return run;
}

/// A thousand cases, of which every tenth fails, and 2 MiB of transcript.
inline result::Run large_run_for_testing() {
  auto run = run_for_testing();
  const auto failing = run.cases[0];
  const auto passing = run.cases[4];
  for (int i = 0; i < 995; ++i) {
    auto one = i % 10 == 0 ? failing : passing;
    one.id = "large/case-" + std::to_string(i);
    one.transcript.push_back({dialogue::Direction::received, microseconds(50),
                              "{\"result\":\"" + std::string(2100, 'x') + "\"}", ""});
    run.counts.add(one.verdict);
    run.cases.push_back(std::move(one));
  }
  return run;
}

/// A server that conforms, in as many cases and rules as a real run has.
inline result::Run conforming_run_for_testing() {
  auto run = run_for_testing();
  const auto passing = run.cases[4];
  run.verdict = result::RunVerdict::conforms;
  run.counts = {};
  run.cases.clear();
  run.requirements.clear();
  run.classes[0] = {"core", result::RunVerdict::conforms, {}};
  for (int i = 0; i < 440; ++i) {
    auto one = passing;
    one.id = "case/number-" + std::to_string(i);
    if (i >= 376) {
      one.verdict = result::Verdict::not_applicable;
      one.reason = "is about another binding";
      one.transcript.clear();
      one.reproduce.clear();
    }
    run.counts.add(one.verdict);
    run.cases.push_back(std::move(one));
  }
  for (int i = 0; i < 100; ++i) {
    run.requirements.push_back({requirement_named("rule-" + std::to_string(i), corpus::Level::must),
                                result::Verdict::pass, ""});
    run.classes[0].counts.add(result::Verdict::pass);
  }
  return run;
}

/// Thirteen servers: the first conforms, and each breaks one rule more than the one before.
inline std::vector<result::Run> servers_for_testing() {
  std::vector<result::Run> runs;
  for (std::size_t i = 0; i < 13; ++i) {
    auto run = conforming_run_for_testing();
    run.name = "server-" + std::string(1, static_cast<char>('a' + i)) + "-with-a-long-name";
    run.target.text = "http://127.0.0.1:" + std::to_string(9000 + i) + "/";
    if (i > 0) run.verdict = result::RunVerdict::fails;
    for (std::size_t broken = 0; broken < i; ++broken) {
      auto& one = run.cases[broken];
      one.findings = run_for_testing().cases[0].findings;
      one.findings[0].requirement = run.requirements[broken].requirement.id;
      one.verdict = run.requirements[broken].verdict = result::Verdict::fail;
    }
    run.counts = {};
    for (const auto& one : run.cases) run.counts.add(one.verdict);
    runs.insert(runs.begin(), std::move(run));
  }
  return runs;
}

/// A target that was not reached.
inline result::Run empty_run_for_testing() {
  auto run = run_for_testing();
  run.counts = {};
  run.verdict = result::RunVerdict::partial;
  run.notes = {"cannot connect"};
  run.observations.clear();
  for (auto& one : run.cases) {
    one.verdict = result::Verdict::not_exercised;
    one.reason = "the target was not reached";
    one.findings.clear();
    one.transcript.clear();
    run.counts.add(one.verdict);
  }
  for (auto& each : run.requirements) {
    each.verdict = result::Verdict::not_exercised;
    each.reason = "the target was not reached";
  }
  run.classes[0].verdict = result::RunVerdict::partial;
  run.classes[0].counts = {0, 0, 0, 4};
  return run;
}

}  // namespace jrpcheck::reports
