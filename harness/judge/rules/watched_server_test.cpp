#include "judge/rules/watched_server.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::judge {
namespace watched_server_test {

const corpus::Corpus& mcp() { return corpus::corpus_for_testing("mcp"); }

const PassedAnswer kOpening = {
    "initialize",
    R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}})",
    R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":5,"version":"1"}}})"};

TEST(WatchedServer, TellsWhatIsWrongWithTheOpeningOnce) {
  WatchedServer server{PassingLaws(mcp())};
  EXPECT_EQ(server.answer(kOpening).findings.size(), 1U);
  const dialogue::Message logs(
      R"({"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}})");
  const auto found = server.tell(logs).findings;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().requirement, "mcp-log-declared");
}

TEST(WatchedServer, KeepsNoMoreOfASessionThanItJudges) {
  WatchedServer server{PassingLaws(mcp()), true};
  server.hear(kOpening.call);
  const std::string long_text = R"({"jsonrpc":"2.0","method":")" + std::string(10'000, 'a') + "\"}";
  for (int i = 0; i < 1000; ++i) {
    server.hear(dialogue::Message(long_text));
    EXPECT_LT(server.kept(), 3U << 20);
  }
}

// What progress there was before, and which ids, nobody knows of a session whose log is gone.
TEST(WatchedServer, IsNotJudgedAsAWholeBeyondThat) {
  const dialogue::Message progress(
      R"({"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"a","progress":1}})");
  WatchedServer server{PassingLaws(mcp()), true};
  WatchedServer longer{PassingLaws(mcp()), true};
  for (auto* each : {&server, &longer}) {
    each->hear(kOpening.call);
    each->answer(kOpening);
    each->tell(progress);
  }
  longer.forget_log();
  const auto found = server.end().findings;
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().requirement, "mcp-prog-known");
  EXPECT_TRUE(longer.end().findings.empty());
}

TEST(PassingLaws, AreThoseOfEveryVersionOrOfTheOneThatIsAskedFor) {
  const PassingLaws all(mcp());
  EXPECT_TRUE(all.has_versions());
  EXPECT_NE(all.of("2025-03-26"), nullptr);
  EXPECT_NE(all.of("2026-07-28"), nullptr);
  EXPECT_EQ(all.of(""), nullptr);
  const PassingLaws one(corpus::corpus_for_testing("mcp-2025-06-18"));
  EXPECT_EQ(one.of("2025-03-26"), nullptr);
  EXPECT_NE(one.of("2025-06-18"), nullptr);
}

TEST(PassingLaws, AskNothingWhereNothingStandsOnTop) {
  EXPECT_TRUE(PassingLaws(corpus::corpus_for_testing("jsonrpc-2.0")).empty());
  for (const char* profile : {"mcp", "lsp", "ethereum", "bitcoin"}) {
    EXPECT_FALSE(PassingLaws(corpus::corpus_for_testing(profile)).empty()) << profile;
  }
}

}  // namespace watched_server_test
}  // namespace jrpcheck::judge
