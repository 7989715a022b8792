// A run of 2.0 that meets a server of 1.0, and others that only look like one.
#include "run/dialect_probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"
#include "run/judging.hpp"
#include "run/progress.hpp"
#include "run/run_for_testing.hpp"

namespace jrpcheck::run {
namespace dialect_probe_test {

result::Run judged(FakeServer server, std::string_view profile) {
  const auto& corpus = corpus::corpus_for_testing(profile);
  const Options options;
  FakeEndpoint endpoint("lines", server);
  FakeConversation conversation(std::move(server));
  conversation.use_control_call(unknown_control_call(corpus.profile.dialect));
  session::Patience patience(milliseconds(50));
  NoProgress progress;
  result::Run run;
  judge_endpoint(corpus, options, endpoint, conversation, patience, progress, run);
  return run;
}

// Answers every request whose id is not null in the shape of 1.0.
std::optional<std::string> answer_1_0(const std::string& message) {
  const auto parsed = json::parse(message);
  if (!parsed || !parsed.value->is(json::Kind::object)) {
    return R"({"result":null,"error":"no request","id":null})";
  }
  if (id_text(*parsed.value) == "null") return std::nullopt;
  return R"({"result":null,"error":"unknown method","id":)" + id_text(*parsed.value) + "}";
}

std::vector<std::string> charged(const result::Run& run) {
  std::vector<std::string> ids;
  for (const auto& one : run.cases) {
    for (const auto& finding : one.findings) ids.push_back(finding.requirement);
  }
  return ids;
}

TEST(DialectProbe, ServerThatSpeaks10OnlyIsOneFindingAndOneNote) {
  const auto run = judged(answer_1_0, "jsonrpc-2.0");
  EXPECT_EQ(charged(run), std::vector<std::string>{"res-version"});
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("speaks JSON-RPC 1.0 only"), std::string::npos) << run.notes[0];
  EXPECT_NE(run.notes[0].find("--profile jsonrpc-1.0"), std::string::npos) << run.notes[0];
  EXPECT_EQ(run.verdict, result::RunVerdict::fails);
  EXPECT_EQ(run.counts.fail, 1U);
  EXPECT_EQ(run.counts.pass + run.counts.warn, 0U) << "the rest is not exercised";
}

TEST(DialectProbe, ServerThatMeets20WithSilenceAndSpeaks10IsRecognised) {
  const auto run = judged(
      [](const std::string& message) {
        return message.find("\"jsonrpc\"") != std::string::npos ? std::nullopt
                                                                : answer_1_0(message);
      },
      "jsonrpc-2.0");
  ASSERT_EQ(run.notes.size(), 1U);
  EXPECT_NE(run.notes[0].find("does not answer a call of 2.0"), std::string::npos) << run.notes[0];
  for (const auto& requirement : charged(run)) EXPECT_EQ(requirement, "res-always");
  EXPECT_EQ(run.counts.fail, 1U);
}

bool takes_it_for_1_0(const FakeServer& server) {
  const auto run = judged(server, "jsonrpc-2.0");
  return std::any_of(run.notes.begin(), run.notes.end(), [](const std::string& note) {
    return note.find("1.0 only") != std::string::npos;
  });
}

TEST(DialectProbe, ServerThatForgetsItsVersionIsJudgedBy20) {
  EXPECT_FALSE(takes_it_for_1_0([](const std::string& message) {
    auto reply = server_without_methods()(message);
    if (!reply) return reply;
    for (std::size_t at = 0; (at = reply->find(R"("jsonrpc":"2.0",)")) != std::string::npos;) {
      reply->erase(at, 16);
    }
    return reply;
  }));
}

TEST(DialectProbe, ServerOf20WithBothMembersIsJudgedBy20) {
  EXPECT_FALSE(takes_it_for_1_0(
      answering([](const json::Value&) { return R"("result":null,)" + error_member(-32601); })));
}

TEST(DialectProbe, ServerThatSpeaksBothIsJudgedBy20) {
  EXPECT_FALSE(takes_it_for_1_0([](const std::string& message) {
    return message.find("\"jsonrpc\"") != std::string::npos ? server_without_methods()(message)
                                                            : answer_1_0(message);
  }));
}

TEST(ProfileOf10, JudgesAServerOf10ByItsOwnClass) {
  const auto run = judged(answer_1_0, "jsonrpc-1.0");
  EXPECT_EQ(charged(run), std::vector<std::string>{});
  EXPECT_EQ(run.verdict, result::RunVerdict::conforms);
  ASSERT_EQ(run.classes.size(), 1U);
  EXPECT_EQ(run.classes[0].name, "v1");
}

TEST(ProfileOf10, ServerOf20HasOneFaultThatIsEverywhere) {
  const auto run = judged(
      [](const std::string& message) -> std::optional<std::string> {
        return R"({"jsonrpc":"2.0",)" + error_member(-32601) +
               ",\"id\":" + id_text(*json::parse(message).value) + "}";
      },
      "jsonrpc-1.0");
  const auto ids = charged(run);
  // Once for each of the two calls of the calibration.
  EXPECT_LE(std::count(ids.begin(), ids.end(), "v1-both-members"), 3);
  EXPECT_GE(std::count(ids.begin(), ids.end(), "v1-both-members"), 1);
  EXPECT_GE(std::count(ids.begin(), ids.end(), "v1-notification"), 1);
  EXPECT_EQ(run.verdict, result::RunVerdict::fails);
}

}  // namespace dialect_probe_test
}  // namespace jrpcheck::run
