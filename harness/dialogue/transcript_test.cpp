#include "dialogue/transcript.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.hpp"
#include "dialogue/exchanges_of.hpp"

namespace jrpcheck::dialogue {
namespace transcript_test {

TEST(Transcript, EventsCarryTheStepTheyBelongTo) {
  Transcript transcript;
  transcript.add(Direction::sent, "opening");
  transcript.begin_step(0);
  transcript.add(Direction::sent, "a");
  transcript.begin_step(1);
  transcript.add(Direction::sent, "b");
  transcript.end_steps();
  transcript.add(Direction::exited, {});
  const auto& events = transcript.events();
  EXPECT_EQ(events[0].step, std::nullopt);
  EXPECT_EQ(events[1].step, 0U);
  EXPECT_EQ(events[2].step, 1U);
  EXPECT_EQ(events[3].step, std::nullopt);
}

TEST(Transcript, WhatIsOfOrdinaryLengthIsKeptWhole) {
  const std::string text(16U << 10, 'x');
  const auto kept = excerpt(text);
  EXPECT_EQ(kept.bytes, text);
  EXPECT_EQ(kept.left_out, 0U);
}

TEST(Transcript, OfWhatIsLongBothEndsAreKeptAndTheRestIsCounted) {
  const auto kept = excerpt("begin" + std::string(1U << 20, 'x') + "end");
  EXPECT_EQ(kept.bytes.substr(0, 7), "beginxx");
  EXPECT_EQ(kept.bytes.substr(kept.bytes.size() - 5), "xxend");
  EXPECT_NE(kept.bytes.find("[... " + std::to_string(kept.left_out) + " bytes left out ...]"),
            std::string::npos);
  EXPECT_LT(kept.bytes.size(), 8U << 10);
}

TEST(Transcript, NoCharacterIsCutInTwo) {
  for (const std::size_t shift : {0U, 1U, 2U, 3U}) {
    std::string text(shift, 'x');
    while (text.size() < (40U << 10)) text += "\xF0\x9F\x98\x80";
    const auto kept = excerpt(text);
    EXPECT_TRUE(is_valid_utf8(kept.bytes)) << shift;
    const auto mark = kept.bytes.find(" bytes left out");
    ASSERT_NE(mark, std::string::npos);
  }
}

TEST(Transcript, AFloodOfShortMessagesIsTakenInPartAndHowItsStepEndedIsToldBehind) {
  Transcript transcript;
  transcript.begin_step(0);
  bool is_taken = true;
  for (int i = 0; i < 100'000; ++i) is_taken = transcript.add(Direction::noise, "y", "no message");
  EXPECT_FALSE(is_taken);
  EXPECT_LT(transcript.whole().size(), 60'000U);
  Exchange exchange;
  exchange.unfinished = std::string(1U << 20, '[');
  transcript.add(end_of(exchange));
  ASSERT_EQ(transcript.whole().back().direction, Direction::ended);
  EXPECT_TRUE(exchanges_of(transcript.whole()));
}

TEST(Transcript, FloodIsNotKeptButItsEndIsTold) {
  Transcript transcript;
  transcript.add(Direction::sent, "x");
  for (int i = 0; i < 20'000; ++i) transcript.add(Direction::violation, "y", "no message");
  transcript.add(Direction::quiet, {}, "the server did not stop");
  const auto& events = transcript.events();
  EXPECT_LT(events.size(), 1100U);
  EXPECT_EQ(events.back().note, "the server did not stop");
  EXPECT_EQ(events[events.size() - 2].note, "more came, which is not kept");
}

TEST(Transcript, ManyLongMessagesAreBoundedTogether) {
  Transcript transcript;
  for (int i = 0; i < 900; ++i) transcript.add(Direction::received, std::string(15U << 10, 'x'));
  std::size_t bytes = 0;
  for (const auto& event : transcript.events()) bytes += event.bytes.size();
  EXPECT_LE(bytes, 1U << 20);
}

TEST(Transcript, WhatStandsAroundAMessageIsCountedAsWell) {
  Transcript transcript;
  bool is_taken = true;
  for (int i = 0; i < 20; ++i) {
    Event comment{Direction::received, {}, std::string(1U << 20, ':')};
    comment.message = Message("");
    is_taken = transcript.add(std::move(comment));
  }
  EXPECT_FALSE(is_taken);
}

}  // namespace transcript_test
}  // namespace jrpcheck::dialogue
