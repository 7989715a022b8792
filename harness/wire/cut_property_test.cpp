// The same as cut_test.cpp for random streams: messages, noise and fragments of grammar.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "wire/binding.hpp"
#include "wire/stream_for_testing.hpp"

namespace jrpcheck::wire {
namespace cut_property_test {

using testing::frames_of;
using testing::http_messages_of;
using testing::HttpStream;
using testing::Pieces;
using testing::whole;

using Words = std::vector<std::string>;

/// Fragments that lead a stream framing into each of its states.
const Words kFramingWords = {"{",
                             "}",
                             "[",
                             "]",
                             "\"",
                             "\\",
                             ":",
                             ",",
                             "1",
                             "-",
                             "t",
                             " ",
                             "\t",
                             "\r",
                             "\n",
                             "\r\n",
                             "\r\n\r\n",
                             "\xC3\xBC",
                             "x",
                             "A: b\r\n",
                             "Content-Length: 3\r\n\r\n",
                             "Content-Length: 2\r\n",
                             "Content-Length:",
                             "content-length: 12\n",
                             "Content-",
                             "c",
                             "log line\n",
                             "{\"a\":[1,\"}\"]}",
                             "123456789"};

const Words kHttpWords = {"GET / HTTP/1.1\r\n",
                          "POST /a HTTP/1.0\n",
                          "HTTP/1.1 200 OK\r\n",
                          "HTTP/1.1 100 Continue\r\n\r\n",
                          "HTTP/1.0 204 None\r\n",
                          "HTTP/1.1 101 Up\r\n",
                          "Content-Length: 3\r\n",
                          "Content-Length: 12, 12\r\n",
                          "Transfer-Encoding: chunked\r\n",
                          "Connection: close\r\n",
                          "A: b\r\n",
                          " folded\r\n",
                          "\r\n",
                          "\r\n",
                          "\n",
                          "\r",
                          "3\r\nabc\r\n",
                          "a;x=y\r\n0123456789\r\n",
                          "0\r\n\r\n",
                          "0\r\nT: u\r\n\r\n",
                          "abc",
                          "\xC3\xBC",
                          "{}",
                          "x",
                          ":"};

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  return text;
}

std::string any_stream(const Words& words) {
  return joined(*rc::gen::container<Words>(rc::gen::elementOf(words)));
}

/// `stream` cut into pieces of random sizes, empty ones among them.
Pieces any_cut(const std::string& stream) {
  // At least one byte: RapidCheck begins with the smallest numbers of a range.
  const auto size_of_piece = rc::gen::inRange<std::size_t>(1, 13);
  Pieces pieces;
  for (std::size_t at = 0; at < stream.size(); at += pieces.back().size()) {
    if (*rc::gen::arbitrary<bool>()) pieces.emplace_back();
    pieces.push_back(stream.substr(at, *size_of_piece));
  }
  return pieces;
}

FrameLimits any_limits() {
  return *rc::gen::element(FrameLimits{}, FrameLimits{4, 24}, FrameLimits{10, 60},
                           FrameLimits{0, 0});
}

MakeFraming any_kind() {
  std::vector<MakeFraming> kinds;
  for (const Binding& binding : bindings()) {
    if (binding.is_framing()) kinds.push_back(binding.framing);
  }
  return *rc::gen::elementOf(kinds);
}

/// A JSON text of one object, without line breaks.
std::string any_payload() {
  const auto member =
      rc::gen::element<std::string>("\"a\":1", "\"\xC3\xBC\":\"}]\"", "\"q\":\"\\\"\\\\\"",
                                    "\"Content-Length: 3\":[[]]", "\"n\":{\"m\":null}");
  std::string text = "{";
  for (const std::string& each : *rc::gen::container<Words>(member)) {
    text += text.size() > 1 ? "," + each : each;
  }
  return text + "}";
}

RC_GTEST_PROP(CutProperties, RandomCutsOfRandomStreamsChangeNoFrame, ()) {
  const MakeFraming kind = any_kind();
  const FrameLimits limits = any_limits();
  const std::string stream = any_stream(kFramingWords);
  const Pieces pieces = any_cut(stream);
  RC_ASSERT(whole(frames_of(kind, pieces, limits)) == whole(frames_of(kind, {stream}, limits)));
}

RC_GTEST_PROP(CutProperties, RandomCutsOfRandomStreamsChangeNoHttpMessage, ()) {
  HttpStream reading;
  reading.role = *rc::gen::element(HttpReader::Role::client, HttpReader::Role::server);
  reading.answered_methods =
      *rc::gen::container<Words>(rc::gen::element<std::string>("HEAD", "POST"));
  reading.limits = any_limits();
  const std::string stream = any_stream(kHttpWords);
  const Pieces pieces = any_cut(stream);
  RC_ASSERT(whole(http_messages_of(reading, pieces)) == whole(http_messages_of(reading, {stream})));
}

RC_GTEST_PROP(CutProperties, EncodedMessagesComeBackInOrder, ()) {
  const MakeFraming kind = any_kind();
  const auto payloads = *rc::gen::container<Words>(rc::gen::exec(any_payload));
  std::string stream;
  for (const std::string& payload : payloads) stream += kind({})->encode(payload);
  const auto frames = frames_of(kind, any_cut(stream));
  RC_ASSERT(testing::shown(frames) == payloads);
}

RC_GTEST_PROP(CutProperties, BodiesComeBackInOrderHoweverTheyAreDelimited, ()) {
  const auto bodies = *rc::gen::container<Words>(rc::gen::arbitrary<std::string>());
  std::string stream;
  for (const std::string& body : bodies) {
    if (*rc::gen::arbitrary<bool>()) {
      stream += http_request("POST", "/", {{"Content-Length", std::to_string(body.size())}}, body);
    } else {
      const auto chunk_size = *rc::gen::inRange<std::size_t>(1, 9);
      stream += http_request("POST", "/", {{"Transfer-Encoding", "chunked"}},
                             http_chunked(body, chunk_size));
    }
  }
  Words received;
  for (const auto& message : http_messages_of({HttpReader::Role::server}, any_cut(stream))) {
    RC_ASSERT(message.violation.empty());
    received.push_back(message.body);
  }
  RC_ASSERT(received == bodies);
}

/// Noise and messages in turn: no byte of the noise and no message may be lost.
RC_GTEST_PROP(CutProperties, NoiseBetweenHeaderBlocksLosesNothing, ()) {
  const auto payloads = *rc::gen::container<Words>(rc::gen::exec(any_payload));
  const auto noise_word = rc::gen::element<std::string>("{log} ", "c", "Con", "x: y", "\n", "\xC3");
  std::string stream;
  Words expected;
  for (const std::string& payload : payloads) {
    const std::string noise = "! " + joined(*rc::gen::container<Words>(noise_word)) + "\n";
    stream += noise + make_content_length({})->encode(payload);
    expected.push_back("!" + noise);
    expected.push_back(payload);
  }
  RC_ASSERT(testing::shown(frames_of(make_content_length, any_cut(stream))) == expected);
}

}  // namespace cut_property_test
}  // namespace jrpcheck::wire
