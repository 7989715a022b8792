// Whole runs against a server of one line of shell: what selection and unjudgeable servers come to.
#include "run/runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/judge_again.hpp"
#include "run/run_for_testing.hpp"

namespace jrpcheck::run {
namespace runner_test {

using result::RunVerdict;
using result::Verdict;

class Runner : public GuardedTest {
 protected:
  // A run of these cases against a shell that executes `body` for each line, its id in $id.
  static result::Run run(const std::string& body, std::vector<std::string> select,
                         milliseconds timeout = milliseconds(5000)) {
    const auto& corpus = corpus::corpus_for_testing(corpus::kDefaultProfile);
    Options options;
    options.command = {
        "sh", "-c",
        "while IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%'}'}; " + body + "; done"};
    options.framing = wire::binding_named("lines");
    options.selection.select = std::move(select);
    options.timeout = timeout;
    NoProgress progress;
    auto finished = run_corpus(corpus, options, *guardian_, progress);
    EXPECT_EQ(finished.unreached, "");
    if (finished.unreached.empty()) expect_same_when_judged_again(finished, corpus);
    return finished;
  }

  // Whatever is run here has the same verdicts when what was said is judged again.
  static void expect_same_when_judged_again(const result::Run& run, const corpus::Corpus& corpus) {
    const auto again = judge_again(run, corpus);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->verdict, run.verdict);
    EXPECT_EQ(again->counts, run.counts);
    ASSERT_EQ(again->cases.size(), run.cases.size());
    for (std::size_t i = 0; i < run.cases.size(); ++i) {
      const auto& one = run.cases[i];
      const auto& other = again->cases[i];
      EXPECT_EQ(other.id, one.id);
      EXPECT_EQ(other.verdict, one.verdict) << one.id;
      EXPECT_EQ(other.reason, one.reason) << one.id;
      EXPECT_EQ(other.reproduce, one.reproduce) << one.id;
      ASSERT_EQ(other.findings.size(), one.findings.size()) << one.id;
      for (std::size_t j = 0; j < one.findings.size(); ++j) {
        EXPECT_EQ(identity_of(other.findings[j]), identity_of(one.findings[j])) << one.id;
        EXPECT_EQ(other.findings[j].severity, one.findings[j].severity) << one.id;
        EXPECT_EQ(other.findings[j].expected, one.findings[j].expected) << one.id;
        EXPECT_EQ(other.findings[j].actual, one.findings[j].actual) << one.id;
        EXPECT_EQ(other.findings[j].step, one.findings[j].step) << one.id;
      }
    }
  }

  static std::string answer(const std::string& members) {
    return "case $line in *'\"id\":'*) printf '{" + members + ",\"id\":%s}\\n' \"$id\";; esac";
  }
};

std::set<std::string> charged(const result::Run& run) {
  std::set<std::string> ids;
  for (const auto& one : run.cases) {
    for (const auto& finding : one.findings) ids.insert(finding.requirement);
  }
  return ids;
}

const std::string kNotFound = R"("jsonrpc":"2.0","error":{"code":-32601,"message":"No"})";

const result::CaseResult* find_case(const result::Run& run, const std::string& id) {
  const auto found = std::find_if(run.cases.begin(), run.cases.end(),
                                  [&](const auto& one) { return one.id == id; });
  return found == run.cases.end() ? nullptr : &*found;
}

TEST_F(Runner, RunsTheSelectedCasesAlone) {
  const auto run = Runner::run(answer(kNotFound), {"request/unknown-method"});
  ASSERT_EQ(run.cases.size(), 1U);
  EXPECT_EQ(run.cases[0].id, "request/unknown-method");
  EXPECT_EQ(run.cases[0].verdict, Verdict::pass);
  EXPECT_EQ(run.verdict, RunVerdict::partial) << "a part never conforms";
}

// Calibration charges what every reply violates, and other cases do not: where it is not selected
// the report says so all the same, and never under the name of something else.
TEST_F(Runner, SelectingOneCaseDoesNotHideWhatEveryReplyViolates) {
  const std::string no_version = answer(R"("error":{"code":-32601,"message":"No"})");
  for (const auto& more : {std::vector<std::string>{}, {"calibration/*"}}) {
    std::vector<std::string> selected = {"request/unknown-method"};
    selected.insert(selected.end(), more.begin(), more.end());
    const auto run = Runner::run(no_version, selected);
    EXPECT_EQ(charged(run).count("res-version"), 1U);
    EXPECT_EQ(run.verdict, RunVerdict::fails);
    const auto* one = find_case(run, "request/unknown-method");
    ASSERT_NE(one, nullptr);
    EXPECT_TRUE(one->findings.empty());
  }
}

TEST_F(Runner, ACodeThatUnknownMethodsAlwaysHaveIsNotChargedToTheSelectedCase) {
  const std::string other_code =
      answer(R"("jsonrpc":"2.0","error":{"code":-32000,"message":"No"})");
  const auto run = Runner::run(other_code, {"id/negative"});
  EXPECT_EQ(charged(run), std::set<std::string>{"err-code-method"});
  const auto* one = find_case(run, "id/negative");
  ASSERT_NE(one, nullptr);
  EXPECT_TRUE(one->findings.empty());
  EXPECT_NE(find_case(run, "calibration/number-id"), nullptr);
}

TEST_F(Runner, AServerThatCannotBeJudgedFailsWhateverIsSelected) {
  const auto run = Runner::run("echo What?", {"request/unknown-method"}, milliseconds(20));
  EXPECT_EQ(run.verdict, RunVerdict::fails);
  EXPECT_EQ(run.counts.fail, 1U);
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(run.cases[0].id, "calibration/number-id") << "it shows why";
  EXPECT_EQ(run.cases[1].verdict, Verdict::not_exercised);
  EXPECT_FALSE(run.notes.empty());
}

// No method of such a server plays a role, so that no case sees a success.
TEST_F(Runner, ASuccessThatOnlyDiscoverySeesIsJudged) {
  const std::string server =
      "case $line in *'\"method\":\"get_data\"'*) printf "
      "'{\"jsonrpc\":\"2.0\",\"result\":1,\"error\":{},\"id\":%s}\\n' \"$id\";; *) " +
      answer(kNotFound) + ";; esac";
  const auto run = Runner::run(server, {"res-exclusive"});
  const auto* told = find_case(run, "dialogue/discovery");
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->verdict, Verdict::fail);
  EXPECT_EQ(run.verdict, RunVerdict::fails);
  EXPECT_NE(told->reproduce.find("get_data"), std::string::npos);
  EXPECT_EQ(find_case(Runner::run(server, {"request/unknown-method"}), "dialogue/discovery"),
            nullptr)
      << "it was not selected";
}

TEST_F(Runner, NothingIsToldOfASoundDialogue) {
  const auto run = Runner::run(answer(kNotFound), {"request/*"});
  for (const auto& one : run.cases) EXPECT_NE(one.id.substr(0, 9), "dialogue/");
}

// Everything is answered -32000 after the call of a certain method.
TEST_F(Runner, ADamagedServerIsChargedToWhatDamagedItAndStartedAnew) {
  const std::string server =
      "case $line in *'\"method\":\"fails\"'*) broken=1;; esac; if [ $broken ]; then " +
      answer(R"("jsonrpc":"2.0","error":{"code":-32000,"message":"No"})") + "; else " +
      answer(kNotFound) + "; fi";
  const auto run = Runner::run(server, {"request/unknown-method", "rob-survives"});
  const auto* told = find_case(run, "dialogue/discovery");
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->findings.front().requirement, "rob-survives");
  EXPECT_NE(told->reproduce.find("fails"), std::string::npos) << told->reproduce;
  EXPECT_EQ(find_case(run, "request/unknown-method")->verdict, Verdict::pass);
}

TEST_F(Runner, AHandshakeThatIsAskedForIsDone) {
  const std::string wanted =
      R"("jsonrpc":"2.0","error":{"code":-32002,"message":"Server not initialized"})";
  const std::string server =
      "case $line in *'\"initialize\"'*) ready=1; printf "
      "'{\"jsonrpc\":\"2.0\",\"result\":{},\"id\":3000001}\\n';; *) if [ $ready ]; then " +
      answer(kNotFound) + "; else " + answer(wanted) + "; fi;; esac";
  const auto run = Runner::run(server, {"request/unknown-method"});
  EXPECT_EQ(charged(run), std::set<std::string>());
  ASSERT_FALSE(run.notes.empty());
  EXPECT_NE(run.notes.front().find("--opening mcp"), std::string::npos) << run.notes.front();
}

TEST_F(Runner, AHandshakeThatIsRefusedIsHintedAt) {
  const auto run = Runner::run(
      answer(R"("jsonrpc":"2.0","error":{"code":-32002,"message":"Server not initialized"})"),
      {"request/unknown-method"});
  ASSERT_FALSE(run.notes.empty());
  EXPECT_NE(run.notes.front().find("does not take that of --opening mcp"), std::string::npos);
  EXPECT_EQ(charged(run).count("err-code-method"), 0U);
  const auto* one = find_case(run, "request/unknown-method");
  ASSERT_NE(one, nullptr);
  EXPECT_EQ(one->verdict, Verdict::not_exercised);
  EXPECT_NE(one->reason.find("a handshake of its own"), std::string::npos) << one->reason;
}

TEST_F(Runner, WhoKnowsTheHandshakeThatItAsksForAndRefusesItIsNotJudgedWithoutOne) {
  const std::string refusal = R"("jsonrpc":"2.0","error":{"code":-32603,"message":"No option"})";
  const std::string wanted =
      R"("jsonrpc":"2.0","error":{"code":-32002,"message":"Server not initialized"})";
  Options options;
  options.command = {"sh", "-c",
                     "while IFS= read -r line; do id=${line##*'\"id\":'}; id=${id%'}'}; case $line "
                     "in *'\"initialize\"'*) printf '{" +
                         refusal + ",\"id\":3000001}\\n';; *) " + answer(wanted) + ";; esac; done"};
  options.framing = wire::binding_named("lines");
  options.selection.select = {"request/unknown-method"};
  NoProgress progress;
  const auto run = run_corpus(corpus::corpus_for_testing(), options, *guardian_, progress);
  EXPECT_EQ(run.verdict, RunVerdict::unreachable);
  EXPECT_EQ(run.answered, "it answers, and no handshake comes about");
  EXPECT_NE(run.unreached.find("does not take that of --opening mcp"), std::string::npos);
  EXPECT_NE(run.unreached.find("No option"), std::string::npos) << run.unreached;
}

TEST_F(Runner, AServerThatMayWantACallThatComesFirstIsChargedWithAHint) {
  const auto run =
      Runner::run(answer(R"("jsonrpc":"2.0","error":{"code":-32001,"message":"Unauthorized"})"),
                  {"request/unknown-method"});
  EXPECT_EQ(charged(run).count("err-code-method"), 1U);
  ASSERT_FALSE(run.notes.empty());
  EXPECT_NE(run.notes.front().find("for --opening"), std::string::npos);
  EXPECT_EQ(run.notes.front().find("--header"), std::string::npos) << "stdio has none";
}

TEST_F(Runner, TheCodeOfThatForAMethodThatIsNotThereIsAFailure) {
  const auto run =
      Runner::run(answer(R"("jsonrpc":"2.0","error":{"code":-32002,"message":"No such method"})"),
                  {"request/unknown-method"});
  EXPECT_EQ(charged(run).count("err-code-method"), 1U);
}

TEST_F(Runner, AProgramThatCannotBeStartedIsUnreachable) {
  const auto& corpus = corpus::corpus_for_testing();
  Options options;
  options.command = {"/nonexistent/server"};
  NoProgress progress;
  const auto run = run_corpus(corpus, options, *guardian_, progress);
  EXPECT_EQ(run.verdict, RunVerdict::unreachable);
  EXPECT_NE(run.unreached.find("/nonexistent/server"), std::string::npos);
}

TEST_F(Runner, WhoRefusesTheHandshakeOfAProfileIsNotTakenForNobody) {
  const auto& corpus = corpus::corpus_for_testing("mcp-2025-11-25");
  Options options;
  adopt(corpus.profile, options);
  options.command = {
      "sh", "-c",
      "while IFS= read -r line; do id=${line##*'\"id\":'}; printf "
      "'{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32603,\"message\":\"No\"},\"id\":%s}\\n' "
      "\"${id%%,*}\"; done"};
  options.framing = wire::binding_named("lines");
  NoProgress progress;
  const auto run = run_corpus(corpus, options, *guardian_, progress);
  EXPECT_EQ(run.verdict, RunVerdict::unreachable);
  EXPECT_EQ(run.answered, "it answers, and no handshake comes about");
  EXPECT_NE(run.unreached.find("--opening FILE"), std::string::npos) << run.unreached;
}

TEST_F(Runner, WhoTakesNeitherNullNorAnEmptyFolderIsToldWithBothAndWithTheWayOut) {
  const auto& corpus = corpus::corpus_for_testing("lsp");
  Options options;
  adopt(corpus.profile, options);
  options.command = {"sh", "-c",
                     "while IFS= read -r line; do case $line in *'\"rootUri\":null'*) echo '"
                     R"({"jsonrpc":"2.0","error":{"code":-32603,"message":"No root"},"id":3000001})"
                     "';; *) echo no project >&2; exit 8;; esac; done"};
  options.framing = wire::binding_named("lines");
  NoProgress progress;
  const auto run = run_corpus(corpus, options, *guardian_, progress);
  EXPECT_EQ(run.verdict, RunVerdict::unreachable);
  EXPECT_EQ(run.answered, "it answers, and no handshake comes about");
  for (const char* told : {"no project", "empty folder at /params/rootUri", "\"rootUri\":null",
                           "No root", "--opening FILE"}) {
    EXPECT_NE(run.unreached.find(told), std::string::npos) << told << "\n" << run.unreached;
  }
  EXPECT_EQ(run.notes.back(), run.unreached);
}

TEST_F(Runner, AProgramThatEndsBeforeItAnswersIsToldWithWhatItSaid) {
  for (const char* name : {"jsonrpc-2.0", "mcp-2026-07-28"}) {
    const auto& corpus = corpus::corpus_for_testing(name);
    Options options;
    adopt(corpus.profile, options);
    options.command = {"sh", "-c", "echo no config found >&2; exit 1"};
    options.framing = wire::binding_named("lines");
    NoProgress progress;
    const auto run = run_corpus(corpus, options, *guardian_, progress);
    EXPECT_EQ(run.verdict, RunVerdict::unreachable);
    EXPECT_EQ(run.unreached,
              "'sh' ended before it answered a call: it exited with code 1; its standard error:\n"
              "no config found\n")
        << name;
  }
}

TEST(UnreachedRun, ExercisesNothingAndConformsToNothing) {
  const auto& corpus = corpus::corpus_for_testing();
  const auto run = unreached_run(corpus, {}, "nobody is there");
  EXPECT_EQ(run.verdict, RunVerdict::unreachable);
  EXPECT_EQ(run.counts.not_exercised, corpus.cases.size());
  EXPECT_EQ(run.counts.pass + run.counts.warn + run.counts.fail, 0U);
  EXPECT_EQ(run.notes, std::vector<std::string>{"nobody is there"});
  for (const auto& one : run.classes) EXPECT_EQ(one.verdict, RunVerdict::partial) << one.name;
}

result::Run stored_run() {
  result::Run run;
  run.target = {"a server", "stdio", "lines"};
  run.profile = corpus::kDefaultProfile;
  run.conditions.emplace();
  return run;
}

const corpus::Corpus& default_corpus() {
  return corpus::corpus_for_testing(corpus::kDefaultProfile);
}

TEST(JudgeAgain, SaysWhatARunLacksAndWhatToDo) {
  auto run = stored_run();
  run.conditions.reset();
  auto judged = judge_again(run, default_corpus());
  ASSERT_FALSE(judged);
  EXPECT_NE(judged.error().message.find("conditions"), std::string::npos);
  EXPECT_NE(judged.error().message.find("Run it again"), std::string::npos);
  run.target.framing.clear();
  judged = judge_again(run, default_corpus());
  ASSERT_FALSE(judged);
  EXPECT_NE(judged.error().message.find("not reached"), std::string::npos);
}

TEST(JudgeAgain, ACaseThatAsksSomethingElseNowTellsNothing) {
  auto run = stored_run();
  auto& one = run.cases.emplace_back();
  one.id = "request/unknown-method";
  one.verdict = Verdict::pass;
  one.ordinal = 3;
  one.asked = "0";
  const auto judged = judge_again(run, default_corpus());
  ASSERT_TRUE(judged);
  const auto* again = find_case(*judged, one.id);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(again->verdict, Verdict::not_exercised);
  EXPECT_NE(again->reason.find("run it again"), std::string::npos);
}

TEST(JudgeAgain, ACaseThatIsNewSinceIsNotExercisedAndOneThatIsGoneIsNamed) {
  auto run = stored_run();
  run.cases.emplace_back().id = "gone/since";
  const auto judged = judge_again(run, default_corpus());
  ASSERT_TRUE(judged);
  EXPECT_EQ(find_case(*judged, "request/unknown-method")->verdict, Verdict::not_exercised);
  EXPECT_EQ(find_case(*judged, "gone/since"), nullptr);
  ASSERT_EQ(judged->notes.size(), 1U);
  EXPECT_NE(judged->notes[0].find("gone/since"), std::string::npos);
  EXPECT_EQ(judged->verdict, RunVerdict::partial);
}

}  // namespace runner_test
}  // namespace jrpcheck::run
