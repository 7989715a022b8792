#include <gtest/gtest.h>

#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace content_length_test {

using testing::frames_of;
using Example = testing::FramesExample;
using testing::shown;

constexpr MakeFraming kKind = make_content_length;

std::string length(std::string_view value) {
  return "Content-Length: " + std::string(value) + "\r\n";
}

std::string framed(std::string_view payload) {
  return length(std::to_string(payload.size())) + "\r\n" + std::string(payload);
}

class ContentLengthTable : public ::testing::TestWithParam<Example> {};

TEST_P(ContentLengthTable, GivesTheFrames) {
  const Example& example = GetParam();
  EXPECT_EQ(shown(frames_of(kKind, {example.stream}, example.limits)), example.frames);
}

std::string name_of_example(const ::testing::TestParamInfo<Example>& info) {
  return info.param.behaviour;
}

INSTANTIATE_TEST_SUITE_P(
    Headers, ContentLengthTable,
    ::testing::Values(
        Example{"EmptyStreamHasNoFrames", "", {}},
        Example{"MessagesFollowEachOther", framed("{}") + framed("[1]"), {"{}", "[1]"}},
        Example{"LengthCountsBytes", framed("\"\xC3\xBC\"") + framed("1"), {"\"\xC3\xBC\"", "1"}},
        Example{"EmptyMessageIsAMessage", framed("") + framed("1"), {"", "1"}},
        Example{"BodyMayHoldLineEndsAndHeaders", framed("\n" + framed("x")), {"\n" + framed("x")}},
        Example{"NameHasAnyCase", "content-LENGTH: 1\r\n\r\n1", {"1"}},
        Example{"SpaceAroundTheValueIsOptional",
                "Content-Length:1\r\n\r\n1Content-Length: \t1 \r\n\r\n2",
                {"1", "2"}},
        Example{"OtherHeadersMayComeBeforeAndAfter",
                "Content-Type: a; charset=utf-8\r\n" + length("1") + "X-Other:\r\n\r\n1",
                {"1"}},
        Example{"EqualLengthsAreTolerated", length("1") + length("1") + "\r\n1", {"1"}}),
    name_of_example);

INSTANTIATE_TEST_SUITE_P(
    BadHeads, ContentLengthTable,
    ::testing::Values(Example{"MissingLengthIsAViolation",
                              "Content-Type: a\r\n\r\n" + framed("1"),
                              {"!Content-Type: a\r\n\r\n", "1"}},
                      Example{"DifferingLengthsAreAViolation",
                              length("1") + length("2") + "\r\n{}\n" + framed("3"),
                              {"!" + length("1") + length("2") + "\r\n", "!{}\n", "3"}},
                      Example{"NegativeLengthIsAViolation",
                              length("-1") + "\r\n" + framed("3"),
                              {"!" + length("-1") + "\r\n", "3"}},
                      Example{"GarbledLengthIsAViolation",
                              length("1x") + "\r\n" + length("") + "\r\n" + framed("3"),
                              {"!" + length("1x") + "\r\n", "!" + length("") + "\r\n", "3"}},
                      Example{"AbsurdLengthIsAViolation",
                              length("99999999999999999999999") + "\r\n" + framed("3"),
                              {"!" + length("99999999999999999999999") + "\r\n", "3"}},
                      Example{"LoneLineFeedIsAViolationButTheBodyIsDelivered",
                              "Content-Length: 1\n\n1" + framed("2"),
                              {"!Content-Length: 1\n\n", "1", "2"}},
                      Example{"OneLoneLineFeedAmongOthersIsAViolation",
                              "Content-Length: 1\r\n\n1",
                              {"!Content-Length: 1\r\n\n", "1"}},
                      Example{"EmptyLineBetweenMessagesIsNoise",
                              framed("1") + "\r\n" + framed("2"),
                              {"1", "!\r\n", "2"}},
                      Example{"LineThatIsNoHeaderSpoilsItsBlock",
                              length("1") + "no header\r\n" + framed("2"),
                              {"!" + length("1") + "no header\r\n", "2"}},
                      Example{"SpaceBeforeTheColonIsNoHeader",
                              "Content-Length : 1\r\n\r\n1\n" + framed("2"),
                              {"!Content-Length : 1\r\n\r\n1\n", "2"}}),
    name_of_example);

INSTANTIATE_TEST_SUITE_P(
    Noise, ContentLengthTable,
    ::testing::Values(
        Example{"LogLinesBeforeAHeaderAreOneViolation",
                "starting up\nstill {busy}\n" + framed("1"),
                {"!starting up\nstill {busy}\n", "1"}},
        Example{"LogLinesThatLookLikeHeadersLoseNoMessage",
                "INFO: up\n" + framed("1"),
                {"!INFO: up\n" + length("1") + "\r\n", "1"}},
        Example{"EachRunOfNoiseIsAViolationOfItsOwn",
                "one\n" + framed("1") + "two\n" + framed("2"),
                {"!one\n", "1", "!two\n", "2"}},
        Example{
            "LineThatMentionsTheHeaderIsNoise",
            "saw Content-Length: 3\n{} cContent-Length: x\r\n{} Content-Length: 1\r1\r\n" +
                framed("1"),
            {"!saw Content-Length: 3\n{} cContent-Length: x\r\n{} Content-Length: 1\r1\r\n", "1"}},
        Example{"BytesBeyondTheLengthAreNoise",
                length("1") + "\r\n{}" + framed("2") + framed("3"),
                {"{", "!}", "2", "3"}},
        Example{"LogLineWithoutEndIsNoise", "up {1} " + framed("2"), {"!up {1} ", "2"}},
        Example{"LinesOfJsonAreNoise", "{\"a\":1}\n{\"b\":2}\n", {"!{\"a\":1}\n{\"b\":2}\n"}},
        Example{"NoiseMayEndWithHalfAHeader", "{}\nContent-Len", {"!{}\nContent-Len"}}),
    name_of_example);

constexpr FrameLimits kSmall{.max_message_bytes = 4, .max_head_bytes = 24};

INSTANTIATE_TEST_SUITE_P(
    EndsAndLimits, ContentLengthTable,
    ::testing::Values(
        Example{"HeadCutShortIsAViolation", framed("1") + "Content-Le", {"1", "!Content-Le"}},
        Example{"BodyCutShortIsAViolation", length("5") + "\r\n{\"a", {"!{\"a"}},
        Example{"MissingBodyIsAViolation", length("5") + "\r\n", {"!"}},
        Example{"BodyAtTheLimitIsAMessage", framed("1234"), {"1234"}, kSmall},
        Example{"BodyBeyondTheLimitIsSkipped",
                framed("12345") + framed("1"),
                {"!" + length("5") + "\r\n", "1"},
                kSmall},
        Example{"HeadBeyondTheLimitIsAViolation",
                "Content-Type: 1234567890123\r\n" + framed("1"),
                {"!Content-Type: 1234567890", "1"},
                kSmall},
        Example{"NoiseBeyondTheLimitIsReportedOnce",
                "{one}\n{two}\n{three}\n{four}\n{five}\n" + framed("1"),
                {"!{one}\n{two}\n{three}\n{fou", "1"},
                kSmall},
        Example{"NoiseAfterNoiseBeyondTheLimitIsReportedToo",
                "{one}\n{two}\n{three}\n{four}\n{five}\n" + framed("1") + "{six}\n" + framed("2"),
                {"!{one}\n{two}\n{three}\n{fou", "1", "!{six}\n", "2"},
                kSmall},
        Example{"AHeadLimitOfNothingStallsNothing", framed("1"), {"!", "!"}, {4, 0}}),
    name_of_example);

struct Broken {
  std::string stream;
  std::string violation;
};

TEST(ContentLength, ViolationsSayWhatIsWrong) {
  const Broken examples[] = {
      {"{}\n", "bytes that are no header block with Content-Length"},
      {"A: b\r\n\r\n", "the header block has no Content-Length"},
      {length("1") + length("2") + "\r\n", "two Content-Length headers differ"},
      {length("-1") + "\r\n", "Content-Length is not a usable decimal number"},
      {"Content-Length: 1\n\n1", "a header line is ended by a lone line feed"},
      {length("5"), "the last bytes are no complete header block"},
      {length("5") + "\r\n12", "the last message has 3 bytes less than its Content-Length"},
      {length("99999999") + "\r\n", "Content-Length is more than 67108864"},
  };
  for (const Broken& example : examples) {
    EXPECT_EQ(frames_of(kKind, {example.stream}).at(0).violation, example.violation)
        << example.stream;
  }
}

TEST(ContentLength, TheHeadIsKeptAsItCame) {
  const std::string head = "x-A:  b \r\nCONTENT-length:1\r\n\r\n";
  const auto frames = frames_of(kKind, {head + "1" + head + "2"});
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].head, head);
  EXPECT_EQ(frames[1].head, head);
}

TEST(ContentLength, ATooLongBodyIsReportedBeforeItComes) {
  const auto framing = kKind(kSmall);
  framing->feed(length("5") + "\r\n");
  const auto frame = framing->next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->head, length("5") + "\r\n");
  EXPECT_FALSE(frame->is_message());
}

TEST(ContentLength, AHeadWithoutUsableLengthIsReportedAtItsEmptyLine) {
  const auto framing = kKind({});
  framing->feed(length("-1") + "\r\n");
  EXPECT_TRUE(framing->next().has_value());
}

}  // namespace content_length_test
}  // namespace jrpcheck::wire
