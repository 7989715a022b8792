#include "testing/judgement_for_testing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <ostream>

namespace jrpcheck::testing {
namespace {

using Json = nlohmann::json;

JudgedCase read_case(const Json& json) {
  JudgedCase one;
  one.id = json.at("id");
  one.verdict = json.at("verdict");
  one.reason = json.value("reason", "");
  one.reproduce = json.at("reproduce");
  for (const auto& each : json.at("findings")) {
    one.findings.push_back(
        {each.at("requirement"), each.at("severity"), each.at("message"), each.at("actual")});
  }
  for (const auto& event : json.at("transcript")) {
    one.directions.insert(event.at("direction"));
    const bool is_reply =
        event.at("direction") == "received" && !event.contains("as") && !event.contains("control");
    if (is_reply && event.contains("text")) one.replies.push_back(event.at("text"));
  }
  return one;
}

// What must be true of every report, whatever the server.
void check_consistency(const Judgement& judgement) {
  std::map<std::string, int> counts;
  std::set<std::string> charged;
  for (const auto& one : judgement.cases) {
    ++counts[one.verdict];
    EXPECT_TRUE(one.verdict != "not-exercised" || !one.reason.empty()) << one.id;
    EXPECT_EQ(one.verdict == "fail" || one.verdict == "warn", !one.findings.empty()) << one.id;
    for (const auto& finding : one.findings) {
      if (finding.severity == "fail") charged.insert(finding.requirement);
    }
  }
  for (const auto& [verdict, count] : judgement.counts) EXPECT_EQ(count, counts[verdict]);
  const auto failing = judgement.requirements.find("fail");
  EXPECT_EQ(charged,
            failing == judgement.requirements.end() ? std::set<std::string>() : failing->second);
}

// Whether a control call is sent, and in which case its answer is seen, depends on how fast the
// server was; so does what says whether one was answered, and whether a message is sent once more.
bool depends_on_speed(const Json& event) {
  const std::string direction = event.at("direction");
  return event.contains("control") || direction == "ended" || direction == "checked" ||
         event.value("note", "").find("sent once more") != std::string::npos;
}

void remove_times(Json& json) {
  if (json.is_object()) {
    for (const char* name : {"started", "duration-ms", "at-us"}) json.erase(name);
  }
  if (json.is_structured()) {
    for (auto& each : json) remove_times(each);
  }
}

}  // namespace

const std::string& jrpcheck_program() {
  static const std::string kPath = JRPCHECK_PROGRAM;
  return kPath;
}

const std::string& reference_program() {
  static const std::string kPath = REFERENCE_PROGRAM;
  return kPath;
}

const std::string& misbehaving_program() {
  static const std::string kPath = MISBEHAVING_PROGRAM;
  return kPath;
}

std::vector<const JudgedCase*> Judgement::charged(const std::string& requirement) const {
  std::vector<const JudgedCase*> found;
  for (const auto& one : cases) {
    const bool has = std::ranges::any_of(one.findings, [&](const JudgedFinding& finding) {
      return finding.requirement == requirement;
    });
    if (has) found.push_back(&one);
  }
  return found;
}

Judgement read_report(const std::string& text) {
  const Json json = Json::parse(text);
  Judgement judgement;
  judgement.json = text;
  judgement.verdict = json.at("verdict");
  judgement.counts = json.at("counts").get<std::map<std::string, int>>();
  judgement.target = json.at("target").get<std::map<std::string, std::string>>();
  judgement.notes = json.at("notes").get<std::vector<std::string>>();
  for (const auto& each : json.at("requirements")) {
    judgement.requirements[each.at("verdict")].insert(each.at("id").get<std::string>());
  }
  for (const auto& each : json.at("cases")) judgement.cases.push_back(read_case(each));
  return judgement;
}

Judgement read_consistent_report(const std::string& json) {
  Judgement judgement;
  try {
    judgement = read_report(json);
  } catch (const std::exception& error) {
    ADD_FAILURE() << "no report: " << error.what() << "\n" << json.substr(0, 400);
  }
  check_consistency(judgement);
  return judgement;
}

Judgement judge(const Words& words, const Words& environment) {
  const auto program =
      run_program(Words{jrpcheck_program(), "run", "--report", "json=-"} + words, environment);
  EXPECT_FALSE(program.left_processes);
  Judgement judgement = read_consistent_report(program.output);
  judgement.program = program;
  return judgement;
}

Words on_stdio(const std::string& mode) { return {"--", misbehaving_program(), "--" + mode}; }

Words over_http(const std::string& mode) {
  const auto port = std::to_string(free_port());
  return {"http://127.0.0.1:" + port + "/rpc",
          "--",
          misbehaving_program(),
          "--" + mode,
          "--http",
          port};
}

Words operator+(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::string normalised(const std::string& text) {
  Json json = Json::parse(text);
  remove_times(json);
  json.erase("conditions");  // of shards that are put together each has its own
  for (auto& one : json.at("cases")) {
    Json kept = Json::array();
    for (const auto& event : one.at("transcript")) {
      if (!depends_on_speed(event)) kept.push_back(event);
    }
    one["transcript"] = kept;
  }
  return json.dump(1);
}

std::string first_difference(const std::string& a, const std::string& b) {
  constexpr std::size_t kAround = 400;
  const std::size_t shorter = std::min(a.size(), b.size());
  const auto at = static_cast<std::size_t>(
      std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(shorter), b.begin()).first -
      a.begin());
  if (a == b) return {};
  const std::size_t from = at - std::min(at, kAround);
  return a.substr(from, 2 * kAround) + "\n-- and --\n" + b.substr(from, 2 * kAround);
}

void PrintTo(const Fault& fault, std::ostream* out) { *out << fault.mode; }

void expect_charged(const Fault& fault, Judgement judgement) {
  EXPECT_EQ(judgement.program.exit_code, 1);
  EXPECT_EQ(judgement.verdict, "fails");
  EXPECT_EQ(listed(minus(fault.failing, judgement.failing())), "") << "is not noticed";
  EXPECT_EQ(listed(minus(minus(judgement.failing(), fault.failing), fault.may_fail)), "")
      << "is charged besides";
  EXPECT_EQ(listed(minus(judgement.warned(), fault.may_warn)), "") << "is warned of besides";
}

std::string test_name(std::string mode) {
  std::replace(mode.begin(), mode.end(), '-', '_');
  return mode;
}

std::string listed(const std::set<std::string>& ids) {
  std::string text;
  for (const auto& id : ids) text += (text.empty() ? "" : ", ") + id;
  return text;
}

std::set<std::string> minus(const std::set<std::string>& a, const std::set<std::string>& b) {
  std::set<std::string> left;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(left, left.begin()));
  return left;
}

}  // namespace jrpcheck::testing
