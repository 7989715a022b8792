#include "wire/sse.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace jrpcheck::wire {
namespace sse_test {

std::vector<ServerSentEvent> events_of(const std::vector<std::string>& pieces,
                                       FrameLimits limits = {}) {
  SseReader reader(limits);
  std::vector<ServerSentEvent> events;
  for (const auto& piece : pieces) {
    reader.feed(piece);
    while (auto event = reader.next()) events.push_back(*std::move(event));
  }
  return events;
}

std::string whole(const std::vector<ServerSentEvent>& events) {
  std::string text;
  for (const auto& each : events) {
    text += each.block + "|" + each.type + "|" + each.data.value_or("none") + "|" +
            each.id.value_or("none") + "|" + each.retry.value_or("none") + "|" + each.violation +
            "\n";
  }
  return text;
}

std::string data_of(const std::string& stream) {
  const auto events = events_of({stream});
  return events.empty() ? "nothing" : events.front().data.value_or("none");
}

TEST(Sse, ReadsTheFieldsOfAnEvent) {
  const auto events = events_of({"event: message\nid: 7\nretry: 250\ndata: {\"a\":1}\n\n"});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0].type, "message");
  EXPECT_EQ(events[0].id, "7");
  EXPECT_EQ(events[0].retry, "250");
  EXPECT_EQ(events[0].data, "{\"a\":1}");
  EXPECT_EQ(events[0].block, "event: message\nid: 7\nretry: 250\ndata: {\"a\":1}\n\n");
}

// The examples of WHATWG HTML §9.2.6.
TEST(Sse, JoinsSeveralDataLinesByALineFeed) {
  EXPECT_EQ(data_of("data: YHOO\ndata: +2\ndata: 10\n\n"), "YHOO\n+2\n10");
  EXPECT_EQ(data_of("data\ndata\n\n"), "\n");
}

TEST(Sse, TakesOneSpaceBehindTheColonAway) {
  EXPECT_EQ(data_of("data:test\n\n"), "test");
  EXPECT_EQ(data_of("data: test\n\n"), "test");
  EXPECT_EQ(data_of("data:  third event\n\n"), " third event");
  EXPECT_EQ(data_of("data: a: b\n\n"), "a: b");
}

TEST(Sse, TellsEmptyDataFromNone) {
  EXPECT_EQ(data_of("id: 1\ndata:\n\n"), "");
  EXPECT_EQ(data_of("id: 1\n\n"), "none");
}

TEST(Sse, GivesCommentsAsBlocksWithoutData) {
  const auto events = events_of({": still here\n\ndata: 1\n\n"});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_TRUE(events[0].is_empty());
  EXPECT_FALSE(events[1].is_empty());
}

TEST(Sse, EndsLinesWithAnyOfThree) {
  for (const std::string end : {"\n", "\r", "\r\n"}) {
    EXPECT_EQ(data_of("data: a" + end + "data: b" + end + end), "a\nb");
  }
}

TEST(Sse, GivesAnEventAtItsLastCarriageReturn) {
  SseReader reader;
  reader.feed("data: 1\r\n\r");
  ASSERT_TRUE(reader.next());
  reader.feed("\ndata: 2\r\n\r\n");
  EXPECT_EQ(reader.next()->data, "2");
}

TEST(Sse, SkipsAByteOrderMarkAtTheBeginningAlone) {
  EXPECT_EQ(data_of("\xEF\xBB\xBF"
                    "data: 1\n\n"),
            "1");
  EXPECT_EQ(events_of({"data: 1\n\n\xEF\xBB\xBF"
                       "data: 2\n\n"})[1]
                .data,
            std::nullopt);
  EXPECT_EQ(data_of("\xEF\xBB"
                    "data: 1\n\ndata: 2\n\n"),
            "none");
}

TEST(Sse, IgnoresAnIdWithNulAndARetryThatIsNoNumber) {
  const auto events = events_of({std::string("id: a\0b\nretry: 1s\ndata: 1\n\n", 28)});
  ASSERT_EQ(events.size(), 1U);
  EXPECT_FALSE(events[0].id);
  EXPECT_FALSE(events[0].retry);
  EXPECT_TRUE(events[0].has_retry_garbled);
}

TEST(Sse, KeepsWhatHasNoBlankLineUnfinished) {
  SseReader reader;
  reader.feed("data: 1\n\ndata: 2\n");
  EXPECT_TRUE(reader.next());
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.unfinished(), "data: 2\n");
}

TEST(Sse, GivesUpAtAnEventBeyondTheLimit) {
  const auto events = events_of({"data: 1\n\n" + std::string(60, 'x') + "\n\ndata: 2\n\n"},
                                {.max_message_bytes = 20, .max_head_bytes = 20});
  ASSERT_EQ(events.size(), 2U);
  EXPECT_EQ(events[1].violation, "an event is longer than 40 bytes");
}

TEST(Sse, ReadsTheSameHoweverItIsCut) {
  const std::string streams[] = {
      "\xEF\xBB\xBF: hi\r\n\r\nid: 1\r\ndata:\r\n\r\nevent: a\rdata: {}\r\rdata: 2\n\n\n\r\n",
      "\xEF\xBB"
      "x\n\ndata\n\nretry: 1\n\n",
      "data: a\r\r\ndata: b\r\n\r\ndata: c", std::string(60, 'y') + "\n\n"};
  for (const auto& stream : streams) {
    for (const FrameLimits limits : {FrameLimits{}, FrameLimits{20, 20}}) {
      const std::string expected = whole(events_of({stream}, limits));
      for (std::size_t at = 0; at <= stream.size(); ++at) {
        ASSERT_EQ(whole(events_of({stream.substr(0, at), stream.substr(at)}, limits)), expected);
      }
      std::vector<std::string> bytes;
      for (const char byte : stream) bytes.emplace_back(1, byte);
      ASSERT_EQ(whole(events_of(bytes, limits)), expected);
    }
  }
}

RC_GTEST_PROP(SseProperties, RandomCutsOfRandomStreamsChangeNoEvent, ()) {
  const auto words = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "data", "event", "id", "retry", ":", ": ", " ", "\n", "\r", "\r\n", "\n\n", "x", "{}", "7",
      std::string(1, '\0'), "\xEF\xBB\xBF", "\xEF", "\xC3\xBC"));
  std::string stream;
  for (const auto& word : words) stream += word;
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < stream.size(); at += pieces.back().size()) {
    pieces.push_back(stream.substr(at, *rc::gen::inRange<std::size_t>(1, 6)));
  }
  const FrameLimits limits = *rc::gen::element(FrameLimits{}, FrameLimits{20, 20});
  RC_ASSERT(whole(events_of(pieces, limits)) == whole(events_of({stream}, limits)));
}

RC_GTEST_PROP(SseProperties, WhatIsWrittenIsReadBack, ()) {
  std::string data = *rc::gen::arbitrary<std::string>();
  std::erase(data, '\r');  // ends a line as well
  const auto events = events_of({event_text({.data = data})});
  RC_ASSERT(events.size() == 1U);
  RC_ASSERT(events[0].data == data);
}

TEST(Sse, WritesWhatIsReadBack) {
  for (const std::string data : {"{\"a\":1}", "", "a\nb", " a", "\n", "a\n\nb"}) {
    const auto events =
        events_of({event_text({.type = "x", .data = data, .id = "1", .retry = "5"})});
    ASSERT_EQ(events.size(), 1U);
    EXPECT_EQ(events[0].data, data);
    EXPECT_EQ(events[0].type, "x");
    EXPECT_EQ(events[0].id, "1");
    EXPECT_EQ(events[0].retry, "5");
  }
  // A carriage return ends a line as well.
  EXPECT_EQ(events_of({event_text({.data = "a\rb\r\nc"})})[0].data, "a\nb\nc");
}

}  // namespace sse_test
}  // namespace jrpcheck::wire
