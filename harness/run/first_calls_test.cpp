// What answers the calls by which a server is found.
#include "run/first_calls.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "result/attribution.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/judge_again.hpp"
#include "run/judging.hpp"
#include "run/prober.hpp"
#include "run/run_for_testing.hpp"

namespace jrpcheck::run {
namespace first_calls_test {

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"m","id":7})";

class FoundEndpoint : public FakeEndpoint {
 public:
  FoundEndpoint(FakeServer server, FirstCalls calls)
      : FakeEndpoint("lines", std::move(server)), calls_(std::move(calls)) {}
  FirstCalls first_calls() const override { return calls_; }

 private:
  FirstCalls calls_;
};

// The run of a server that was found by this answer: what other cases charge it is not charged with
// again.
result::Run found_by(const std::string& answer, FakeServer server = server_without_methods(),
                     Options options = {}) {
  options.selection.select = {"calibration/*", std::string(kFirstCallsDialogue.id)};
  FoundEndpoint endpoint(server, {{kCall, answer}});
  FakeConversation conversation(std::move(server));
  session::Patience patience(milliseconds(50));
  NoProgress progress;
  result::Run run;
  judge_endpoint(corpus::corpus_for_testing(), options, endpoint, conversation, patience, progress,
                 run);
  return run;
}

std::set<std::string> charged_to_first_calls(const result::Run& run) {
  std::set<std::string> ids;
  for (const auto& one : run.cases) {
    if (one.id != kFirstCallsDialogue.id) continue;
    for (const auto& finding : one.findings) ids.insert(finding.requirement);
  }
  return ids;
}

using Ids = std::set<std::string>;

TEST(FirstCalls, AreAnsweredOnAStreamByTheirIds) {
  EXPECT_TRUE(is_answer_to(kCall, R"({"result":1,"id":7})"));
  EXPECT_TRUE(is_answer_to(kCall, R"([{"jsonrpc":"2.0","result":1,"id":7}])"));
  EXPECT_FALSE(is_answer_to(kCall, R"({"jsonrpc":"2.0","result":1,"id":8})"));
  EXPECT_FALSE(is_answer_to(kCall, R"({"jsonrpc":"2.0","result":1,"id":null})"));
  EXPECT_FALSE(is_answer_to(kCall, R"({"jsonrpc":"2.0","method":"m","id":7})"));
  EXPECT_FALSE(is_answer_to(kCall, "Welcome"));
}

TEST(FirstCalls, AreAnsweredAlsoByTheOneAnswerWithAnotherIdThatIsLeft) {
  const auto call = [](int id) {
    return R"({"jsonrpc":"2.0","method":"m","id":)" + std::to_string(id) + "}";
  };
  const auto answer = [](const std::string& id) {
    return R"({"jsonrpc":"2.0","result":1,"id":)" + id + "}";
  };
  const std::vector<std::string> calls = {call(1), call(2), call(3)};
  using Texts = std::vector<std::string>;
  const auto answer_to_first = [&](const Texts& answers) {
    for (const auto& each : paired_up(calls, answers)) {
      if (each.call == call(1)) return each.answer;
    }
    return std::string();
  };
  const std::string cut = R"({"jsonrpc":"2.0","result":1,"id":1)";
  for (const auto& first : {answer("1"), answer("null"), answer("\"1\""), cut}) {
    EXPECT_EQ(answer_to_first({first, answer("2"), answer("3")}), first);
  }
  for (const char* other : {"ready", "[INFO] ready", R"({"jsonrpc":"2.0","method":"m"})"}) {
    EXPECT_EQ(answer_to_first({other, answer("2"), answer("3")}), "") << other;
  }
  EXPECT_EQ(answer_to_first({cut, answer("2")}), "") << "it may be to the third";
  EXPECT_EQ(answer_to_first({cut, answer("null"), answer("2")}), "") << "nobody knows which";
  EXPECT_EQ(answer_to_first({answer("2"), answer("2"), answer("3")}), "") << "it is to the second";
}

TEST(FirstCalls, AreAnsweredHoweverMuchElseIsSaidBefore) {
  const std::string answer = R"({"jsonrpc":"2.0","result":1,"id":7})";
  std::vector<std::string> kept;
  for (int i = 0; i < 100; ++i) keep_what_came(kCall, R"({"jsonrpc":"2.0","method":"news"})", kept);
  for (int i = 0; i < 100; ++i) keep_what_came(kCall, answer, kept);
  const auto paired = paired_up({kCall}, kept);
  ASSERT_EQ(paired.size(), 1U);
  EXPECT_EQ(paired.front().answer, answer);
  EXPECT_LT(kept.size(), 20U);
}

TEST(FirstCalls, AreFoundInAFloodOfLongMessagesThatIsNotKept) {
  std::vector<std::string> kept;
  const std::string message(900'000, '[');
  for (int i = 0; i < 10; ++i) keep_what_came(kCall, message, kept);
  EXPECT_EQ(kept.size(), 1U);
}

TEST(FirstCalls, AreJudgedByTheRulesOfTheEnvelope) {
  const auto charged = [](const std::string& answer) {
    return charged_to_first_calls(found_by(answer));
  };
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"id":7})"), Ids{});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"No"},"id":7})"), Ids{});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"id":null})"), Ids{"id-echo"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"id":"7"})"), Ids{"id-echo"});
  EXPECT_EQ(charged(R"({"result":1,"id":7})"), Ids{"res-version"});
  EXPECT_EQ(charged(R"([{"jsonrpc":"2.0","result":1,"id":7}])"), Ids{"res-object"});
  EXPECT_EQ(charged(R"({"jsonrpc":"2.0","result":1,"id":7)"), Ids{"res-json"});
  EXPECT_EQ(charged("OK ready"), Ids{"res-json"});
}

TEST(FirstCalls, AreJudgedAlsoWhereTheyCameBeforeTheRun) {
  Options options;
  options.first_calls = {{kCall, R"({"result":1,"id":7})"}};
  const auto run =
      found_by(R"({"jsonrpc":"2.0","result":1,"id":7})", server_without_methods(), options);
  EXPECT_EQ(charged_to_first_calls(run), Ids{"res-version"});
}

TEST(FirstCalls, AreAnsweredAlsoByWhatHasTheirIdAndIsNoResponse) {
  const std::string broken = R"({"jsonrpc":"2.0","data":1,"id":7})";
  const auto paired = paired_up({kCall}, {broken});
  ASSERT_EQ(paired.size(), 1U);
  EXPECT_EQ(paired.front().answer, broken);
  EXPECT_EQ(charged_to_first_calls(found_by(broken)), Ids{"res-exclusive"});
  EXPECT_TRUE(paired_up({kCall}, {R"({"jsonrpc":"2.0","method":"m","id":7})"}).empty());
  EXPECT_TRUE(paired_up({kCall}, {R"({"jsonrpc":"2.0","data":1,"id":8})"}).empty());
}

TEST(FirstCalls, ThatAreLeftOutAreOwedAnAnswer) {
  FakeConversation silent([](const std::string&) { return std::nullopt; });
  silent.answers_next_only = true;
  dialogue::Transcript transcript;
  const auto exchange = silent.exchange(corpus::step_sending(std::string(kCall)), transcript);
  Options options;
  options.first_calls = {{kCall, {}, silence_in(exchange, transcript)}};
  const auto run =
      found_by(R"({"jsonrpc":"2.0","result":1,"id":7})", server_without_methods(), options);
  EXPECT_EQ(charged_to_first_calls(run), Ids{"res-always"});
}

TEST(FirstCalls, AreJudgedAgainAsTheyWere) {
  auto run = found_by(R"({"result":1,"id":7})");
  run.target.framing = "lines";
  const auto again = judge_again(run, corpus::corpus_for_testing());
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(charged_to_first_calls(*again), Ids{"res-version"});
}

TEST(FirstCalls, AreNotChargedWithWhatEveryAnswerViolates) {
  const auto server = [](const std::string& message) {
    auto reply = server_without_methods()(message);
    const std::string version = R"("jsonrpc":"2.0",)";
    for (std::size_t at = 0; reply && (at = reply->find(version)) != std::string::npos;) {
      reply->erase(at, version.size());
    }
    return reply;
  };
  EXPECT_EQ(charged_to_first_calls(found_by(R"({"result":1,"id":7})", server)), Ids{});
}

// Before its handshake a server may refuse whatever it is asked.
TEST(FirstCalls, OfAServerThatWantsAHandshakeAreNotJudged) {
  Options options;
  options.opening.messages = {R"({"jsonrpc":"2.0","method":"initialize","id":1})"};
  const auto run = found_by(R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"No"},"id":null})",
                            server_without_methods(), options);
  EXPECT_EQ(charged_to_first_calls(run), Ids{});
}

TEST(FirstCalls, OfAServerThatCannotBeJudgedAreNotJudged) {
  const auto run = found_by("{}", [](const std::string&) { return "{}"; });
  EXPECT_EQ(charged_to_first_calls(run), Ids{});
}

}  // namespace first_calls_test
}  // namespace jrpcheck::run
