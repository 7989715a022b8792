#include "run/case_runner.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/contains.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "judge/protocol.hpp"
#include "judge/rules/law.hpp"
#include "run/case_ids.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace case_runner_test {

using result::Verdict;

TEST(NotExercised, SaysWhatAndWhy) {
  corpus::Case one;
  one.id = "a/b";
  one.title = "T";
  one.requirements = {"id-echo"};
  const auto result = not_exercised(one, "because");
  EXPECT_EQ(result.id, "a/b");
  EXPECT_EQ(result.title, "T");
  EXPECT_EQ(result.requirements, one.requirements);
  EXPECT_EQ(result.verdict, Verdict::not_exercised);
  EXPECT_EQ(result.reason, "because");
}

// --- one case ---

constexpr std::string_view kLedger = R"({"requirements": [
    {"id": "err-code-method", "clause": "5", "level": "must", "class": "core", "text": "T."},
    {"id": "par-invalid", "clause": "5", "level": "should", "class": "core", "text": "T."},
    {"id": "rob-survives", "clause": "-", "level": "must", "class": "robust", "text": "T."}]})";

constexpr std::string_view kCall = R"({"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}"})";
constexpr std::string_view kUnknown = R"({"response": {"error": {"code": -32601}, "id": "${id}"}})";

std::string step(std::string_view message, std::string_view outcomes, std::string_view more = "") {
  return R"({"send": {"json": )" + std::string(message) + "}, " + std::string(more) +
         R"("accept": [)" + std::string(outcomes) + "]}";
}

// A corpus of one case with these steps.
corpus::Corpus corpus_with(const std::string& steps,
                           const std::string& requirement = "err-code-method",
                           const std::string& members = "") {
  auto corpus = corpus::assemble(
      {{"ledger.json", std::string(kLedger)},
       {"a.json", R"({"cases": [{"id": "a/b", "title": "T", "requirements": [")" + requirement +
                      "\"], " + members + R"("steps": [)" + steps + "]}]}"}},
      {});
  EXPECT_TRUE(corpus) << corpus.error().message;
  return corpus ? *std::move(corpus) : corpus::Corpus();
}

struct Ran {
  CaseRun run;
  std::vector<std::string> sent;
  int checks;
};

Ran ran(const corpus::Corpus& corpus, FakeServer server,
        dialogue::Ending ending = dialogue::Ending::settled) {
  FakeEndpoint endpoint;
  const CaseRunner runner(corpus, endpoint, 0);
  FakeConversation conversation(std::move(server));
  conversation.ending = ending;
  auto run = runner.run(0, conversation);
  return {std::move(run), conversation.sent, conversation.checks};
}

TEST(CaseRunner, ARightAnswerPassesWithItsEvidence) {
  const auto [run, sent, checks] =
      ran(corpus_with(step(kCall, kUnknown)), server_without_methods());
  EXPECT_EQ(run.result.verdict, Verdict::pass);
  EXPECT_EQ(run.result.reason, "");
  EXPECT_EQ(run.result.reproduce, "try a/b");
  ASSERT_EQ(sent.size(), 1U);
  EXPECT_EQ(sent[0], R"({"jsonrpc":"2.0","method":")" + bindings_for(0, 0, {}).unknown_method +
                         R"(","id":20000})");
  ASSERT_EQ(run.result.transcript.size(), 3U);
  EXPECT_EQ(run.result.transcript[0].bytes, sent[0]);
  EXPECT_EQ(run.result.transcript[2].direction, dialogue::Direction::ended);
  EXPECT_EQ(std::count(run.result.exercised.begin(), run.result.exercised.end(), "err-code-method"),
            1);
  EXPECT_EQ(checks, 0) << "nothing was sent that a server could die of";
}

TEST(CaseRunner, TheWorstFindingIsTheVerdict) {
  const auto wrong = answering([](const json::Value&) { return error_member(-32603); });
  EXPECT_EQ(ran(corpus_with(step(kCall, kUnknown)), wrong).run.result.verdict, Verdict::fail);
  EXPECT_EQ(ran(corpus_with(step(kCall, kUnknown), "par-invalid"), wrong).run.result.verdict,
            Verdict::warn);
}

TEST(CaseRunner, WhatCouldNotBeJudgedDidNotPass) {
  FakeEndpoint endpoint;
  const auto corpus = corpus_with(step(kCall, kUnknown));
  CaseRunner runner(corpus, endpoint, 0);
  judge::Context context;
  context.systematic = {"err-object"};
  runner.use({}, context);
  FakeConversation conversation(answering([](const json::Value&) { return R"("error":"No")"; }));
  const auto run = runner.run(0, conversation);
  EXPECT_EQ(run.result.verdict, Verdict::not_exercised);
  EXPECT_EQ(run.result.reason, "the error has no integer code to compare");
  EXPECT_TRUE(run.result.findings.empty());
}

TEST(CaseRunner, AfterAMalformedMessageTheServerIsAskedWhetherItServes) {
  const auto corpus = corpus_with(step("[]", R"({"batch": [{"error": {"any": true}, "id": 1}]},
                                                {"silence": true})"));
  const auto alive = ran(corpus, [](const std::string& message) -> std::optional<std::string> {
    if (message == "[]") return std::nullopt;
    return server_without_methods()(message);
  });
  EXPECT_EQ(alive.checks, 1);
  EXPECT_EQ(alive.run.survival.survival, dialogue::Survival::alive);
  EXPECT_EQ(alive.run.result.verdict, Verdict::pass);
  const auto deaf = ran(corpus, [](const std::string&) { return std::nullopt; });
  EXPECT_EQ(deaf.run.survival.survival, dialogue::Survival::deaf);
  ASSERT_EQ(deaf.run.result.findings.size(), 1U);
  EXPECT_EQ(deaf.run.result.findings[0].requirement, "rob-survives");
  EXPECT_EQ(deaf.run.result.verdict, Verdict::fail);
}

TEST(CaseRunner, AnAnswerThatDoesNotComeRaisesTheQuestionToo) {
  const auto corpus = corpus_with(step(kCall, kUnknown));
  EXPECT_EQ(ran(corpus, server_without_methods(), dialogue::Ending::timed_out).checks, 1);
}

TEST(CaseRunner, AConversationThatEndedIsNotGoneOnWith) {
  const std::string two = step(kCall, R"({"closed": true})") + "," + step(kCall, kUnknown);
  const auto silent_once = [](const std::string& message) -> std::optional<std::string> {
    if (message.find("jrpcheckControl") == std::string::npos) return std::nullopt;
    return server_without_methods()(message);
  };
  const auto [run, sent, checks] = ran(corpus_with(two), silent_once, dialogue::Ending::closed);
  EXPECT_EQ(sent.size(), 1U);
  EXPECT_EQ(checks, 1);
  EXPECT_EQ(run.result.verdict, Verdict::not_exercised) << "the second step was never sent";
  EXPECT_EQ(run.result.reason, "the conversation ended before the last step");
}

/// A server that ends once the first step has been answered.
class EndsBehindFirstStep : public FakeConversation {
 public:
  using FakeConversation::FakeConversation;

  dialogue::Exchange exchange(const corpus::Step& step, dialogue::Transcript& transcript) override {
    if (!transcript.is_past_first_step()) return FakeConversation::exchange(step, transcript);
    dialogue::Exchange none;
    none.ending = dialogue::Ending::exited;
    none.comes_too_late = true;
    return none;
  }
  dialogue::SurvivalCheck check_survival(dialogue::Transcript&) override {
    return {dialogue::Survival::dead, "the program exited with code 1", "out of ideas"};
  }
};

TEST(CaseRunner, AServerThatEndsBetweenStepsHasDiedOfWhatItWasSentAndIsAskedNothingMore) {
  const auto corpus =
      corpus_with(step(kCall, kUnknown) + "," + step(kCall, R"({"exited": true, "verdict": "fail",
                                                  "charge": "par-invalid", "because": "B."})") +
                  "," + step(kCall, kUnknown));
  FakeEndpoint endpoint;
  const CaseRunner runner(corpus, endpoint, 0);
  EndsBehindFirstStep conversation(server_without_methods());
  const auto run = runner.run(0, conversation);
  EXPECT_TRUE(run.ended_between_steps);
  EXPECT_EQ(conversation.sent.size(), 1U);
  ASSERT_EQ(run.result.findings.size(), 1U);
  EXPECT_EQ(run.result.findings[0].requirement, "rob-survives");
  EXPECT_EQ(run.result.findings[0].step, 0U);
  EXPECT_NE(run.result.findings[0].actual.find("out of ideas"), std::string::npos);
}

TEST(CaseRunner, ARoleThatIsNotBoundIsTheReason) {
  const auto corpus = corpus_with(step(R"({"method": "${method:echo}"})", R"({"silence": true})"),
                                  "err-code-method", R"("roles": ["echo"], )");
  const auto [run, sent, checks] = ran(corpus, server_without_methods());
  EXPECT_EQ(run.result.verdict, Verdict::not_exercised);
  EXPECT_NE(run.result.reason.find("'echo'"), std::string::npos);
  EXPECT_TRUE(sent.empty());
}

bool calls_unknown_method(const std::string& message) {
  const auto corpus = corpus_with(step(message, R"({"silence": true})"));
  FakeEndpoint endpoint;
  CaseRunner runner(corpus, endpoint, 0);
  runner.use({{"nothing", "update"}}, {});
  return runner.calls_unknown_method(0);
}

TEST(CaseRunner, ANotificationOfTheSpecificationCallsAnUnknownMethodUnlessItPlaysARole) {
  const std::string other = R"({"jsonrpc": "2.0", "method": "foobar"})";
  const std::string played = R"({"jsonrpc": "2.0", "method": "update"})";
  EXPECT_TRUE(calls_unknown_method(other));
  EXPECT_TRUE(calls_unknown_method("[" + played + ", " + other + "]"));
  EXPECT_FALSE(calls_unknown_method(played));
  EXPECT_FALSE(calls_unknown_method(R"({"jsonrpc": "2.0", "method": "mine"})"));
  EXPECT_FALSE(calls_unknown_method(R"({"jsonrpc": "2.0", "method": 1})"));
}

TEST(CaseRunner, OutcomesOfOtherTransportsDoNotCount) {
  const auto corpus = corpus_with(
      step(kCall, R"({"silence": true, "transports": ["http"]},)" + std::string(kUnknown)));
  const auto silent = [](const std::string&) { return std::nullopt; };
  EXPECT_EQ(ran(corpus, silent).run.result.verdict, Verdict::fail);
}

// Each may take as much memory as the one before.
TEST(CaseRunner, BehindALargeReplyCasesRunOneAtATime) {
  FakeEndpoint endpoint;
  const auto corpus = corpus_with(step(kCall, kUnknown));
  const CaseRunner runner(corpus, endpoint, 0);
  std::atomic<int> active = 0;
  std::atomic<int> most = 0;
  const FakeServer server = [&](const std::string&) -> std::optional<std::string> {
    const int now = ++active;
    if (now > most) most = now;
    for (int i = 0; i < 1000; ++i) std::this_thread::yield();
    --active;
    return "\"" + std::string(2U << 20, 'x') + "\"";
  };
  FakeConversation first(server);
  static_cast<void>(runner.run(0, first));
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i) {
      threads.emplace_back([&] {
        FakeConversation conversation(server);
        static_cast<void>(runner.run(0, conversation));
      });
    }
  }
  EXPECT_EQ(most, 1);
}

// The judge knows what was sent from the case; the law of a protocol reads it from the dialogue.
TEST(CaseRunner, WhatIsSentAndNotKeptWholeIsStoredWithItsJudgementWhereALawReadsIt) {
  const std::string large = R"({"jsonrpc": "2.0", "method": "${unknown}", "id": "${id}",
    "params": [")" + std::string(100'000, 'x') +
                            "\"]}";
  const auto corpus = corpus_with(step(large, kUnknown));
  corpus::Corpus on_top;
  on_top.profile.rules = {{"btc-id-left-out", "err-code-method"}};
  const auto law = judge::law_of(on_top);
  ASSERT_TRUE(law) << law.error().message;
  FakeEndpoint endpoint;
  for (const bool has_law : {false, true}) {
    CaseRunner runner(corpus, endpoint, 0);
    judge::Context context;
    if (has_law) context.law = *law;
    runner.use({}, context);
    FakeConversation conversation(server_without_methods());
    EXPECT_EQ(runner.run(0, conversation).result.judged.has_value(), has_law);
  }
}

// What a language server has shown in that case.
result::CaseResult shown_by_language_server(std::string_view id, const FakeServer& server) {
  const auto& corpus = corpus::corpus_for_testing("lsp");
  const auto law = judge::law_of(corpus);
  EXPECT_TRUE(law) << law.error().message;
  FakeEndpoint endpoint("content-length", server);
  CaseRunner runner(corpus, endpoint, 0);
  judge::Context context;
  context.law = *law;
  runner.use({}, context);
  FakeConversation conversation(server);
  const corpus::Case* one = corpus.find(id);
  return runner.run(static_cast<std::size_t>(one - corpus.cases.data()), conversation).result;
}

// The same of one that gives this for what is no JSON, in the case about that.
result::CaseResult shown_by_answer_to_broken(std::optional<std::string> to_broken) {
  return shown_by_language_server("error/not-json", [to_broken](const std::string& message) {
    return json::parse(message) ? server_without_methods()(message) : to_broken;
  });
}

TEST(CaseRunner, WhatIsNoMessageOfTheProtocolPassesOnlyWhereItIsAnsweredAsJsonRpcSays) {
  constexpr const char* kCode = "err-code-parse";
  const auto right = shown_by_answer_to_broken(
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Not JSON"},"id":null})");
  EXPECT_EQ(right.verdict, Verdict::pass);
  EXPECT_TRUE(contains(right.exercised, kCode));
  const auto other = shown_by_answer_to_broken(
      R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"Not JSON"},"id":null})");
  const auto nothing = shown_by_answer_to_broken(std::nullopt);
  for (const auto& each : {other, nothing}) {
    EXPECT_TRUE(each.findings.empty()) << "LSP owes nothing to it";
    EXPECT_EQ(each.verdict, Verdict::not_exercised);
    EXPECT_FALSE(contains(each.exercised, kCode));
    EXPECT_TRUE(each.reason.starts_with("it sends what is no message of the protocol"));
  }
}

TEST(CaseRunner, WhatIsOnlyRecordedBehindWhatIsNoMessageOfTheProtocolIsNotShown) {
  const auto server = answering([](const json::Value&) { return std::string(R"("result":null)"); });
  const auto array = shown_by_language_server(
      "lsp/array-of-requests", [server](const std::string& message) -> std::optional<std::string> {
        return message.starts_with("[") ? std::nullopt : server(message);
      });
  EXPECT_TRUE(array.findings.empty());
  EXPECT_EQ(array.verdict, Verdict::not_exercised);
  EXPECT_FALSE(contains(array.exercised, "lsp-error-code-unknown-method"));
}

TEST(CaseRunner, AServerThatWasStartedAnewMeanwhileWasDisturbed) {
  FakeEndpoint endpoint;
  const auto corpus = corpus_with(step(kCall, kUnknown));
  const CaseRunner runner(corpus, endpoint, 0);
  FakeConversation* where = nullptr;
  FakeConversation conversation([&where](const std::string& message) {
    ++where->generation;
    return server_without_methods()(message);
  });
  where = &conversation;
  EXPECT_TRUE(runner.run(0, conversation).disturbed);
  EXPECT_FALSE(ran(corpus, server_without_methods()).run.disturbed);
}

}  // namespace case_runner_test
}  // namespace jrpcheck::run
