#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "traffic/tap_for_testing.hpp"

namespace jrpcheck::traffic {
namespace stream_tap_test {

using dialogue::Side;
using Texts = std::vector<std::string>;
constexpr microseconds kNow{1};

struct Heard {
  std::string framing;
  Texts told;
};

// Each piece is "c..." of the client or "s..." of the server; in one go and byte by byte.
Heard hear(const Texts& pieces, bool in_bytes, const wire::Binding* binding = nullptr) {
  TapForTesting recorder;
  const auto tap = make_stream_tap(binding, false, 1, recorder.sink());
  for (const auto& piece : pieces) {
    const Side side = piece.front() == 'c' ? Side::client : Side::server;
    const std::string bytes = piece.substr(1);
    if (!in_bytes) tap->feed(side, bytes, kNow);
    for (std::size_t i = 0; in_bytes && i < bytes.size(); ++i) {
      tap->feed(side, std::string_view(bytes).substr(i, 1), kNow);
    }
  }
  tap->close(Side::client, kNow, "");
  return {recorder.framing, recorder.told};
}

void expect_framing(const Texts& pieces, const std::string& framing, const Texts& told) {
  for (const bool in_bytes : {false, true}) {
    const auto heard = hear(pieces, in_bytes);
    EXPECT_EQ(heard.framing, framing) << pieces.front();
    EXPECT_EQ(heard.told, told) << pieces.front();
  }
}

TEST(StreamTap, FindsOutTheFramingFromWhatPasses) {
  expect_framing({"c{\"a\":1}\n", "s{\"b\":2}\n"}, "lines",
                 {"client {\"a\":1}", "server {\"b\":2}", "client closed"});
  expect_framing({"cContent-Length: 2\r\n\r\n{}", "sContent-Length: 2\r\n\r\n[]"}, "content-length",
                 {"client {}", "server []", "client closed"});
  expect_framing({"c{\"a\":1}", "s{\"b\":2}"}, "concatenated",
                 {"client {\"a\":1}", "server {\"b\":2}", "client closed"});
  expect_framing({"c{\"a\":1}{\"c\":3}"}, "concatenated",
                 {"client {\"a\":1}", "client {\"c\":3}", "client closed"});
  expect_framing({"c{\n \"a\": 1\n}\n{}"}, "concatenated",
                 {"client {\n \"a\": 1\n}", "client {}", "client closed"});
  expect_framing({std::string("c\0\0\0\2{}", 7)}, "length32", {"client {}", "client closed"});
}

TEST(StreamTap, WhatAClientCutsOffByAResetIsNoMessage) {
  for (const bool is_reset : {false, true}) {
    TapForTesting recorder;
    const auto tap = make_stream_tap(&wire::known_binding("lines"), false, 1, recorder.sink());
    tap->feed(Side::client, "{\"a\":1}\n{\"b", kNow);
    tap->close(Side::client, kNow, is_reset ? std::string(dialogue::kReset) : "");
    EXPECT_EQ(recorder.told.size(), is_reset ? 2U : 3U);
  }
}

TEST(StreamTap, BrokenFirstMessageIsStillALine) {
  expect_framing({"c{\"a\"1}\n", "s{}\n"}, "lines",
                 {"client {\"a\"1}", "server {}", "client closed"});
  expect_framing({"chello\n"}, "lines", {"client noise", "client closed"});
}

TEST(StreamTap, EmptyLineOfTheClientIsToldInItsPlace) {
  expect_framing({"c\n{\"a\":1}\r\n \t\r\n\r\n{}\n", "s\n{}\n"}, "lines",
                 {"client noise", "client {\"a\":1}", "client noise", "client noise", "client {}",
                  "server {}", "client closed"});
  expect_framing({"c{}\n \r"}, "lines", {"client {}", "client noise", "client closed"});
  expect_framing({"c\n", "s{}\n"}, "lines", {"client noise", "server {}", "client closed"});
  expect_framing({"c{\"a\":1}{}\n\n"}, "concatenated",
                 {"client {\"a\":1}", "client {}", "client closed"});
}

TEST(StreamTap, WhatTheServerSaysBeforeIsHeldUntilTheFramingIsKnown) {
  expect_framing({"sready\n", "c{}\n"}, "lines", {"server noise", "client {}", "client closed"});
}

TEST(StreamTap, ServerThatSpeaksFirstIsToldFirst) {
  expect_framing({"s{\"a\":1}\n", "c{\"b\":2}\n", "c{\"c\":3}\n", "s{\"d\":4}\n"}, "lines",
                 {"server {\"a\":1}", "client {\"b\":2}", "client {\"c\":3}", "server {\"d\":4}",
                  "client closed"});
  expect_framing({"sContent-Length: 7\r\n\r\n{\"a\":1}", "cContent-Length: 2\r\n\r\n{}",
                  "sContent-Length: 2\r\n\r\n[]"},
                 "content-length", {"server {\"a\":1}", "client {}", "server []", "client closed"});
}

TEST(StreamTap, ClientThatSaysNothingLeavesTheFramingToItsServer) {
  expect_framing({"sContent-Length: 2\r\n\r\n{}"}, "content-length",
                 {"server {}", "client closed"});
  expect_framing({"s{\"a\":1}\n"}, "lines", {"server {\"a\":1}", "client closed"});
  const std::string much(100'000, 'x');
  const std::string text = "{\"a\":\"" + much + "\"}";
  const std::string head = "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n";
  EXPECT_EQ(hear({"s" + head + text}, false).told, (Texts{"server " + text, "client closed"}));
}

TEST(StreamTap, ServerThatEndsItsValuesWithoutALineFeedAnswersLinesInValues) {
  expect_framing({"c{\"a\":1}\n", "s{\"b\":2}", "c{\"c\":3}\n", "s{\"d\":4}", "c{}\n"},
                 "concatenated",
                 {"client {\"a\":1}", "server {\"b\":2}", "client {\"c\":3}", "server {\"d\":4}",
                  "client {}", "client closed"});
  expect_framing({"c{}\n{}\n", "s[1][2]\n"}, "concatenated",
                 {"client {}", "client {}", "server [1]", "server [2]", "client closed"});
  expect_framing({"c{}\n", "s{\n \"b\": 2\n}\n[3]\n"}, "concatenated",
                 {"client {}", "server {\n \"b\": 2\n}", "server [3]", "client closed"});
}

TEST(StreamTap, ServerThatBreaksLinesInAnotherWayIsStillReadInThem) {
  expect_framing({"c{}\n", "slog\n{}\n"}, "lines",
                 {"client {}", "server noise", "server {}", "client closed"});
  expect_framing({"c{}\n", "s[1]\n{\n}\n"}, "lines",
                 {"client {}", "server [1]", "server {", "server noise", "client closed"});
  expect_framing({"c{}\n", "s[INFO] log\n{\n}\n"}, "lines",
                 {"client {}", "server [INFO] log", "server {", "server noise", "client closed"});
  expect_framing({"c{}\n", "s{}log\n"}, "lines", {"client {}", "server {}log", "client closed"});
}

TEST(StreamTap, LittleIsHeldUntilTheServerSaysMore) {
  TapForTesting recorder;
  const auto tap = make_stream_tap(nullptr, false, 1, recorder.sink());
  const std::string call = "[\"" + std::string(100'000, 'x') + "\"]";
  tap->feed(Side::client, "{}\n", kNow);
  tap->feed(Side::server, "[1]", kNow);
  tap->feed(Side::client, call + "\n", kNow);
  EXPECT_EQ(recorder.told, (Texts{"client {}", "server [1]", "client " + call}));
  EXPECT_EQ(recorder.framing, "concatenated");
  EXPECT_EQ(hear({"c{}\n", "s\n", "c" + call + "\n"}, false).framing, "lines");
}

TEST(StreamTap, LastWordOfAServerWithoutALineFeedIsNoLine) {
  TapForTesting recorder;
  const auto tap = make_stream_tap(nullptr, false, 1, recorder.sink());
  tap->feed(Side::client, "{}\n", kNow);
  tap->feed(Side::server, "[1]", kNow);
  tap->close(Side::server, kNow, "");
  EXPECT_EQ(recorder.told, (Texts{"client {}", "server violation", "server closed"}));
}

TEST(StreamTap, WhatWasHeldKeepsItsTime) {
  std::vector<std::pair<Side, microseconds>> told;
  TapSink sink;
  sink.traffic = [&](const dialogue::TrafficEvent& event) {
    told.emplace_back(event.side, event.at);
  };
  const auto tap = make_stream_tap(nullptr, false, 1, sink);
  tap->feed(Side::server, "{\"a\":1}\n", microseconds(10));
  tap->feed(Side::client, "{\"b\":", microseconds(20));
  tap->feed(Side::client, "2}\n", microseconds(30));
  EXPECT_EQ(told, (std::vector<std::pair<Side, microseconds>>{{Side::server, microseconds(10)},
                                                              {Side::client, microseconds(30)}}));
}

TEST(StreamTap, ServerThatAnswersInAnotherFramingHasNotTakenThatOfItsClient) {
  const auto heard = hear({"cContent-Length: 2\r\n\r\n{}", "s{\"error\":1}\n"}, false);
  EXPECT_EQ(heard.told, (Texts{"client {}", "client lost", "client closed"}));
}

TEST(StreamTap, GivenFramingIsNotGuessed) {
  const auto heard = hear({"c{}{}\n"}, false, &wire::known_binding("lines"));
  EXPECT_EQ(heard.told, (Texts{"client {}{}", "client closed"}));
}

TEST(StreamTap, TruncatedMessageIsAViolation) {
  const auto heard = hear({"cContent-Length: 20\r\n\r\n{}"}, false);
  EXPECT_EQ(heard.told, (Texts{"client violation", "client closed"}));
}

TEST(StreamTap, NothingIsReadBehindWhatIsLost) {
  TapForTesting recorder;
  const auto tap = make_stream_tap(nullptr, false, 1, recorder.sink());
  tap->feed(Side::client, "{}\n", kNow);
  tap->lose(kNow);
  tap->feed(Side::client, "}\n", kNow);
  EXPECT_EQ(recorder.told, (Texts{"client {}", "client lost"}));
}

}  // namespace stream_tap_test
}  // namespace jrpcheck::traffic
