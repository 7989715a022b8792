#include "traffic/account.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::traffic {
namespace account_test {

using dialogue::Side;
using dialogue::TrafficEvent;

const corpus::Corpus& real_corpus() {
  static const corpus::Corpus kCorpus = [] {
    auto corpus = corpus::assemble(corpus::embedded_files(), {});
    EXPECT_TRUE(corpus);
    corpus = corpus::with_profile(*std::move(corpus), "jsonrpc-2.0");
    return *std::move(corpus);
  }();
  return kCorpus;
}

TrafficEvent message(Side side, const std::string& text, microseconds at) {
  TrafficEvent event{TrafficEvent::Kind::message, side, at};
  event.message = text;
  return event;
}

class AccountTest : public ::testing::Test {
 protected:
  Account account_{real_corpus(), {"node server.js", "stdio"}};

  std::vector<judge::TrafficFinding> call(int id, const std::string& answer) {
    const auto now = microseconds(id * 1000);
    account_.take(message(
        Side::client, R"({"jsonrpc":"2.0","method":"a","id":)" + std::to_string(id) + "}", now));
    return account_.take(message(Side::server, answer, now + microseconds(500)));
  }
};

TEST_F(AccountTest, VerdictOfTrafficIsFailsOrPartial) {
  call(1, R"({"jsonrpc":"2.0","result":1,"id":1})");
  EXPECT_EQ(account_.run().verdict, result::RunVerdict::partial);
  call(2, R"({"result":1,"id":2})");
  const auto run = account_.run();
  EXPECT_EQ(run.verdict, result::RunVerdict::fails);
  ASSERT_EQ(run.cases.size(), 2U);
  const auto& server = run.cases.front();
  ASSERT_EQ(server.findings.size(), 1U);
  EXPECT_EQ(server.findings.front().requirement, "res-version");
  EXPECT_EQ(server.transcript.size(), 2U);
  EXPECT_EQ(run.cases.back().verdict, result::Verdict::pass);
}

TEST_F(AccountTest, NothingIsShownAsKeptThatDidNotOccur) {
  call(1, R"({"jsonrpc":"2.0","result":1,"id":1})");
  for (const auto& each : account_.run().requirements) {
    if (each.requirement.id == "bat-array") {
      EXPECT_EQ(each.verdict, result::Verdict::not_exercised);
      EXPECT_EQ(each.reason, "it did not occur in this traffic");
    }
    if (each.requirement.id == "rob-depth") {
      EXPECT_EQ(each.verdict, result::Verdict::not_exercised);
    }
  }
}

TEST_F(AccountTest, EachThingIsToldAFewTimesAndCounted) {
  std::size_t told = 0;
  for (int i = 0; i < 50; ++i)
    told += call(i, R"({"result":1,"id":)" + std::to_string(i) + "}").size();
  EXPECT_EQ(told, 3U);
  const auto run = account_.run();
  ASSERT_EQ(run.cases.front().findings.size(), 1U);
  EXPECT_NE(run.cases.front().findings.front().particulars.find("50 times"), std::string::npos);
}

TEST_F(AccountTest, SummaryCountsAndTimes) {
  for (int i = 0; i < 3; ++i) {
    call(i, R"({"jsonrpc":"2.0","result":1,"id":)" + std::to_string(i) + "}");
  }
  account_.end();
  const auto text = account_.summary();
  EXPECT_NE(text.find("3 calls (0 unanswered), 0 notifications, 0 batches"), std::string::npos);
  EXPECT_NE(text.find("worst 0.5 ms"), std::string::npos) << text;
}

TEST_F(AccountTest, FindingStandsOnOneLine) {
  const auto told = call(1, "{\"result\":1,\"id\":1,\n\"x\":2}");
  ASSERT_FALSE(told.empty());
  const auto line = finding_line(told.front(), "12:00:00.000");
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_EQ(line.substr(0, 28), "12:00:00.000  server  FAIL  ");
}

TEST(SessionsOfClients, AreHeldToTheirProtocolWhereTheirBeginningIsSeen) {
  auto corpus = corpus::assemble(corpus::embedded_files(), {});
  ASSERT_TRUE(corpus);
  corpus = corpus::with_profile(*std::move(corpus), "lsp");
  ASSERT_TRUE(corpus);
  const auto charged = [&](bool from_the_beginning, bool with_a_gap) {
    Account account(
        *corpus, {"server", "stdio", &wire::known_binding("content-length"), from_the_beginning});
    if (with_a_gap) account.take({TrafficEvent::Kind::lost, Side::client, microseconds(1)});
    std::string text;
    for (const auto& each : account.take(
             message(Side::client, R"({"jsonrpc":"2.0","id":1,"method":"shutdown","params":{}})",
                     microseconds(2)))) {
      text += each.finding.requirement + " ";
    }
    return text;
  };
  EXPECT_EQ(charged(true, false), "lsp-c-shutdown-params lsp-c-init-first ");
  EXPECT_EQ(charged(false, false), "");
  EXPECT_EQ(charged(true, true), "");
}

}  // namespace account_test
}  // namespace jrpcheck::traffic
