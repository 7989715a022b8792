// Runs against servers that try to break reports, and runs that strain them.
#pragma once

#include <string>

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
    one.reproduce += to_visible(evil);
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
