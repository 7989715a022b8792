// A message that its framing has cut is charged once, and as what is wrong with it.
#include <gtest/gtest.h>

#include "judge/traffic/traffic_for_testing.hpp"

namespace jrpcheck::judge {
namespace traffic_cuts_test {

using namespace traffic_for_testing;

constexpr const char* kNoHeader = "bytes that are no header block with Content-Length";
constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"b","id":2})";
constexpr const char* kResultOfOther = R"({"jsonrpc":"2.0","result":2,"id":2})";
const std::string kWhole = kResult;

TrafficEvent unframed(Side side, const std::string& bytes, Kind kind = Kind::violation) {
  TrafficEvent event{kind, side};
  event.message = bytes;
  if (kind == Kind::violation) event.note = kNoHeader;
  return event;
}

TEST(CutMessages, LengthThatIsTooSmallIsOneFaultWhereverItCuts) {
  for (const std::size_t left : {1U, 5U, 12U, 30U}) {
    const std::string begin = kWhole.substr(0, kWhole.size() - left);
    const auto rest = unframed(Side::server, kWhole.substr(begin.size()));
    Conversation talk("content-length");
    talk.client(kCall).server(begin).client(kOther).take(rest).server(kResultOfOther);
    talk.closed(Side::server).closed(Side::client);
    EXPECT_EQ(talk.found(), Texts{"server lsp-length"}) << begin;
    Conversation last("content-length");
    last.client(kCall).server(begin).take(rest).closed(Side::server);
    EXPECT_EQ(last.found(), Texts{"server lsp-length"}) << "its call has been answered";
  }
}

TEST(CutMessages, LengthThatIsTooLargeIsOneFaultWithAllThatItHasTaken) {
  Conversation talk("content-length");
  talk.client(kCall).client(kOther).server(kWhole + "Conte");
  talk.take(unframed(Side::server, "nt-Length: 37\r\n\r\n"));
  talk.take(unframed(Side::server, kResultOfOther)).closed(Side::server).closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server lsp-length"});
  Conversation again("content-length");
  again.client(kCall).server(kWhole + "Conte").client(kOther).server(kResultOfOther);
  again.take(unframed(Side::server, "hello"));
  EXPECT_EQ(again.found(), (Texts{"server lsp-length", "server std-clean"}))
      << "what comes behind a message that is right is of itself";
}

TEST(CutMessages, LengthInFourBytesIsJudgedByWhatComesBehind) {
  auto lost = unframed(Side::server, std::string("\0\0\0%{", 5));
  lost.note = wire::kWrongLength;
  Conversation talk("length32");
  talk.client(kCall).client(kOther).server(kWhole + std::string(3, '\0')).take(lost);
  talk.server(kResultOfOther).closed(Side::server).closed(Side::client);
  EXPECT_EQ(talk.found(), Texts{"server std-clean"});
}

TEST(CutMessages, LengthsOfAClientAreOneFaultToo) {
  const std::string call = kCall;
  Conversation talk("content-length");
  talk.client(call.substr(0, call.size() - 5)).take(unframed(Side::client, R"("id":1})"));
  EXPECT_EQ(talk.found().size(), 2U) << "that is not its rest";
  Conversation cut("content-length");
  cut.client(call.substr(0, call.size() - 5));
  cut.take(unframed(Side::client, call.substr(call.size() - 5)));
  EXPECT_EQ(cut.found(), Texts{"client cl-req-json"});
  constexpr const char* kUnread =
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"},"id":null})";
  cut.server(kUnread).server(kUnread);
  EXPECT_EQ(cut.found(), Texts{"client cl-req-json"}) << "both parts may be refused";
}

TEST(CutMessages, WhatIsNotFollowedByItsRestIsNoJson) {
  for (const auto* binding : {"content-length", "lines"}) {
    Conversation talk(binding);
    talk.client(kCall).server(R"({"jsonrpc":)").server(kResultOfOther);
    EXPECT_EQ(talk.found().front(), "server res-json") << binding;
    Conversation closed(binding);
    closed.client(kCall).server(R"({"jsonrpc":)").closed(Side::server);
    EXPECT_EQ(closed.found(), Texts{"server res-json"}) << binding;
    Conversation other(binding);
    other.client(kCall).server(R"({"jsonrpc":)").take(unframed(Side::server, "hello"));
    EXPECT_EQ(other.found(), (Texts{"server res-json", "server std-clean"})) << binding;
    Conversation ends(binding);
    ends.client(kCall).server(R"({"jsonrpc":)");
    const auto shown = ends.judge().end();
    ASSERT_EQ(shown.findings.size(), 1U) << binding;
    EXPECT_EQ(shown.findings.front().finding.requirement, "res-json");
    EXPECT_EQ(shown.findings.front().message, R"({"jsonrpc":)");
    EXPECT_EQ(shown.findings.front().at, microseconds(milliseconds(2)));
  }
}

TEST(CutMessages, MessageOnSeveralLinesIsOneFault) {
  Conversation talk;
  talk.client(kCall).client(kOther).server("{").take(
      unframed(Side::server, R"("jsonrpc": "2.0",)", Kind::noise));
  talk.take(unframed(Side::server, R"("result": [)", Kind::noise))
      .server("1")
      .take(unframed(Side::server, "],", Kind::noise));
  talk.take(unframed(Side::server, R"("id": 1})", Kind::noise)).server(kResultOfOther);
  talk.closed(Side::server);
  EXPECT_EQ(talk.found(), Texts{"server std-one-line"});
  Conversation within_a_string;
  within_a_string.client(kCall).server(R"({"jsonrpc":"2.0","result":"a)");
  within_a_string.take(unframed(Side::server, R"(b","id":1})", Kind::noise)).closed(Side::server);
  EXPECT_EQ(within_a_string.found(), Texts{"server std-one-line"});
  Conversation of_the_client;
  of_the_client.client("{").take(unframed(Side::client, R"("jsonrpc":"2.0",)", Kind::noise));
  of_the_client.take(unframed(Side::client, R"("method":"a"})", Kind::noise));
  EXPECT_EQ(of_the_client.found(), Texts{"client cl-req-json"});
}

TEST(CutMessages, WhereSomethingIsMissingNobodyKnowsWhetherTheRestCame) {
  Conversation talk;
  talk.client(kCall).server("{").lost().closed(Side::server).closed(Side::client);
  EXPECT_EQ(talk.found(), Texts());
}

TEST(CutMessages, CutAnswerToANotificationIsChargedAsAnAnswerAlone) {
  Conversation talk("content-length");
  talk.client(kNotification).server(kWhole.substr(0, 30));
  talk.take(unframed(Side::server, kWhole.substr(30)));
  EXPECT_EQ(talk.found(), Texts{"server ntf-silent"});
}

}  // namespace traffic_cuts_test
}  // namespace jrpcheck::judge
