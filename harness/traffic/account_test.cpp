#include "traffic/account.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "corpus/corpus_for_testing.hpp"
#include "traffic/capture.hpp"

namespace jrpcheck::traffic {
namespace account_test {

using dialogue::Side;
using dialogue::TrafficEvent;

const corpus::Corpus& real_corpus() { return corpus::corpus_for_testing("jsonrpc-2.0"); }

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

TEST(TrafficThatCouldNotBeJudged, SaysOfNothingThatItDidNotOccur) {
  const auto run = unjudged_run(real_corpus(), {"node server.js", "stdio"}, "out of memory");
  EXPECT_EQ(run.verdict, result::RunVerdict::partial);
  EXPECT_EQ(run.interrupted, "out of memory");
  EXPECT_EQ(run.target.text, "node server.js");
  ASSERT_EQ(run.cases.size(), 2U);
  EXPECT_EQ(run.cases.front().verdict, result::Verdict::not_exercised);
  EXPECT_EQ(run.cases.front().reason, "out of memory");
  EXPECT_TRUE(std::ranges::none_of(run.requirements, [](const auto& each) {
    return each.reason.find("did not occur") != std::string::npos;
  }));
}

TEST_F(AccountTest, WhatAClientAnswersStandsBehindWhatItWasTold) {
  const std::string told = R"({"jsonrpc":"2.0","result":1,"id":1})";
  const std::string thanks = R"({"jsonrpc":"2.0","result":"thanks","id":7})";
  call(1, told);
  account_.take(message(Side::client, thanks, microseconds(2000)));
  account_.take(message(Side::client, R"({"method":"a","id":2})", microseconds(3000)));
  const auto run = account_.run();
  const auto& client = run.cases.back();
  const auto shown_of = [&](const std::string& requirement) {
    std::vector<std::string> shown;
    for (std::size_t step = 0; step < client.findings.size(); ++step) {
      if (client.findings[step].requirement != requirement) continue;
      for (const auto& each : client.transcript) {
        if (each.step != step) continue;
        shown.push_back(std::string(dialogue::name_of(each.direction)) + " " + each.bytes);
      }
    }
    return shown;
  };
  EXPECT_EQ(shown_of("cl-no-answer-to-answer"),
            (std::vector<std::string>{"sent " + told, "received " + thanks}));
  EXPECT_EQ(shown_of("cl-req-version"), std::vector<std::string>{R"(sent {"method":"a","id":2})"});
}

TEST_F(AccountTest, EvidenceOfWhatIsKnownLaterIsWhatHasPassedBefore) {
  const std::string stray = R"({"jsonrpc":"2.0","error":{"code":1,"message":"a"},"id":null})";
  account_.take(message(Side::client, R"({"jsonrpc":"2.0","method":"n"})", microseconds(1)));
  account_.take(message(Side::client, R"({"jsonrpc":"2.0","method":"a","id":1})", microseconds(2)));
  account_.take(message(Side::server, stray, microseconds(3)));
  const auto told = account_.take(
      message(Side::server, R"({"jsonrpc":"2.0","result":1,"id":1})", microseconds(4)));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().finding.requirement, "ntf-silent-application-error");
  account_.take(message(Side::server, "{", microseconds(5)));
  EXPECT_EQ(account_.end().size(), 1U);
  const auto server = account_.run().cases.front();
  ASSERT_EQ(server.transcript.size(), 2U);
  EXPECT_EQ(server.transcript.front().bytes, stray);
  EXPECT_EQ(server.transcript.front().at, microseconds(3));
  EXPECT_EQ(server.transcript.back().bytes, "{");
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

TEST(AccountOfManyThings, IsBoundedAndMissesNoRequirement) {
  Account account(corpus::corpus_for_testing("mcp"), {"server", "stdio"});
  const auto initialize = [&](const std::string& name) {
    account.take(message(
        Side::client,
        R"({"jsonrpc":"2.0","id":")" + name.substr(0, 10) +
            R"(","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{")" +
            name + R"(":1}},"clientInfo":{"name":"a","version":"1"}}})",
        {}));
  };
  initialize(std::string(100'000, 'x'));
  for (int i = 0; i < 700; ++i) initialize(std::to_string(i));
  account.take(
      message(Side::client, R"({"jsonrpc":"2.0","id":"p","method":"ping","params":[]})", {}));
  const auto findings = account.run().cases.back().findings;
  EXPECT_LE(findings.size(), 600U);
  const auto is_of = [](const std::string& requirement) {
    return [requirement](const auto& each) { return each.requirement == requirement; };
  };
  EXPECT_EQ(std::ranges::count_if(findings, is_of("mcp-c-params-object")), 1);
  const auto schema = std::ranges::find_if(findings, is_of("mcp-c-schema"));
  ASSERT_NE(schema, findings.end());
  EXPECT_TRUE(std::ranges::all_of(findings, [](const auto& each) {
    return each.place.pointer.size() < 5000 && each.particulars.size() < 5000;
  }));
}

TEST_F(AccountTest, BatchIsChargedWithEachRuleThatItBreaksHoweverLongItIs) {
  std::string batch = "[";
  for (int i = 0; i < 3000; ++i) batch += R"({"method":"a"},)";
  account_.take(message(Side::client, batch + R"({"jsonrpc":"2.0","method":"b","params":7}])", {}));
  const auto run = account_.run();
  std::string charged;
  for (const auto& each : run.cases.back().findings) {
    charged += each.requirement + " ";
    EXPECT_EQ(each.particulars.find("3000 times"), std::string::npos);
  }
  EXPECT_NE(charged.find("cl-req-version"), std::string::npos);
  EXPECT_NE(charged.find("cl-req-params"), std::string::npos) << charged;
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

class SessionsOfClients : public ::testing::Test {
 protected:
  static std::string charged_by(Account& account, TrafficEvent event, std::size_t connection = 1) {
    event.connection = connection;
    std::string text;
    for (const auto& each : account.take(event)) {
      if (each.finding.requirement.starts_with("lsp-c-")) text += each.finding.requirement + " ";
    }
    return text;
  }
  static TrafficEvent shutdown() {
    return message(Side::client, R"({"jsonrpc":"2.0","id":1,"method":"shutdown","params":{}})",
                   microseconds(2));
  }
  static TrafficEvent violation() {
    TrafficEvent event{TrafficEvent::Kind::violation, Side::client, microseconds(1)};
    event.message = std::string("{}");
    event.note = "no head";
    return event;
  }
  static Account account_over(const std::string& binding, bool from_the_beginning = true) {
    return {corpus::corpus_for_testing("lsp"),
            {"server", "stdio", &wire::known_binding(binding), from_the_beginning}};
  }
};

TEST_F(SessionsOfClients, AreHeldToTheirProtocolWhereTheirBeginningIsSeen) {
  const auto charged = [&](bool from_the_beginning, bool with_a_gap) {
    auto account = account_over("content-length", from_the_beginning);
    if (with_a_gap) account.take({TrafficEvent::Kind::lost, Side::client, microseconds(1)});
    return charged_by(account, shutdown());
  };
  EXPECT_EQ(charged(true, false), "lsp-c-shutdown-params lsp-c-init-first ");
  EXPECT_EQ(charged(false, false), "");
  EXPECT_EQ(charged(true, true), "");
  auto passed_over = account_over("content-length");
  passed_over.take(
      {TrafficEvent::Kind::lost, Side::client, microseconds(1), dialogue::kAnyConnection});
  EXPECT_EQ(charged_by(passed_over, shutdown()), "") << "it may have been the beginning";
}

TEST_F(SessionsOfClients, AreNotJudgedFromTheirMiddleHoweverManyThereAre) {
  constexpr std::size_t kMany = 5000;
  auto lost = account_over("content-length");
  for (std::size_t i = 1; i <= kMany; ++i) {
    EXPECT_EQ(charged_by(lost, {TrafficEvent::Kind::lost, Side::client, microseconds(1)}, i), "");
  }
  EXPECT_EQ(charged_by(lost, shutdown(), kMany), "");
  EXPECT_EQ(charged_by(lost, shutdown(), kMany + 1), "") << "nobody is, from there on";
  auto forgotten = account_over("content-length");
  for (std::size_t i = 1; i <= kMany; ++i) {
    charged_by(forgotten, {TrafficEvent::Kind::lost, Side::client, microseconds(1)}, i);
    forgotten.forget(i);
  }
  EXPECT_NE(charged_by(forgotten, shutdown(), kMany + 1), "");
  auto open = account_over("content-length");
  std::size_t judged = 0;
  for (std::size_t i = 1; i <= 200; ++i) {
    judged += charged_by(open, message(Side::client, R"({"jsonrpc":"2.0","method":"exit"})", {}), i)
                      .empty()
                  ? 1
                  : 0;
  }
  EXPECT_EQ(judged, 200U);
  EXPECT_NE(charged_by(open, shutdown(), 1), "") << "who is judged stays so";
  EXPECT_EQ(charged_by(open, shutdown(), 150), "");
}

TEST_F(SessionsOfClients, WhereTheyKeepTooMuchTheLargestAreJudgedNoLonger) {
  constexpr std::size_t kLarge = 20;
  std::string values = "0";
  for (int i = 1; i < 40'000; ++i) values += ",0";
  auto account = account_over("content-length");
  const auto begin = [&](std::size_t connection, const std::string& capabilities) {
    const std::string text = R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{)"
                             R"("processId":1,"rootUri":null,"capabilities":{"experimental":[)";
    charged_by(account, message(Side::client, text + capabilities + "]}}}", {}), connection);
  };
  begin(1, "");
  for (std::size_t i = 2; i < 2 + kLarge; ++i) begin(i, values);
  EXPECT_GE(account.kept(), 40U << 20) << "no more is left than has to be";
  EXPECT_LE(account.kept(), 80U << 20);
  EXPECT_NE(charged_by(account, shutdown(), 1), "") << "who keeps little stays judged";
  EXPECT_NE(charged_by(account, shutdown(), 2), "") << "as long as there is room, all do";
  EXPECT_EQ(charged_by(account, shutdown(), kLarge - 1), "");
}

TEST_F(SessionsOfClients, HeadsAreChargedWhereThereAreSomeAndSomethingFollows) {
  auto stream = account_over("content-length");
  EXPECT_EQ(charged_by(stream, violation()), "") << "it may have been cut off";
  EXPECT_EQ(charged_by(stream, violation()), "lsp-c-header ");
  auto websocket = account_over("websocket");
  charged_by(websocket, violation());
  EXPECT_EQ(charged_by(websocket, violation()), "");
}

TEST_F(SessionsOfClients, ClassesOfClientsAreInScopeWhereTheirRulesAre) {
  const auto has_class = [](const std::string& profile, const std::string& binding,
                            const std::string& name) {
    const Account account(corpus::corpus_for_testing(profile),
                          {"server", "x", &wire::known_binding(binding)});
    const auto run = account.run();
    return std::ranges::any_of(
        run.requirements, [&](const auto& each) { return each.requirement.class_name == name; });
  };
  EXPECT_TRUE(has_class("mcp", "lines", "mcp-client"));
  EXPECT_TRUE(has_class("lsp", "websocket", "language-client"));
  EXPECT_FALSE(has_class("mcp", "http", "mcp-client"));
  EXPECT_FALSE(has_class("mcp", "lines", "mcp-http"));
  EXPECT_TRUE(has_class("mcp", "http", "mcp-http"));
  for (const auto* profile : {"jsonrpc-2.0", "mcp", "lsp"}) {
    EXPECT_TRUE(has_class(profile, "lines", "client")) << profile;
  }
}

TEST_F(SessionsOfClients, ClassesOfHttpAndOfWhatItBecameAreInScope) {
  const auto in_scope = [](bool has_exchange) {
    Account account(corpus::corpus_for_testing(corpus::kDefaultProfile),
                    {"server", "x", &wire::known_binding("http")});
    TrafficEvent call{TrafficEvent::Kind::message, Side::client};
    call.message = R"({"jsonrpc":"2.0","method":"a","id":1})";
    if (has_exchange) call.exchange = 1;
    account.take(call);
    account.use(wire::known_binding("websocket"), 2);
    const auto run = account.run();
    std::set<std::string> classes;
    for (const auto& each : run.requirements) classes.insert(each.requirement.class_name);
    return run.target.framing + (classes.count("http") != 0 ? " http" : "") +
           (classes.count("ws") != 0 ? " ws" : "");
  };
  EXPECT_EQ(in_scope(true), "http http ws");
  EXPECT_EQ(in_scope(false), "websocket ws") << "HTTP has carried the handshake alone";
}

// A HAR of sessions of MCP, a second an entry.
class HarOfSessions : public ::testing::Test {
 protected:
  void initialize(const std::string& response, const std::string& id = "") {
    add(R"({\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"a\",\"version\":\"1\"}}})",
        "", response, id);
  }
  void open(const std::string& id) {
    initialize(kAgreed, id);
    add(R"({\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"})", id, "");
  }
  void list(const std::string& number, const std::string& id) {
    add(R"({\"jsonrpc\":\"2.0\",\"id\":)" + number + R"(,\"method\":\"tools/list\"})", id,
        R"({\"jsonrpc\":\"2.0\",\"id\":)" + number + R"(,\"result\":{\"tools\":[]}})");
  }
  // What the client was charged with, and in which session.
  std::vector<std::string> charged() const {
    Account account(corpus::corpus_for_testing("mcp"),
                    {"x", "capture", &wire::known_binding("http")});
    std::istringstream file("{\"log\":{\"entries\":[" + entries_ + "]}}");
    const auto capture = read_capture(
        file, "x", [](const Capture&) {}, [&](const TrafficEvent& event) { account.take(event); },
        [&](const HttpHead& head) { account.take_head(head); });
    EXPECT_TRUE(capture) << (capture ? "" : capture.error().message);
    std::vector<std::string> found;
    const auto run = account.run();
    for (const auto& each : run.cases.back().findings) {
      found.push_back(each.requirement + ": " + each.particulars);
    }
    return found;
  }

 private:
  void add(const std::string& request, const std::string& named, const std::string& response,
           const std::string& given = "") {
    const auto session = [](const std::string& id) {
      return id.empty() ? "" : R"({"name":"mcp-session-id","value":")" + id + "\"},";
    };
    const auto second = std::to_string(10 + seconds_++);
    entries_ +=
        std::string(entries_.empty() ? "" : ",") + R"({"startedDateTime":"2026-01-01T00:00:)" +
        second + R"(.0Z","time":5,"request":{"method":"POST","url":"http://a/mcp","headers":[)" +
        session(named) +
        R"({"name":"mcp-protocol-version","value":"2025-11-25"},{"name":"accept","value":")" +
        accept_ + R"("}],)" + R"("postData":{"text":")" + request + R"("}},"response":{"status":)" +
        (response.empty() ? "202" : "200") + R"(,"headers":[)" + session(given) +
        R"({"name":"x","value":"y"}],"content":{"size":)" + std::to_string(response.size()) +
        R"(,"mimeType":"application/json","text":")" + response + R"("}}})";
  }

  std::string entries_;
  int seconds_ = 0;

 protected:
  static constexpr const char* kAgreed =
      R"({\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}})";
  std::string accept_ = "application/json, text/event-stream";
};

TEST_F(HarOfSessions, SessionsThatUseTheSameIdsAreToldApart) {
  open("first-session-of-two");
  open("second-session-of-two");
  for (const auto* each : {"2", "3"}) {
    list(each, "first-session-of-two");
    list(each, "second-session-of-two");
  }
  EXPECT_EQ(charged(), std::vector<std::string>());
}

TEST_F(HarOfSessions, WhatIsWrongInOneIsToldOfThatOne) {
  open("first-session-of-two");
  open("second-session-of-two");
  for (const auto* each : {"2", "3", "3"}) list(each, "second-session-of-two");
  list("3", "first-session-of-two");
  EXPECT_EQ(charged(), std::vector<std::string>{"mcp-c-request-id-unique: The client uses an id "
                                                "twice in a session (session second-s...)."});
}

// That of 2024-11-05 accepts a request by its response, and prescribes no head.
TEST_F(HarOfSessions, AcceptIsOfStreamableHttpAlone) {
  accept_ = "*/*";
  initialize("");
  EXPECT_EQ(charged(), std::vector<std::string>());
  initialize(kAgreed);
  EXPECT_EQ(charged(), std::vector<std::string>{"mcp-c-http-accept: Accept of a POST does not list "
                                                "application/json and text/event-stream: */*."});
}

}  // namespace account_test
}  // namespace jrpcheck::traffic
