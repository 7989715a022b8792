#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "corpus/corpus_for_testing.hpp"
#include "judge/test_support.hpp"
#include "judge/traffic/traffic_judge.hpp"

namespace jrpcheck::judge {
namespace traffic_streams_test {

using dialogue::EventStream;
using dialogue::Side;
using dialogue::TrafficEvent;
using Kind = TrafficEvent::Kind;
using Texts = std::vector<std::string>;

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"echo","id":1})";
constexpr const char* kResult = R"({"jsonrpc":"2.0","result":1,"id":1})";
constexpr const char* kNote = R"({"jsonrpc":"2.0","method":"note"})";
constexpr const char* kAsk = R"({"jsonrpc":"2.0","method":"ask","id":1})";

/// HTTP with event streams: an exchange is a connection of its own. Tells "server res-once".
class Streams {
 public:
  explicit Streams(const corpus::Ledger& ledger = real_ledger()) : ledger_(ledger) {}
  /// A POST, whose exchange it gives.
  std::size_t post(const std::string& body) {
    say(Side::client, ++exchange_, body, 0, EventStream::none);
    return exchange_;
  }
  std::size_t get() { return ++exchange_; }
  Streams& event(std::size_t exchange, const std::string& text,
                 EventStream stream = EventStream::answer) {
    return say(Side::server, exchange, text, 0, stream);
  }
  Streams& end(std::size_t exchange, EventStream stream = EventStream::answer) {
    return say(Side::server, exchange, "", 200, stream);
  }
  Streams& respond(std::size_t exchange, std::size_t status, const std::string& body = "") {
    return say(Side::server, exchange, body, status, EventStream::none);
  }
  Streams& take(Kind kind) { return take({kind, Side::client}); }

  const Texts& found() const { return found_; }
  const Texts& answered() const { return answered_; }
  std::size_t unanswered(Side side) const { return judge_.counts(side).unanswered; }
  void finish() { judge_.end(); }

 private:
  Streams& say(Side side, std::size_t exchange, const std::string& text, std::size_t status,
               EventStream stream) {
    TrafficEvent event{Kind::message, side};
    event.exchange = exchange;
    event.message = text;
    event.http_status = status;
    event.stream = stream;
    event.content_type = status != 0 && !text.empty() ? "application/json" : "";
    return take(event);
  }
  Streams& take(TrafficEvent event) {
    event.at = now_ += milliseconds(1);
    auto shown = judge_.take(event);
    for (const auto& each : shown.findings) {
      found_.push_back(std::string(name_of(each.side)) + " " + each.finding.requirement);
    }
    for (auto& each : shown.answered) answered_.push_back(each.method);
    return *this;
  }

  const corpus::Ledger& ledger_;
  TrafficJudge judge_{{&ledger_, &wire::known_binding("http"), true}};
  microseconds now_{0};
  std::size_t exchange_ = 0;
  Texts found_;
  Texts answered_;
};

TEST(EventStreams, AnswerIsPairedWithItsCall) {
  Streams talk;
  const auto call = talk.post(kCall);
  talk.event(call, kNote).event(call, kResult).end(call);
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.answered(), Texts{"echo"});
}

TEST(EventStreams, MessagesAreJudgedAsOfAnyDoor) {
  Streams envelope;
  envelope.event(envelope.post(kCall), R"({"result":1,"id":1})");
  EXPECT_EQ(envelope.found(), Texts{"server res-version"});
  Streams wrong_id;
  wrong_id.event(wrong_id.post(kCall), R"({"jsonrpc":"2.0","result":1,"id":9})");
  EXPECT_EQ(wrong_id.found(), Texts{"server id-echo"});
  Streams twice;
  const auto call = twice.post(kCall);
  twice.event(call, kResult).event(call, kResult);
  EXPECT_EQ(twice.found(), Texts{"server res-once"});
  Streams broken;
  broken.event(broken.post(kCall), "{\"jsonrpc\"");
  EXPECT_EQ(broken.found(), Texts{"server res-json"});
  Streams on_open;
  on_open.event(on_open.get(), R"({"result":1,"id":1})", EventStream::open);
  EXPECT_EQ(on_open.found(), Texts{"server res-version"});
}

TEST(EventStreams, StreamThatEndsWithoutTheAnswerLeavesTheCallUnanswered) {
  Streams talk;
  talk.end(talk.post(kCall));
  EXPECT_EQ(talk.found(), Texts{"server res-always"});
}

TEST(EventStreams, WhatMayBeAnsweredElsewhereIsNotCharged) {
  Streams broken_off;
  broken_off.end(broken_off.post(kCall), EventStream::broken_off);
  broken_off.event(broken_off.get(), kResult, EventStream::resumed);
  EXPECT_EQ(broken_off.found(), Texts());
  EXPECT_EQ(broken_off.answered(), Texts{"echo"});
  Streams given_up;
  const auto call = given_up.post(kCall);
  given_up.post(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})");
  EXPECT_EQ(given_up.end(call).found(), Texts());
  Streams session_ended;
  const auto cut = session_ended.post(kCall);
  EXPECT_EQ(session_ended.take(Kind::given_up).end(cut).found(), Texts());
}

TEST(EventStreams, AnswersOnTheStreamOfAGetArePairedWhereverTheirCallsWere) {
  Streams talk;
  const auto stream = talk.get();
  const auto early = talk.post(kCall);
  talk.event(stream, kResult, EventStream::open).respond(early, 202);
  talk.respond(talk.post(R"({"jsonrpc":"2.0","method":"late","id":2})"), 202);
  talk.event(stream, R"({"jsonrpc":"2.0","result":1,"id":2})", EventStream::open);
  talk.event(stream, R"({"jsonrpc":"2.0","result":1,"id":7})", EventStream::open);  // past us
  talk.respond(talk.post(R"({"jsonrpc":"2.0","method":"never","id":3})"), 202);
  talk.finish();
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.answered(), (Texts{"echo", "late"}));
  EXPECT_EQ(talk.unanswered(Side::client), 1U);
}

TEST(EventStreams, WhatStandsInTheAcceptanceOfAPostIsForPeople) {
  Streams talk;
  talk.respond(talk.post(kCall), 202, "Accepted").respond(talk.post(kNote), 202, "{\"ok\":true}");
  EXPECT_EQ(talk.event(talk.get(), kResult, EventStream::open).found(), Texts());
  EXPECT_EQ(talk.answered(), Texts{"echo"});
  Streams broken;
  broken.respond(broken.post(kCall), 202, "{\"jsonrpc\":\"2.0\",");
  EXPECT_EQ(broken.found(), Texts{"server res-json"});
}

TEST(EventStreams, ClientsWithTheSameIdsAreNotChargedWithEachOthersAnswers) {
  Streams talk;
  const auto posted = talk.post(kCall);
  talk.event(talk.get(), kResult, EventStream::open);  // of another client
  EXPECT_EQ(talk.event(posted, kResult).end(posted).found(), Texts());
  const auto plain = talk.post(kCall);
  talk.event(talk.get(), kResult, EventStream::open);
  EXPECT_EQ(talk.respond(plain, 200, kResult).found(), Texts());
}

TEST(EventStreams, AnswerOfAnotherCallOnTheStreamOfThisOneIsAWrongId) {
  Streams talk;
  const auto first = talk.post(kCall);
  talk.post(R"({"jsonrpc":"2.0","method":"b","id":2})");
  talk.event(first, R"({"jsonrpc":"2.0","result":1,"id":2})");
  EXPECT_EQ(talk.found(), Texts{"server id-echo"});
}

TEST(EventStreams, ClientAnswersWhatTheServerHasAskedOnAnyStream) {
  for (const auto stream : {EventStream::answer, EventStream::open}) {
    Streams talk;
    const auto on = stream == EventStream::answer ? talk.post(kCall) : talk.get();
    talk.event(on, kAsk, stream);
    talk.respond(talk.post(kResult), 202);
    EXPECT_EQ(talk.found(), Texts());
    EXPECT_EQ(talk.answered(), Texts{"ask"});
    talk.respond(talk.post(kResult), 202);
    EXPECT_EQ(talk.found(), Texts{"client cl-response"}) << "it was answered";
  }
  Streams other_type;
  other_type.event(other_type.get(), kAsk, EventStream::open);
  other_type.post(R"({"jsonrpc":"2.0","result":1,"id":"1"})");
  EXPECT_EQ(other_type.found(), Texts{"client cl-response"});
}

TEST(EventStreams, AnswerToNobodyIsChargedOnlyWhereNobodyCanHaveAsked) {
  Streams without;
  without.post(kResult);
  EXPECT_EQ(without.found(), Texts{"client cl-response"});
  Streams with;
  with.event(with.get(), kNote, EventStream::open);
  with.post(kResult);
  EXPECT_EQ(with.found(), Texts());
  Streams lossy;
  lossy.take(Kind::lost).event(lossy.get(), kAsk, EventStream::open);
  lossy.post(kResult);
  lossy.post(kResult);
  EXPECT_EQ(lossy.found(), Texts()) << "who has asked twice is not known";
}

TEST(EventStreams, AnswersToABatchComeOneByOneOrTogether) {
  Streams talk;
  const auto batch =
      talk.post(R"([{"jsonrpc":"2.0","method":"a","id":1},{"jsonrpc":"2.0","method":"b","id":2},)"
                R"({"jsonrpc":"2.0","method":"c","id":3}])");
  talk.event(batch, R"({"jsonrpc":"2.0","result":1,"id":2})");
  talk.event(batch, "[" + std::string(kResult) + "]");
  EXPECT_EQ(talk.found(), Texts());
  EXPECT_EQ(talk.end(batch).found(), Texts{"server res-always"}) << "the third";
}

TEST(RefusalsOverHttp, SayWhyWithoutAnIdWhereMcpIsSpokenAndNothingWasAsked) {
  const auto& mcp = corpus::corpus_for_testing("mcp");
  const std::string why = R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}})";
  const std::string answer = kResult;
  for (const auto& word : Texts{kNote, answer}) {
    Streams over(mcp.ledger);
    over.event(over.get(), kAsk, EventStream::open);
    over.respond(over.post(word), 400, why);
    EXPECT_EQ(over.found(), Texts{}) << word;
    Streams with_200(mcp.ledger);
    with_200.event(with_200.get(), kAsk, EventStream::open);
    with_200.respond(with_200.post(word), 200, why);
    EXPECT_NE(with_200.found(), Texts{}) << word;
  }
  Streams asked(mcp.ledger);
  asked.respond(asked.post(kCall), 400, why);
  EXPECT_NE(asked.found(), Texts{}) << "a call was made";
  Streams plain;
  plain.respond(plain.post(kNote), 400, why);
  EXPECT_NE(plain.found(), Texts{}) << "JSON-RPC alone does not have that";
}

}  // namespace traffic_streams_test
}  // namespace jrpcheck::judge
