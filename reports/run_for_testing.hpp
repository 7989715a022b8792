// A run made by hand, for the tests of formats.
#pragma once

#include <string>
#include <utility>

#include "result/run.hpp"

namespace jrpcheck::reports {

inline corpus::Requirement requirement_named(const std::string& id, corpus::Level level) {
  corpus::Requirement requirement;
  requirement.id = id;
  requirement.clause = "5";
  requirement.level = level;
  requirement.class_name = "core";
  requirement.text = "Text of " + id + ".";
  return requirement;
}

inline result::CaseResult case_named(const std::string& id, result::Verdict verdict,
                                     const std::string& sent) {
  result::CaseResult one;
  one.id = id;
  one.title = "Title of " + id;
  one.verdict = verdict;
  one.requirements = {"id-echo"};
  one.duration = microseconds(1500);
  one.transcript.push_back({dialogue::Direction::sent, microseconds(10), sent, "", 0});
  one.reproduce = "printf '" + sent + "' | server";
  return one;
}

/// Two cases that fail for one requirement, one that warns, one that passes, one not exercised.
inline result::Run run_for_testing() {
  using corpus::Level;
  using dialogue::Direction;
  using result::Verdict;
  result::Run run;
  run.tool_version = "1.2.3";
  run.corpus_cases = 5;
  run.corpus_hash = "abc123";
  run.seed = 7;
  run.target = {"node server.js", "stdio", "lines"};
  run.profile = "jsonrpc-2.0";
  run.started = "2026-01-02T03:04:05Z";
  run.duration = milliseconds(1500);
  run.verdict = result::RunVerdict::fails;

  auto first = case_named("id/number", Verdict::fail, R"({"id":1})");
  first.findings.push_back({"id-echo", corpus::Verdict::fail, judge::Symptom::wrong_id,
                            judge::Place{{}, "/id"}, "an error with id 1", R"({"id":"1"})"});
  first.transcript.push_back({Direction::received, microseconds(20), R"({"id":"1"})", ""});
  auto second = case_named("id/string", Verdict::fail, R"({"id":"x"})");
  second.findings.push_back({"id-echo", corpus::Verdict::fail, judge::Symptom::wrong_id,
                             judge::Place{{}, "/id"}, R"(an error with id "x")", R"({"id":null})"});
  auto third = case_named("json/comment", Verdict::warn, "/**/");
  third.findings.push_back({"json-extensions", corpus::Verdict::warn,
                            judge::Symptom::outcome_of_case, judge::Place{},
                            "error -32700 with id null", "{}", "A comment is accepted."});
  auto fourth = case_named("batch/empty", Verdict::not_exercised, "[]");
  fourth.reason = "batches are not served";
  fourth.transcript.clear();
  fourth.reproduce.clear();
  auto fifth = case_named("request/unknown-method", Verdict::pass, "{}");
  for (auto* one : {&first, &second, &third, &fourth, &fifth}) {
    run.counts.add(one->verdict);
    run.cases.push_back(std::move(*one));
  }
  run.requirements = {{requirement_named("id-echo", Level::must), Verdict::fail, ""},
                      {requirement_named("json-extensions", Level::should), Verdict::warn, ""},
                      {requirement_named("req-version", Level::must), Verdict::pass, ""},
                      {requirement_named("bat-empty", Level::must), Verdict::not_exercised,
                       "batches are not served"}};
  run.requirements[0].requirement.why = "A client cannot tell which call was answered.";
  run.requirements[0].requirement.seen = {"owner/project #7: the id came back as a String"};
  run.requirements[1].requirement.clause = "RFC 8259 9";
  result::ClassResult core;
  core.name = "core";
  core.verdict = result::RunVerdict::fails;
  for (const auto& one : run.requirements) core.counts.add(one.verdict);
  run.classes = {core};
  run.observations = {{"id null", "served", "id/null"}, {"id null", "served", "id/other"}};
  run.notes = {"A note."};
  return run;
}

}  // namespace jrpcheck::reports
