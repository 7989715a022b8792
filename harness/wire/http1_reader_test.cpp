#include <gtest/gtest.h>

#include "wire/http1.hpp"
#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace http1_reader_test {

using testing::http_messages_of;
using testing::HttpStream;
using Role = HttpReader::Role;

/// What is expected of the messages on a stream: "POST /rpc body" or "200 body", with " close" in
/// front when the connection may not carry another, and "!" alone for a violation.
std::string summary(const HttpMessage& message) {
  if (!message.violation.empty()) return "!";
  const std::string start =
      message.status != 0 ? std::to_string(message.status) : message.method + " " + message.target;
  return (message.keep_alive ? "" : "close ") + start + " " + message.body;
}

std::vector<std::string> summaries(const std::vector<HttpMessage>& messages) {
  std::vector<std::string> texts;
  texts.reserve(messages.size());
  for (const HttpMessage& message : messages) texts.push_back(summary(message));
  return texts;
}

struct Example {
  const char* behaviour;
  std::string stream;
  std::vector<std::string> messages;
  std::vector<std::string> answered_methods = {};
};

std::ostream& operator<<(std::ostream& out, const Example& example) {
  return out << example.behaviour;
}

std::string name_of_example(const ::testing::TestParamInfo<Example>& info) {
  return info.param.behaviour;
}

class RequestTable : public ::testing::TestWithParam<Example> {};

TEST_P(RequestTable, GivesTheMessages) {
  EXPECT_EQ(summaries(http_messages_of({Role::server}, {GetParam().stream})), GetParam().messages);
}

class ResponseTable : public ::testing::TestWithParam<Example> {};

TEST_P(ResponseTable, GivesTheMessages) {
  EXPECT_EQ(
      summaries(http_messages_of({Role::client, GetParam().answered_methods}, {GetParam().stream})),
      GetParam().messages);
}

const std::string kPost = "POST /rpc HTTP/1.1\r\nHost: h\r\n";
const std::string kGet = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kOne = "Content-Length: 1\r\n\r\n1";

INSTANTIATE_TEST_SUITE_P(
    Requests, RequestTable,
    ::testing::Values(
        Example{"EmptyStreamHasNoMessages", "", {}},
        Example{"ContentLengthCountsTheBody", kPost + kOne, {"POST /rpc 1"}},
        Example{"PipelinedRequestsComeOneByOne",
                kPost + kOne + kGet + kPost + kOne,
                {"POST /rpc 1", "GET / ", "POST /rpc 1"}},
        Example{"WithoutLengthThereIsNoBody", kPost + "\r\n" + kGet, {"POST /rpc ", "GET / "}},
        Example{"EmptyLinesBeforeARequestAreSkipped", "\r\n\n\r\n" + kGet + "\r\n", {"GET / "}},
        Example{
            "BareLineFeedsAreTolerated", "POST / HTTP/1.1\nContent-Length: 2\n\n{}", {"POST / {}"}},
        Example{
            "EqualLengthsAreTolerated", kPost + "Content-Length: 1, 1\r\n" + kOne, {"POST /rpc 1"}},
        Example{"ChunksAreJoined",
                kPost + "Transfer-Encoding: chunked\r\n\r\n" + http_chunked("abcdefgh", 3) + kGet,
                {"POST /rpc abcdefgh", "GET / "}},
        Example{"CloseOptionEndsTheConnection",
                "GET / HTTP/1.1\r\nConnection: upgrade , CLOSE\r\n\r\n",
                {"close GET / "}},
        Example{"OptionsOfAllConnectionFieldsCount",
                "GET / HTTP/1.1\r\nConnection: a\r\nconnection: close\r\n\r\n",
                {"close GET / "}},
        Example{"OnePointZeroClosesByDefault", "GET / HTTP/1.0\r\n\r\n", {"close GET / "}},
        Example{"OnePointZeroMayBeKeptAlive",
                "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n",
                {"GET / "}},
        Example{"CloseBeatsKeepAlive",
                "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n",
                {"close GET / "}},
        Example{"ChunkedWinsOverLengthButTheConnectionEnds",
                kPost + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n" +
                    http_chunked("{}", 2),
                {"close POST /rpc {}"}}),
    name_of_example);

INSTANTIATE_TEST_SUITE_P(
    BrokenRequests, RequestTable,
    ::testing::Values(
        Example{"GarbageIsAViolationAndNothingFollows", "{\"a\":1}\n" + kGet, {"!"}},
        Example{"MissingVersionIsAViolation", "GET /\r\n", {"!"}},
        Example{"OtherMajorVersionIsAViolation", "PRI * HTTP/2.0\r\n\r\n", {"!"}},
        Example{"SpaceInTheTargetIsAViolation", "GET /a b HTTP/1.1\r\n\r\n", {"!"}},
        Example{"MethodMustBeAToken", "G:T / HTTP/1.1\r\n\r\n", {"!"}},
        Example{"HeaderWithoutColonIsAViolation", kPost + "oops\r\n\r\n", {"!"}},
        Example{"SpaceBeforeTheColonIsAViolation", kPost + "A : b\r\n\r\n", {"!"}},
        Example{"FoldedHeaderIsAViolation", kPost + "A: b\r\n c\r\n\r\n", {"!"}},
        Example{"BareCarriageReturnIsAViolation", kPost + "A: b\rc\r\n\r\n", {"!"}},
        Example{"DifferingLengthsAreAViolation", kPost + "Content-Length: 2\r\n" + kOne, {"!"}},
        Example{"DifferingLengthsInOneFieldAreAViolation",
                kPost + "Content-Length: 1, 2\r\n\r\n",
                {"!"}},
        Example{"NegativeLengthIsAViolation", kPost + "Content-Length: -1\r\n\r\n", {"!"}},
        Example{"GarbledLengthIsAViolation", kPost + "Content-Length: 1x\r\n\r\n", {"!"}},
        Example{"EmptyLengthIsAViolation", kPost + "Content-Length: \r\n\r\n", {"!"}},
        Example{"UnknownLastCodingIsAViolation",
                kPost + "Transfer-Encoding: chunked, gzip\r\n\r\n",
                {"!"}},
        Example{"HeadCutShortIsAViolation", kGet + "GET / HT", {"GET / ", "!"}},
        Example{"BodyCutShortIsAViolation", kPost + "Content-Length: 5\r\n\r\n{}", {"!"}}),
    name_of_example);

INSTANTIATE_TEST_SUITE_P(
    Responses, ResponseTable,
    ::testing::Values(
        Example{"ContentLengthCountsTheBody", kOk + kOne + kOk + kOne, {"200 1", "200 1"}},
        Example{"WithoutLengthTheBodyEndsWithTheConnection",
                kOk + "\r\n{}" + kOk,
                {"close 200 {}" + kOk}},
        Example{"EmptyBodyMayEndWithTheConnection", kOk + "\r\n", {"close 200 "}},
        Example{"UnknownCodingEndsWithTheConnection",
                kOk + "Transfer-Encoding: gzip\r\n\r\n\x1f\x8b",
                {"close 200 \x1f\x8b"}},
        Example{"EmptyListElementsOfACodingDoNotCount",
                kOk + "Transfer-Encoding: , chunked,\r\n\r\n" + http_chunked("{}", 1),
                {"200 {}"}},
        Example{"NoContentHasNoBody",
                "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n" + kOk + kOne,
                {"204 ", "200 1"}},
        Example{"NotModifiedHasNoBody",
                "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n" + kOk + kOne,
                {"304 ", "200 1"}},
        Example{"ResponseToHeadHasNoBody",
                kOk + "Content-Length: 5\r\n\r\n" + kOk + kOne,
                {"200 ", "200 1"},
                {"HEAD", "POST"}},
        Example{"MethodsAreTakenInOrder",
                kOk + kOne + kOk + "Content-Length: 5\r\n\r\n" + kOk + kOne,
                {"200 1", "200 ", "200 1"},
                {"POST", "HEAD"}},
        Example{"InterimResponsesArePassedOver",
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + kOk +
                    "Content-Length: 5\r\n\r\n" + kOk + kOne,
                {"200 ", "200 1"},
                {"HEAD", "POST"}},
        Example{"UpgradeEndsTheReading",
                "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n\x81\x01x",
                {"close 101 "}},
        Example{"OnePointZeroClosesByDefault", "HTTP/1.0 200 OK\r\n" + kOne, {"close 200 1"}},
        Example{"OnePointZeroMayBeKeptAlive",
                "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n" + kOne,
                {"200 1"}},
        Example{"FoldedHeaderIsTolerated", kOk + "A: b\r\n\t c\r\n" + kOne, {"200 1"}},
        Example{"ReasonPhraseMayBeMissing",
                "HTTP/1.1 200\r\n" + kOne + "HTTP/1.1 200 \r\n" + kOne,
                {"200 1", "200 1"}}),
    name_of_example);

INSTANTIATE_TEST_SUITE_P(
    BrokenResponses, ResponseTable,
    ::testing::Values(
        Example{"GarbageIsAViolation", "{\"jsonrpc\":\"2.0\"}\n", {"!"}},
        Example{"GarbageWithoutLineEndIsAViolation", "{\"jsonrpc\"", {"!"}},
        Example{"BytesBeyondTheLengthAreAViolation", kOk + kOne + "}\n", {"200 1", "!"}},
        Example{"StatusMustHaveThreeDigits", "HTTP/1.1 20 OK\r\n\r\n", {"!"}},
        Example{"StatusMustNotHaveFourDigits", "HTTP/1.1 2000 OK\r\n\r\n", {"!"}},
        Example{"StatusMustNotBeginWithZero", "HTTP/1.1 099 Low\r\n\r\n", {"!"}},
        Example{"ProtocolNameHasItsCase", "http/1.1 200 OK\r\n\r\n", {"!"}},
        Example{"FoldBeforeTheFirstHeaderIsAViolation", kOk + " a: b\r\n\r\n", {"!"}},
        Example{"DifferingLengthsAreAViolation", kOk + "Content-Length: 2\r\n" + kOne, {"!"}},
        Example{"GarbledLengthIsAViolation", kOk + "Content-Length: +1\r\n\r\n1", {"!"}},
        Example{"HugeLengthIsAViolation", kOk + "Content-Length: 99999999999\r\n\r\n1", {"!"}},
        Example{"ChunkedTwiceIsAViolation",
                kOk + "Transfer-Encoding: chunked, chunked\r\n\r\n" + http_chunked("{}", 2),
                {"!"}},
        Example{"BodyCutShortIsAViolation", kOk + "Content-Length: 5\r\n\r\n{}", {"!"}},
        Example{"MissingBodyIsAViolation", kOk + "Content-Length: 5\r\n\r\n", {"!"}}),
    name_of_example);

const std::string kChunked = kOk + "Transfer-Encoding: Chunked\r\n\r\n";

INSTANTIATE_TEST_SUITE_P(
    Chunks, ResponseTable,
    ::testing::Values(
        Example{"SizesAreHexadecimalInAnyCase",
                kChunked + "A\r\n0123456789\r\n0b\r\n0123456789a\r\n000\r\n\r\n",
                {"200 01234567890123456789a"}},
        Example{"ExtensionsAreDropped",
                kChunked + "2;a=\"b\"\r\n{}\r\n1 ; c\r\n1\r\n0;d\r\n\r\n",
                {"200 {}1"}},
        Example{"TrailersAreDropped",
                kChunked + "2\r\n{}\r\n0\r\nA: b\r\nC: d\r\n\r\n" + kOk + kOne,
                {"200 {}", "200 1"}},
        Example{"DataMayHoldLineEnds", kChunked + "4\r\n\r\n\r\n\r\n0\r\n\r\n", {"200 \r\n\r\n"}},
        Example{"BareLineFeedsAreTolerated", kChunked + "2\n{}\n0\n\n", {"200 {}"}},
        Example{"GarbledSizeIsAViolation", kChunked + "0x2\r\n{}\r\n0\r\n\r\n", {"!"}},
        Example{"NegativeSizeIsAViolation", kChunked + "-2\r\n{}\r\n0\r\n\r\n", {"!"}},
        Example{"EmptySizeIsAViolation", kChunked + "\r\n{}\r\n0\r\n\r\n", {"!"}},
        Example{"HugeSizeIsAViolation", kChunked + "fffffffffffffffff\r\n", {"!"}},
        Example{"SizeBeyondTheLimitIsAViolation", kChunked + "fffffffffffffff\r\n", {"!"}},
        Example{"ChunkLongerThanItsSizeIsAViolation", kChunked + "2\r\n{}}\r\n0\r\n\r\n", {"!"}},
        Example{"MissingLastChunkIsAViolation", kChunked + "2\r\n{}\r\n", {"!"}},
        Example{"MissingLastEmptyLineIsAViolation", kChunked + "2\r\n{}\r\n0\r\n", {"!"}}),
    name_of_example);

TEST(HttpReader, KeepsTheHeadAsItCame) {
  const std::string head = "HTTP/1.1 200 Fine\nx-A:  b \r\nX-a:\t\r\nContent-length: 0\r\n\r\n";
  const auto messages = http_messages_of({}, {"\r\n" + head});
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].head, head);
  EXPECT_EQ(messages[0].start_line, "HTTP/1.1 200 Fine");
  const HttpFields fields = {{"x-A", "b"}, {"X-a", ""}, {"Content-length", "0"}};
  EXPECT_EQ(messages[0].fields, fields);
}

TEST(HttpReader, AFoldedValueIsJoinedByASpace) {
  const auto messages = http_messages_of({}, {kOk + "A: b\r\n \t c\r\n\r\n"});
  EXPECT_EQ(messages.at(0).field("a"), "b c");
}

TEST(HttpReader, GarbageIsKeptUpToAKibibyte) {
  const auto messages = http_messages_of({}, {std::string(3000, 'x') + "\nmore"});
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].head, std::string(1024, 'x'));
  EXPECT_EQ(messages[0].violation, "no status line (RFC 9112 §4)");
}

TEST(HttpReader, AViolationKeepsWhatWasUnderstood) {
  const auto messages = http_messages_of({}, {kOk + "Content-Length: 5\r\n\r\n{}"});
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_EQ(messages[0].status, 200);
  EXPECT_EQ(messages[0].field("content-length"), "5");
  EXPECT_EQ(messages[0].body, "{}");
  EXPECT_FALSE(messages[0].keep_alive);
}

TEST(HttpReader, LimitsAreViolations) {
  const FrameLimits limits{.max_message_bytes = 4, .max_head_bytes = 64};
  const auto violation_of = [&](const std::string& stream) {
    return http_messages_of({Role::client, {}, limits}, {stream}).at(0).violation;
  };
  const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  EXPECT_EQ(violation_of(kOk + "Content-Length: 4\r\n\r\n1234"), "");
  EXPECT_EQ(violation_of(kOk + "Content-Length: 5\r\n\r\n"), "the body is longer than 4 bytes");
  EXPECT_EQ(violation_of(kOk + "\r\n1234"), "");
  EXPECT_EQ(violation_of(kOk + "\r\n12345"), "the body is longer than 4 bytes");
  EXPECT_EQ(violation_of(chunked + http_chunked("1234", 2)), "");
  EXPECT_EQ(violation_of(chunked + http_chunked("12345", 2)), "the body is longer than 4 bytes");
  EXPECT_EQ(violation_of(kOk + "A: " + std::string(64, 'b')),
            "the head of a message is longer than 64 bytes");
  const std::string line_too_long =
      "a line of the chunked coding is longer than the limit (RFC 9112 §7.1)";
  EXPECT_EQ(violation_of(chunked + "1;" + std::string(64, 'b')), line_too_long);
  EXPECT_EQ(violation_of(chunked + "0\r\nA: " + std::string(30, 'b') +
                         "\r\nB: " + std::string(30, 'c') + "\r\n\r\n"),
            line_too_long);
}

TEST(HttpReader, ShowsTheHeadWhoseBodyIsOnItsWay) {
  HttpReader reader(Role::server);
  EXPECT_EQ(reader.pending_head(), nullptr);
  reader.feed(kPost + "Expect: 100-continue\r\nContent-Length: 2\r\n\r");
  EXPECT_EQ(reader.pending_head(), nullptr);
  reader.feed("\n");
  ASSERT_NE(reader.pending_head(), nullptr);
  EXPECT_EQ(reader.pending_head()->field("expect"), "100-continue");
  reader.feed("{");
  EXPECT_NE(reader.pending_head(), nullptr);
  reader.feed("}");
  EXPECT_EQ(reader.pending_head(), nullptr);
  EXPECT_TRUE(reader.next().has_value());
}

TEST(HttpReader, KnowsWhetherItIsWithinAMessage) {
  HttpReader reader(Role::client);
  EXPECT_FALSE(reader.mid_message());
  reader.feed("\r");
  EXPECT_FALSE(reader.mid_message());
  reader.feed("\nH");
  EXPECT_TRUE(reader.mid_message());
  reader.feed("TTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n");
  EXPECT_TRUE(reader.mid_message());
  reader.feed("1");
  EXPECT_FALSE(reader.mid_message());
  reader.feed("no HTTP\n");
  EXPECT_FALSE(reader.mid_message());
}

TEST(HttpReader, AMessageIsGivenAsSoonAsItsLastByteHasCome) {
  HttpReader reader(Role::client);
  reader.feed(kOk + kOne);
  const auto message = reader.next();
  ASSERT_TRUE(message.has_value());
  EXPECT_EQ(message->body, "1");
  EXPECT_FALSE(reader.next().has_value());
}

TEST(HttpReader, MayBeMoved) {
  HttpReader first(Role::client);
  first.feed(kOk);
  HttpReader second = std::move(first);
  second.feed(kOne);
  EXPECT_TRUE(second.next().has_value());
}

TEST(HttpReader, ReadsWhatTheWriterWrites) {
  const std::string request = http_request("POST", "/", {{"Content-Length", "2"}}, "{}");
  EXPECT_EQ(summaries(http_messages_of({Role::server}, {request})),
            std::vector<std::string>{"POST / {}"});
  const std::string response = http_response(200, {{"Content-Length", "2"}}, "{}");
  EXPECT_EQ(summaries(http_messages_of({Role::client}, {response})),
            std::vector<std::string>{"200 {}"});
}

}  // namespace http1_reader_test
}  // namespace jrpcheck::wire
