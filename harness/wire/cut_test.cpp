// However a stream is cut into pieces, the same must be found on it.
#include <gtest/gtest.h>

#include <functional>

#include "wire/binding.hpp"
#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace cut_test {

using testing::frames_of;
using testing::http_messages_of;
using testing::HttpStream;
using testing::Pieces;
using testing::pieces_of;
using testing::whole;

const std::string kUmlaut = "{\"\xC3\xBC\":\"\xF0\x9F\x98\x80 \\\"}\\\\\"}";
constexpr FrameLimits kSmall{.max_message_bytes = 8, .max_head_bytes = 40};

/// Reads `stream` in one piece, in every two pieces and byte by byte.
void expect_cuts_to_change_nothing(const std::string& stream,
                                   const std::function<std::string(const Pieces&)>& read) {
  const std::string expected = read({stream});
  for (std::size_t at = 0; at <= stream.size(); ++at) {
    ASSERT_EQ(read({stream.substr(0, at), stream.substr(at)}), expected) << "cut at " << at;
  }
  ASSERT_EQ(read(pieces_of(stream, 1)), expected) << "byte by byte";
}

void expect_same_frames(MakeFraming kind, const std::vector<std::string>& streams) {
  for (const std::string& stream : streams) {
    for (const FrameLimits limits : {FrameLimits{}, kSmall}) {
      SCOPED_TRACE(stream);
      expect_cuts_to_change_nothing(
          stream, [&](const Pieces& pieces) { return whole(frames_of(kind, pieces, limits)); });
    }
  }
}

// What every framing has to bear; what each alone may meet stands below.
TEST(Cuts, ChangeNothingForAnyFraming) {
  for (const Binding& binding : bindings()) {
    if (!binding.is_framing()) continue;
    SCOPED_TRACE(binding.name);
    const auto encoded = [&](const std::string& text) { return binding.framing({})->encode(text); };
    expect_same_frames(binding.framing, {
                                            "",
                                            encoded("{}") + encoded("[1,2]") + encoded("[]"),
                                            encoded(kUmlaut) + encoded("[1]") + encoded(kUmlaut),
                                            encoded("{\"a\":1}") + encoded("{\"a\":12}") + "{",
                                            encoded("{}").substr(0, 1),
                                            "oops\n" + encoded("[]") + "\n\n" + encoded("{}"),
                                            std::string(1500, 'x') + encoded("[1]"),
                                        });
  }
}

TEST(Cuts, ChangeNothingForLines) {
  expect_same_frames(make_lines, {
                                     "",
                                     "{}\n[1,2]\n",
                                     "{\"a\":1}\r\n[]\r\n",
                                     kUmlaut + "\n" + kUmlaut + "\r\n",
                                     "\n\r\n  \t\n1\n\r\n\n2\n",
                                     "1\r2\r\r\n\r\r\n",
                                     "12345678\r\n123456789\r\n1234567890123\n1\n",
                                     "1\n{\"unfinished\"",
                                     "1\n12345678\r",
                                     std::string(1500, 'x') + "\n1\n",
                                 });
}

std::string framed(const std::string& payload) { return make_content_length({})->encode(payload); }

TEST(Cuts, ChangeNothingForContentLength) {
  expect_same_frames(
      make_content_length,
      {
          "",
          framed("{}") + framed("[1,2]") + framed(""),
          framed(kUmlaut) + "X-a: b\r\ncontent-length:2 \r\nContent-Type: c\r\n\r\n{}",
          "starting\nINFO: c Content-Length\n" + framed("1") + "Con\nContentContent-Le\n" +
              framed("2"),
          "Content-Length: 2\n\n{}" + framed("1") + "\r\n\r\n" + framed("2"),
          "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}" + framed("1"),
          "Content-Length: -2\r\n\r\n{}\nContent-Length: x\r\n\r\nA: b\r\n\r\n" + framed("1"),
          "Content-Length: 1\r\n\r\n{}" + framed("12") + "oops" + framed("3"),
          "Content-Length: 11\r\n\r\n12345678901" + framed("1"),
          "Content-Length: 99\r\n\r\n{",
          "{\"a\":1}\n{\"b\":2}\n{\"cc\":33}\n{\"content-length:\":4}\n" + framed("1"),
          "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\n" + framed("1") + "content-l",
      });
}

std::string behind_length(const std::string& payload) { return make_length32({})->encode(payload); }

TEST(Cuts, ChangeNothingForLength32) {
  expect_same_frames(
      make_length32,
      {
          "",
          behind_length("{}") + behind_length("[1,2]") + behind_length(""),
          behind_length(kUmlaut) + behind_length("1"),
          behind_length("12345678") + behind_length("123456789") + behind_length("1"),
          behind_length("{}").substr(0, 5),
          behind_length("{}") + std::string("\0\0", 2),
          std::string("\0\0\x05\x39", 4) + std::string(1337, '\xFF') + behind_length("1"),
          "\xFF\xFF\xFF\xFF{\"a\":1}",
      });
}

TEST(Cuts, ChangeNothingForConcatenated) {
  expect_same_frames(make_concatenated, {
                                            "",
                                            "{}[1,2]\"x\"1 2true\nnull",
                                            " {} \r\n\t [] ",
                                            kUmlaut + kUmlaut + "\"\\\\\"\"\\\"\"",
                                            "{\"a\":\"}]\\\"[{\"}[[[]]]",
                                            "{}}]x: {}\xEF\xBB\xBF[] ,",
                                            "[1}{\"a\":[1}]12{}",
                                            "123456789 \"12345678\" [1,2,3,4,5] 1",
                                            "{\"unfinished\":[\"}",
                                            "1\"unfinished\\",
                                        });
}

void expect_same_messages(HttpStream reading, const std::vector<std::string>& streams) {
  for (const std::string& stream : streams) {
    for (const FrameLimits limits : {FrameLimits{}, kSmall, FrameLimits{64, 96}}) {
      SCOPED_TRACE(stream);
      reading.limits = limits;
      expect_cuts_to_change_nothing(
          stream, [&](const Pieces& pieces) { return whole(http_messages_of(reading, pieces)); });
    }
  }
}

TEST(Cuts, ChangeNothingForHttpRequests) {
  const std::string get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  const std::string post = "POST /a HTTP/1.1\r\nHost: h\r\n";
  const std::string length = "Content-Length: " + std::to_string(kUmlaut.size()) + "\r\n\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  expect_same_messages({HttpReader::Role::server},
                       {
                           "",
                           get + post + length + kUmlaut + get,
                           "\r\n\n\r\nPOST / HTTP/1.0\nContent-Length: 2\n\n{}",
                           chunked + http_chunked(kUmlaut, 5) + get,
                           chunked + "2;a=b\r\n{}\r\n0\r\nA: b\r\n\r\n" + get,
                           chunked + "2\r\n{}}\r\n0\r\n\r\n" + get,
                           chunked + "x\r\n",
                           post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}",
                           post + "Content-Length: 9\r\n\r\n{}",
                           "{\"no\":\"HTTP\"}\r\n" + get,
                           get + "GET /unfinished HTTP/1.1\r\nHo",
                           get + "GET / HTTP/1.1\r\nA: b\r\n folded\r\n\r\n",
                       });
}

TEST(Cuts, ChangeNothingForHttpResponses) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::string one = ok + "Content-Length: 1\r\n\r\n1";
  const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
  expect_same_messages(
      {HttpReader::Role::client, {"POST", "HEAD", "POST"}},
      {
          "",
          one + ok + "Content-Length: 5\r\n\r\n" + one,
          "HTTP/1.1 100 Continue\r\n\r\n" + one + "HTTP/1.1 204 None\r\n\r\n" + one,
          ok + "\r\n" + kUmlaut,
          chunked + http_chunked(kUmlaut, 4) + one,
          chunked + "3\n{ }\n0\nA: b\n\n",
          chunked + "fffffffff\r\n{}",
          "HTTP/1.1 101 Switching Protocols\r\n\r\n\x81\x02{}",
          "HTTP/1.0 200 OK\r\nA: b\r\n\tc\r\n\r\n{}",
          one + "{\"stray\":1}\n" + one,
          std::string(2000, 'x') + "\n" + one,
          ok + "Content-Length: 5\r\n\r\n{}",
      });
}

// Nothing is timed here: a codec that scans its buffer anew for every piece would need hours.
constexpr std::size_t kLarge = 4U << 20;
constexpr std::size_t kPieceBytes = 64;

TEST(LargeMessages, ComeThroughEveryFramingInSmallPieces) {
  const std::string payload = "[\"" + std::string(kLarge, 'c') + "\"]";
  for (const Binding& binding : bindings()) {
    if (!binding.is_framing()) continue;
    SCOPED_TRACE(binding.name);
    const std::string stream = binding.framing({})->encode(payload);
    const auto frames = frames_of(binding.framing, pieces_of(stream, kPieceBytes));
    ASSERT_EQ(frames.size(), 1U);
    EXPECT_TRUE(frames[0].is_message());
    EXPECT_TRUE(frames[0].payload == payload);
  }
}

TEST(LargeMessages, NoiseIsPassedOverInSmallPieces) {
  const std::string noise = "{" + std::string(kLarge, 'c') + "\n";
  const auto frames = frames_of(make_content_length, pieces_of(noise + framed("1"), kPieceBytes),
                                {kLarge, 2 * kLarge});
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_TRUE(frames[0].payload == noise);
  EXPECT_EQ(frames[1].payload, "1");
}

TEST(LargeMessages, ComeThroughHttpInSmallPieces) {
  const std::string body(kLarge, 'x');
  const HttpStream reading{HttpReader::Role::client, {}, {kLarge, 2 * kLarge}};
  for (const std::string& stream : {
           http_response(200, {{"Content-Length", std::to_string(kLarge)}}, body),
           http_response(200, {{"Transfer-Encoding", "chunked"}}, http_chunked(body, 100)),
           http_response(200, {{"A", body}}, body),
       }) {
    const auto messages = http_messages_of(reading, pieces_of(stream, kPieceBytes));
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].violation, "");
    EXPECT_TRUE(messages[0].body == body);
  }
}

}  // namespace cut_test
}  // namespace jrpcheck::wire
