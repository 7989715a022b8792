#include "wire/binding.hpp"

#include <gtest/gtest.h>

#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace framing_test {

using testing::frames_of;
using Example = testing::FramesExample;
using testing::shown;
using Texts = std::vector<std::string>;

std::string name_of_example(const ::testing::TestParamInfo<Example>& info) {
  return info.param.behaviour;
}

TEST(FramingEncode, WritesThePayloadUntouched) {
  const std::string payload = "{\"a\":\n\"\xC3\xBC\"}";
  EXPECT_EQ(make_lines({})->encode(payload), payload + "\n");
  EXPECT_EQ(make_concatenated({})->encode(payload), payload + "\n");
  EXPECT_EQ(make_content_length({})->encode(payload), "Content-Length: 11\r\n\r\n" + payload);
}

class LinesTable : public ::testing::TestWithParam<Example> {};

TEST_P(LinesTable, GivesTheFrames) {
  const Example& example = GetParam();
  EXPECT_EQ(shown(frames_of(make_lines, {example.stream}, example.limits)), example.frames);
}

INSTANTIATE_TEST_SUITE_P(
    Lines, LinesTable,
    ::testing::Values(
        Example{"EmptyStreamHasNoFrames", "", {}},
        Example{"LineFeedEndsAMessage", "{\"a\":1}\n[2]\n", {"{\"a\":1}", "[2]"}},
        Example{"CarriageReturnBeforeLineFeedIsDropped", "1\r\n2\r\r\n", {"1", "2\r"}},
        Example{"CarriageReturnElsewhereIsKept", "1\r2\n", {"1\r2"}},
        Example{"BlankLinesAreSkipped", "\n\r\n \t\r\n1\n\n\n2\n\n", {"1", "2"}},
        Example{"WhiteSpaceAroundAMessageIsKept", " 1 \n", {" 1 "}},
        Example{"NoiseIsForTheParserToJudge", "listening\n1\n", {"listening", "1"}},
        Example{"UnfinishedLastLineIsAViolation", "1\n{\"a\"", {"1", "!{\"a\""}},
        Example{"BlankUnfinishedLastLineIsNothing", "1\n \t", {"1"}},
        Example{"LineAtTheLimitIsAMessage", "abcd\nabcd\r\n", {"abcd", "abcd"}, {4}},
        Example{"LineBeyondTheLimitIsOneViolation", "1\nabcdefgh\n2\n", {"1", "!abcd", "2"}, {4}},
        Example{"OneByteBeyondTheLimitIsTooLong", "abcde\r\n2\n", {"!abcd", "2"}, {4}},
        Example{"UnfinishedLineBeyondTheLimitIsReportedOnce", "abcdefgh", {"!abcd"}, {4}},
        Example{"UnfinishedLineJustBeyondTheLimitIsTooLong", "abcde", {"!abcd"}, {4}}),
    name_of_example);

TEST(Lines, UnfinishedLastLineSaysWhatIsMissing) {
  EXPECT_EQ(frames_of(make_lines, {"1"}).at(0).violation,
            "the last line is not ended by a line feed");
}

TEST(Lines, OfATooLongLineTheFirstKibibyteIsKept) {
  const auto frames =
      frames_of(make_lines, {std::string(5000, 'x') + "\n1\n"}, {.max_message_bytes = 2000});
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].violation, "a line is longer than 2000 bytes");
  EXPECT_EQ(frames[0].payload, std::string(1024, 'x'));
  EXPECT_EQ(frames[1].payload, "1");
}

TEST(Lines, ATooLongLineIsReportedBeforeItEnds) {
  const auto framing = make_lines({.max_message_bytes = 4});
  framing->feed("abcdefgh");
  EXPECT_TRUE(framing->next().has_value());
  framing->feed("ijkl");
  EXPECT_FALSE(framing->next().has_value());
}

TEST(Lines, TheLargestLimitIsNoLimit) {
  EXPECT_EQ(shown(frames_of(make_lines, {"{}\n"}, {.max_message_bytes = SIZE_MAX})),
            std::vector<std::string>{"{}"});
}

class ConcatenatedTable : public ::testing::TestWithParam<Example> {};

TEST_P(ConcatenatedTable, GivesTheFrames) {
  const Example& example = GetParam();
  EXPECT_EQ(shown(frames_of(make_concatenated, {example.stream}, example.limits)), example.frames);
}

INSTANTIATE_TEST_SUITE_P(
    Concatenated, ConcatenatedTable,
    ::testing::Values(
        Example{"EmptyStreamHasNoFrames", " \t\r\n", {}},
        Example{"ClosingBracketEndsAValue", "{}[]{\"a\":[1]}", {"{}", "[]", "{\"a\":[1]}"}},
        Example{"WhiteSpaceBetweenValuesIsDropped", " {} \r\n\t[] ", {"{}", "[]"}},
        Example{"WhiteSpaceWithinAValueIsKept", "{ \"a\" :\n1 }", {"{ \"a\" :\n1 }"}},
        Example{"BracketsInStringsDoNotCount", R"({"a":"}]{["}1 )", {R"({"a":"}]{["})", "1"}},
        Example{"EscapedQuoteDoesNotEndAString",
                R"(["\"]"]["\\"]"a\"b""c")",
                {R"(["\"]"])", R"(["\\"])", R"("a\"b")", R"("c")"}},
        Example{"ScalarsEndAtWhiteSpace", "1 -2.5e3\ntrue null", {"1", "-2.5e3", "true", "null"}},
        Example{"ScalarsEndAtAStructuralStart",
                "1{}true[]2\"x\"",
                {"1", "{}", "true", "[]", "2", "\"x\""}},
        Example{"NonAsciiContentIsKept",
                "{\"\xC3\xBC\":\"\xF0\x9F\x98\x80\"}",
                {"{\"\xC3\xBC\":\"\xF0\x9F\x98\x80\"}"}},
        Example{"MismatchedBracketsCountByDepth", "{\"a\":[1}]{}", {"{\"a\":[1}]", "{}"}},
        Example{"ClosingBracketAtTopLevelIsAViolation", "{}}] {}", {"{}", "!}]", "{}"}},
        Example{"NoiseRunsToWhiteSpaceOrAStructuralStart", "oops: ,,{}", {"!oops:", "!,,", "{}"}},
        Example{"ByteOrderMarkIsNoise", "\xEF\xBB\xBF{}", {"!\xEF\xBB\xBF", "{}"}},
        Example{"TruncatedObjectIsAViolation", "{}{\"a\":", {"{}", "!{\"a\":"}},
        Example{"TruncatedStringIsAViolation", "\"abc\\\"", {"!\"abc\\\""}},
        Example{"NoiseAtTheEndIsAViolation", "{}]", {"{}", "!]"}},
        Example{"ValueAtTheLimitIsAMessage", "[10][20]", {"[10]", "[20]"}, {4}},
        Example{"ValueBeyondTheLimitIsOneViolation", "[\"]\",{}] 1", {"![\"]\"", "1"}, {4}},
        Example{"TruncatedValueBeyondTheLimitIsReportedOnce", "[[[[[[", {"![[[["}, {4}},
        Example{"ScalarBeyondTheLimitIsOneViolation", "123456 7", {"!1234", "7"}, {4}}),
    name_of_example);

TEST(Concatenated, ViolationsSayWhatIsWrong) {
  EXPECT_EQ(frames_of(make_concatenated, {"[1"}).at(0).violation, "the last value is not complete");
  EXPECT_EQ(frames_of(make_concatenated, {"}"}).at(0).violation, "bytes that begin no JSON value");
  EXPECT_EQ(frames_of(make_concatenated, {"[1,2]"}, {.max_message_bytes = 4}).at(0).violation,
            "a value is longer than 4 bytes");
}

TEST(Concatenated, DeepNestingNeedsNoStack) {
  constexpr std::size_t kDepth = 1'000'000;
  const std::string deep = std::string(kDepth, '[') + std::string(kDepth, ']');
  const auto frames = frames_of(make_concatenated, {deep + "1"});
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_TRUE(frames[0].payload == deep);
  EXPECT_EQ(frames[1].payload, "1");
}

TEST(Framings, AMessageIsGivenAsSoonAsItsLastByteHasCome) {
  for (const Binding& binding : bindings()) {
    if (!binding.is_framing()) continue;
    SCOPED_TRACE(binding.name);
    const auto framing = binding.framing({});
    framing->feed(framing->encode("{}"));
    const auto frame = framing->next();
    ASSERT_TRUE(frame.has_value());
    EXPECT_TRUE(frame->is_message());
    EXPECT_EQ(frame->payload, "{}");
  }
}

TEST(Length32, IsWrittenAsFourBytesTheHighestFirst) {
  EXPECT_EQ(make_length32({})->encode("{}"), std::string("\0\0\0\x02{}", 6));
  const std::string large(0x01020304U, ' ');
  EXPECT_EQ(make_length32({})->encode(large).substr(0, 4), "\x01\x02\x03\x04");
}

TEST(Length32, WhatIsCutOffAndWhatIsTooLongBreaksTheFraming) {
  const std::string cut("\0\0\0\x04{}", 6);
  const auto frames = frames_of(make_length32, {cut});
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].violation, "the last message is not complete");
  EXPECT_EQ(frames[0].payload, cut);
  const auto absurd = frames_of(make_length32, {"\xFF\xFF\xFF\xFF{}"}, {.max_message_bytes = 4});
  ASSERT_EQ(absurd.size(), 1U);
  EXPECT_TRUE(absurd[0].beyond_limit);
  EXPECT_EQ(absurd[0].violation, "a message is longer than 4 bytes");
}

// The bytes of a length, and what stands behind them.
std::string behind_length_of(char length, const std::string& payload) {
  return std::string("\0\0\0", 3) + length + payload;
}

const std::string kNextOfThree = behind_length_of(3, "[");

TEST(Length32, WhatStandsBetweenMessagesIsNoLengthAndHidesNoMessage) {
  const auto frames =
      frames_of(make_length32, {behind_length_of(2, "{}") + "\n" + behind_length_of(3, "[1]") +
                                "!!!!!!!!!!" + behind_length_of(3, "[2]")});
  EXPECT_EQ(shown(frames), (Texts{"{}", "!\n", "[1]", "!!!!!!!!!!!", "[2]"}));
  EXPECT_EQ(frames[1].violation, kWrongLength);
  EXPECT_FALSE(frames[1].beyond_limit);
}

TEST(Length32, ALengthThatIsTooLargeDoesNotHideTheNextMessage) {
  const std::string next = behind_length_of(3, "[1]") + behind_length_of(3, "[2]");
  const std::string by_one = behind_length_of(3, "{}");
  const Texts of_next = {"!" + kNextOfThree, "[1]", "[2]"};
  const auto expect = [&](const std::string& stream, Texts texts) {
    texts.insert(texts.end(), of_next.begin(), of_next.end());
    EXPECT_EQ(shown(frames_of(make_length32, {stream + next})), texts);
  };
  const std::string with_zero("{}\0", 3);
  expect(by_one, {with_zero});
  expect(behind_length_of(6, "{}"), {"{}" + kNextOfThree.substr(0, 4)});
  expect(behind_length_of(100, "{}"), {"{}"});
  // Who has shown it is not waited for again.
  expect(by_one + by_one + by_one,
         {with_zero, "!" + behind_length_of(3, "{"), "{}", "!" + behind_length_of(3, "{"), "{}"});
}

TEST(Length32, ALengthThatIsTooSmallLeavesTheRestBehind) {
  EXPECT_EQ(
      shown(frames_of(make_length32, {behind_length_of(1, "{}") + behind_length_of(3, "[1]")})),
      (Texts{"{", "!}", "[1]"}));
}

TEST(Length32, AByteOfZeroThatTheLengthCountsBelongsToTheMessage) {
  const std::string zero(1, '\0');
  EXPECT_EQ(shown(frames_of(make_length32,
                            {behind_length_of(3, "{}" + zero) + behind_length_of(3, "[]" + zero)})),
            (Texts{"{}" + zero, "[]" + zero}));
}

}  // namespace framing_test
}  // namespace jrpcheck::wire
