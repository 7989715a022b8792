// Parts of a run on several machines, and the whole that they make.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "testing/judgement_for_testing.hpp"

namespace jrpcheck::testing {
namespace shards_test {

using Json = nlohmann::json;

void sort_by_id(Json& list) {
  std::sort(list.begin(), list.end(), [](const Json& a, const Json& b) {
    return a.value("id", "") + a.dump() < b.value("id", "") + b.dump();
  });
}

// In the order of ids, because shards have none among each other.
Json in_order(const std::string& report) {
  Json json = Json::parse(normalised(report));
  for (const char* name : {"cases", "requirements", "observations"}) sort_by_id(json[name]);
  for (auto& cause : json["causes"]) {
    auto& findings = cause["findings"];
    std::sort(findings.begin(), findings.end(),
              [](const Json& a, const Json& b) { return a.dump() < b.dump(); });
  }
  sort_by_id(json["causes"]);
  for (auto& point : json["server-profile"]) {
    sort_by_id(point["answers"]);
    point.erase("summary");  // names the answers in the order in which they came
  }
  sort_by_id(json["server-profile"]);
  return json;
}

class Shards : public ::testing::Test {
 protected:
  // `cases` are selected of a server on stdio, in `count` shards; where they are to be had.
  Words run_shards(const Words& options, const Words& target, int count) const {
    Words files;
    for (int i = 0; i < count; ++i) {
      files.push_back(folder_.file("shard-" + std::to_string(i) + ".json"));
      const auto result = run_program(
          Words{jrpcheck_program(), "run", "--quiet", "--shard-index", std::to_string(i),
                "--shard-count", std::to_string(count), "--report", "json=" + files.back()} +
          options + target);
      EXPECT_LE(result.exit_code, 1) << result.error;
    }
    return files;
  }

  ProgramResult put_together(const Words& files) const {
    return run_program(Words{jrpcheck_program(), "report", "json=-"} + files);
  }

  void expect_same_as_whole(const Words& options, const Words& target) const {
    const auto whole = in_order(judge(options + target).json);
    const auto merged = put_together(run_shards(options, target, 3));
    ASSERT_EQ(merged.exit_code, 0) << merged.error;
    const auto together = in_order(merged.output);
    for (const auto& [name, value] : whole.items()) {
      EXPECT_EQ(together.value(name, Json()), value) << name;
    }
  }

  TemporaryFolder folder_;
};

const Words kSome = {"--select", "calibration/*", "--select", "batch/*",
                     "--select", "id/*",          "--select", "request/*"};

TEST_F(Shards, MakeTheReportOfTheWhole) {
  expect_same_as_whole({}, {"--", reference_program(), "--stdio"});
}

// What is wrong everywhere is charged once, in the whole as in its parts.
TEST_F(Shards, ChargeWhatIsWrongEverywhereOnceToo) {
  expect_same_as_whole(kSome, on_stdio("omits-version"));
  expect_same_as_whole(kSome, on_stdio("swaps-codes"));
}

TEST_F(Shards, EachHasCasesAndNoneIsInTwo) {
  std::set<std::string> seen;
  for (const auto& file : run_shards(kSome, on_stdio("ordinary"), 3)) {
    const auto shard = read_report(read_file(file));
    EXPECT_FALSE(shard.cases.empty());
    EXPECT_EQ(shard.verdict, "partial") << "a shard alone never conforms";
    for (const auto& one : shard.cases) EXPECT_TRUE(seen.insert(one.id).second) << one.id;
  }
}

TEST_F(Shards, AreTakenFromTheEnvironment) {
  const Words words = Words{"--select", "batch/*"} + on_stdio("ordinary");
  const auto given = judge(Words{"--shard-index", "1", "--shard-count", "2"} + words);
  const auto inherited = judge(words, {"TEST_SHARD_INDEX=1", "TEST_TOTAL_SHARDS=2"});
  ASSERT_EQ(given.cases.size(), inherited.cases.size());
  EXPECT_EQ(in_order(given.json), in_order(inherited.json));
}

TEST_F(Shards, AnEmptyOneIsNoFailureAndSaysSo) {
  int empty = 0;
  for (int i = 0; i < 4; ++i) {
    const auto result =
        run_program(Words{jrpcheck_program(), "run", "--select", "batch/empty", "--shard-count",
                          "4", "--shard-index", std::to_string(i)} +
                    on_stdio("ordinary"));
    EXPECT_EQ(result.exit_code, 0) << result.error;
    empty += contains(result.output, "and has no case") ? 1 : 0;
  }
  EXPECT_EQ(empty, 3);
}

TEST_F(Shards, EachTellsOfAServerThatCannotBeJudged) {
  for (const auto& file : run_shards({"--timeout", "0.2"}, on_stdio("prompts"), 2)) {
    EXPECT_GT(read_report(read_file(file)).counts["fail"], 0) << file;
  }
}

TEST_F(Shards, ThatAreMissingOrThereTwiceOrOfOtherRunsAreRefused) {
  const auto files = run_shards({"--select", "batch/*"}, on_stdio("ordinary"), 3);
  const auto missing = put_together({files[0], files[2]});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_TRUE(contains(missing.error, "shard 1 of 3")) << missing.error;
  const auto twice = put_together({files[0], files[1], files[2], files[1]});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_TRUE(contains(twice.error, "there twice")) << twice.error;
  const TemporaryFolder other;
  const auto stranger = other.file("run.json");
  run_program(Words{jrpcheck_program(), "run", "--select", "batch/*", "--shard-index", "1",
                    "--shard-count", "3", "--report", "json=" + stranger} +
              on_stdio("spaced"));
  const auto mixed = put_together({files[0], stranger, files[2]});
  EXPECT_EQ(mixed.exit_code, 2);
  EXPECT_TRUE(contains(mixed.error, "differ in their target")) << mixed.error;
}

TEST_F(Shards, HoldTheirPartOfABaseline) {
  const auto baseline = folder_.file("known.json");
  const Words options = kSome + Words{"--baseline", baseline};
  const auto made = run_program(Words{jrpcheck_program(), "run", "--update-baseline"} + options +
                                on_stdio("swaps-codes"));
  ASSERT_EQ(made.exit_code, 0) << made.error;
  const auto files = run_shards(options, on_stdio("swaps-codes"), 3);
  std::size_t known = 0;
  for (const auto& file : files) {
    const auto shard = Json::parse(read_file(file));
    EXPECT_TRUE(shard["baseline"]["holds"]) << file;
  }
  const auto merged = put_together(files);
  ASSERT_EQ(merged.exit_code, 0) << merged.error;
  known = Json::parse(merged.output)["baseline"]["counts"]["known"];
  EXPECT_EQ(known, Json::parse(read_file(baseline))["cases"].size());
}

TEST_F(Shards, DoNotUpdateABaseline) {
  const auto result =
      run_program(Words{jrpcheck_program(), "run", "--shard-index", "0", "--shard-count", "2",
                        "--baseline", folder_.file("b.json"), "--update-baseline"} +
                  on_stdio("ordinary"));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_TRUE(contains(result.error, "a shard knows only its own")) << result.error;
}

}  // namespace shards_test
}  // namespace jrpcheck::testing
