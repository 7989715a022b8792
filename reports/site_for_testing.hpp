// Records made by hand, for the tests of the site.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "reports/hostile_run_for_testing.hpp"
#include "reports/site.hpp"

namespace jrpcheck::reports {

inline targets::Target target_for_testing(const std::string& name, targets::Group group) {
  targets::Target target;
  target.name = name;
  target.group = group;
  target.about = "What " + name + " is";
  target.home = "https://example.org/" + name;
  target.licence = "MIT";
  target.version = target.found = "1.2.3";
  target.npm = {name + "@1.2.3"};
  target.wrapper = "wrappers/" + name + ".js";
  target.start = {"node", "{wrapper}", "{port}"};
  target.door = "http";
  const bool is_client = group == targets::Group::client;
  target.kind = is_client ? targets::Kind::client : targets::Kind::server;
  target.target = is_client ? "" : "http://127.0.0.1:{port}/";
  target.limits = {"The wrapper parses."};
  return target;
}

inline SiteRecord record_for_testing(const std::string& name, targets::Group group,
                                     const std::string& round, result::Run run) {
  SiteRecord record;
  record.round = round;
  record.about = target_for_testing(name, group);
  record.is_described = true;
  run.name = name;
  record.run = std::move(run);
  return record;
}

/// Two libraries, of which one was judged twice, a client, one that could not be started, one that
/// nobody described and whose server is hostile.
inline std::vector<SiteRecord> site_for_testing() {
  using targets::Group;
  std::vector<SiteRecord> records;
  auto better = run_for_testing();
  better.started = "2026-01-03T03:04:05Z";
  better.cases[0].verdict = result::Verdict::pass;
  better.cases[0].findings.clear();
  records.push_back(record_for_testing("alpha", Group::library, "2026-01-03", better));
  records.push_back(record_for_testing("alpha", Group::library, "2026-01-02", run_for_testing()));
  records.push_back(
      record_for_testing("beta", Group::library, "2026-01-02", conforming_run_for_testing()));
  records.push_back(record_for_testing("gamma", Group::client, "2026-01-02", run_for_testing()));
  auto missing = record_for_testing("delta", Group::mcp, "2026-01-02", run_for_testing());
  missing.run.reset();
  missing.about.not_judged = "npm install failed: 404";
  records.push_back(std::move(missing));
  auto hostile =
      record_for_testing("<epsilon>", Group::product, "2026-01-02", hostile_run_for_testing());
  hostile.is_described = false;
  hostile.fuzzed = run_for_testing();
  records.push_back(std::move(hostile));
  return records;
}

/// So many targets that were asked for so many requirements each: a third of them broken.
inline std::vector<SiteRecord> large_site_for_testing(std::size_t targets,
                                                      std::size_t requirements) {
  constexpr std::size_t kGroups = 5;
  std::vector<SiteRecord> records;
  for (std::size_t i = 0; i < targets; ++i) {
    auto run = run_for_testing();
    const auto shown = run.cases[0];
    run.cases.clear();
    run.requirements.clear();
    run.counts = {};
    for (std::size_t rule = 0; rule < requirements; ++rule) {
      const std::string id = "rule-" + std::to_string(rule);
      const bool is_broken = (rule * 7 + i * 3) % 3 == 0;
      auto one = shown;
      one.id = "case/" + std::to_string(rule);
      one.requirements = {id};
      one.findings[0].requirement = id;
      if (!is_broken) one.findings.clear();
      one.verdict = is_broken ? result::Verdict::fail : result::Verdict::pass;
      run.counts.add(one.verdict);
      run.requirements.push_back({requirement_named(id, corpus::Level::must), one.verdict, ""});
      run.cases.push_back(std::move(one));
    }
    records.push_back(record_for_testing("target-" + std::to_string(i),
                                         static_cast<targets::Group>(i % kGroups), "2026-01-02",
                                         std::move(run)));
  }
  return records;
}

}  // namespace jrpcheck::reports
