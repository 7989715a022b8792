#include "wire/deflate.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "wire/stream_for_testing.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace deflate_test {

using Outcome = Inflater::Outcome;

constexpr std::size_t kAmple = 1U << 20;

std::string inflated(std::string_view payload, const DeflateParameters& parameters = {}) {
  Inflater inflater(parameters);
  std::string text;
  EXPECT_EQ(inflater.inflate(payload, true, kAmple, text), Outcome::fine);
  return text;
}

// RFC 7692 §7.2.3.
TEST(Deflate, ReadsTheExamplesOfTheSpecification) {
  EXPECT_EQ(inflated(std::string("\xf2\x48\xcd\xc9\xc9\x07\x00", 7)), "Hello");
  EXPECT_EQ(inflated(std::string("\x00\x05\x00\xfa\xff\x48\x65\x6c\x6c\x6f\x00", 11)), "Hello");
  EXPECT_EQ(inflated(std::string("\xf3\x48\xcd\xc9\xc9\x07\x00\x00", 8)), "Hello");
  EXPECT_EQ(inflated(std::string("\xf2\x48\x05\x00\x00\x00\xff\xff\xca\xc9\xc9\x07\x00", 13)),
            "Hello");
  EXPECT_EQ(inflated(std::string(1, '\0')), "");
}

TEST(Deflate, WhatIsKeptIsReferredTo) {
  Deflater deflater{DeflateParameters{}};
  Inflater inflater{DeflateParameters{}};
  const std::string first = deflater.deflate("Hello", true);
  const std::string second = deflater.deflate("Hello", true);
  EXPECT_EQ(second, std::string("\xf2\x00\x11\x00\x00", 5));
  std::string text;
  EXPECT_EQ(inflater.inflate(first, true, kAmple, text), Outcome::fine);
  EXPECT_EQ(inflater.inflate(second, true, kAmple, text), Outcome::fine);
  EXPECT_EQ(text, "HelloHello");
}

TEST(Deflate, WhatIsNotKeptIsNotReferredTo) {
  const DeflateParameters forgets{.keeps_context = false};
  Deflater deflater(forgets);
  EXPECT_EQ(deflater.deflate("Hello", true), deflater.deflate("Hello", true));
  Inflater inflater(forgets);
  std::string text;
  EXPECT_EQ(inflater.inflate(std::string("\xf2\x48\xcd\xc9\xc9\x07\x00", 7), true, kAmple, text),
            Outcome::fine);
  EXPECT_EQ(inflater.inflate(std::string("\xf2\x00\x11\x00\x00", 5), true, kAmple, text),
            Outcome::broken);
}

TEST(Deflate, AMessageThatEndsWithinABlockIsBroken) {
  Inflater inflater{DeflateParameters{}};
  std::string text;
  EXPECT_EQ(inflater.inflate("\xf2\x48\xcd", true, kAmple, text), Outcome::broken);
}

TEST(Deflate, ABombIsGivenUpAtTheLimit) {
  Deflater deflater{DeflateParameters{}};
  const std::string bomb = deflater.deflate(std::string(32U << 20, ' '), true);
  EXPECT_LT(bomb.size(), 40U << 10);
  Inflater inflater{DeflateParameters{}};
  std::string text;
  EXPECT_EQ(inflater.inflate(bomb, true, kAmple, text), Outcome::too_long);
  EXPECT_LE(text.size(), kAmple);
}

// Each ends its stream and begins another: what one costs must not grow with the window.
TEST(Deflate, ManyLastBlocksAreReadInTime) {
  std::string blocks;
  for (int i = 0; i < 500'000; ++i) blocks.append("\x03\0", 2);
  EXPECT_EQ(inflated(blocks + std::string(1, '\0')), "");
}

TEST(Extensions, AreReadWithTheirParameters) {
  const auto all = extensions_of("a; b=\"c, d\";e , permessage-deflate; server_max_window_bits=9");
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].text(), "a; b=c, d; e");
  EXPECT_EQ(all[1].text(), "permessage-deflate; server_max_window_bits=9");
}

struct Offered {
  const char* offer;
  const char* chosen;
  bool is_agreeable;
};

// RFC 7692 §7.1.
TEST(Extensions, OnlyWhatWasOfferedMayBeChosen) {
  constexpr Offered kRows[] = {
      {"", "permessage-deflate", false},
      {"permessage-deflate", "permessage-deflate", true},
      {"permessage-deflate", "permessage-deflate; server_no_context_takeover", true},
      {"permessage-deflate", "permessage-deflate; client_no_context_takeover", true},
      {"permessage-deflate", "permessage-deflate; server_max_window_bits=10", true},
      {"permessage-deflate", "permessage-deflate; client_max_window_bits=10", false},
      {"permessage-deflate", "permessage-deflate; zstd", false},
      {"permessage-deflate", "permessage-deflate; server_max_window_bits=16", false},
      {"permessage-deflate", "permessage-deflate; server_max_window_bits", false},
      {"permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=9",
       true},
      {"permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits",
       false},
      {"permessage-deflate; server_no_context_takeover", "permessage-deflate", false},
      {"permessage-deflate; server_max_window_bits=9", "permessage-deflate", false},
      {"permessage-deflate; server_max_window_bits=9, permessage-deflate", "permessage-deflate",
       true},
      {"x-frob", "x-frob; y", true},
  };
  for (const auto& row : kRows) {
    const auto chosen = extensions_of(row.chosen);
    EXPECT_EQ(why_not_agreeable(extensions_of(row.offer), chosen.front()).empty(), row.is_agreeable)
        << row.offer << " -> " << row.chosen;
  }
}

TEST(Extensions, AnOfferIsAcceptedInItsOwnTerms) {
  for (const char* offers :
       {"permessage-deflate", "permessage-deflate; client_max_window_bits",
        "permessage-deflate; server_no_context_takeover; server_max_window_bits=9",
        "permessage-deflate; what, permessage-deflate; client_no_context_takeover"}) {
    const auto accepted = accept_deflate(offers);
    ASSERT_TRUE(accepted) << offers;
    EXPECT_EQ(deflate_agreed(accepted->response), accepted->agreement) << offers;
    EXPECT_EQ(why_not_agreeable(extensions_of(offers), extensions_of(accepted->response).front()),
              "");
  }
  EXPECT_FALSE(accept_deflate("permessage-deflate; server_max_window_bits=7"));
  EXPECT_FALSE(accept_deflate("x-webkit-deflate-frame"));
}

std::string any_text() {
  return *rc::gen::container<std::string>(rc::gen::element('{', '}', '"', 'a', 'b', ' '));
}

DeflateParameters any_parameters() {
  return {*rc::gen::arbitrary<bool>(), *rc::gen::inRange(8, kLargestWindow + 1)};
}

// Messages in fragments, compressed or not, with what stands between them.
RC_GTEST_PROP(DeflatedMessages, ComeBackAsTheyWereHoweverTheyAreCut, ()) {
  const auto parameters = any_parameters();
  Deflater deflater(parameters);
  std::string stream;
  std::vector<std::string> texts;
  const int messages = *rc::gen::inRange(1, 6);
  for (int i = 0; i < messages; ++i) {
    const bool is_compressed = *rc::gen::arbitrary<bool>();
    const int fragments = *rc::gen::inRange(1, 4);
    texts.emplace_back();
    for (int k = 0; k < fragments; ++k) {
      const bool ends = k + 1 == fragments;
      const std::string text = any_text();
      texts.back() += text;
      stream += websocket_frame({.opcode = k == 0 ? unsigned{kText} : unsigned{kContinuation},
                                 .fin = ends,
                                 .rsv = k == 0 && is_compressed ? 4U : 0U},
                                is_compressed ? deflater.deflate(text, ends) : text, std::nullopt);
    }
  }
  WebSocketReader reader(WebSocketReader::Role::client);
  reader.use_deflate(parameters);
  const auto size = *rc::gen::inRange<std::size_t>(1, 20);
  for (const auto& piece : testing::pieces_of(stream, size)) reader.feed(piece);
  std::vector<std::string> read;
  while (auto item = reader.next()) {
    RC_ASSERT(item->kind == WebSocketItem::Kind::message);
    read.push_back(std::move(item->payload));
  }
  RC_ASSERT(read == texts);
}

WebSocketFault only_fault_of(const std::string& stream, FrameLimits limits = {}) {
  WebSocketReader reader(WebSocketReader::Role::client, limits);
  reader.use_deflate({});
  reader.feed(stream);
  auto fault = WebSocketFault::none;
  while (const auto item = reader.next()) {
    if (item->kind != WebSocketItem::Kind::fault) continue;
    EXPECT_EQ(fault, WebSocketFault::none);
    fault = item->fault;
  }
  return fault;
}

TEST(DeflatedMessages, WhatBreaksTheRulesIsTold) {
  const auto frame = [](const FrameDetails& details, std::string_view payload) {
    return websocket_frame(details, payload, std::nullopt);
  };
  EXPECT_EQ(only_fault_of(frame({.rsv = 4}, "{\"no\":\"deflate\"}")), WebSocketFault::not_deflated);
  EXPECT_EQ(only_fault_of(frame({.opcode = kPing, .rsv = 4}, "")), WebSocketFault::reserved_bits);
  EXPECT_EQ(
      only_fault_of(frame({.fin = false}, "{") + frame({.opcode = kContinuation, .rsv = 4}, "}")),
      WebSocketFault::reserved_bits);
  EXPECT_EQ(only_fault_of(frame({.rsv = 2}, "{}")), WebSocketFault::reserved_bits);
  Deflater deflater{DeflateParameters{}};
  EXPECT_EQ(only_fault_of(frame({.rsv = 4}, deflater.deflate(std::string(5000, 'x'), true)),
                          {.max_message_bytes = 4999}),
            WebSocketFault::too_long);
  Deflater another{DeflateParameters{}};
  EXPECT_EQ(only_fault_of(frame({.rsv = 4}, another.deflate("\xC3(", true))),
            WebSocketFault::not_utf8);
}

// RFC 7692 §7.1.1: what refers to a message that was not read cannot be read either.
TEST(DeflatedMessages, AMessageBeyondTheLimitMakesNoFaultOfTheNextOnes) {
  constexpr FrameLimits kLimits{.max_message_bytes = 4999};
  for (const bool keeps_context : {true, false}) {
    for (const std::size_t fragments : {1U, 2U}) {
      const DeflateParameters parameters{.keeps_context = keeps_context};
      Deflater deflater(parameters);
      const std::string large(5000, 'x');
      std::string stream;
      for (std::size_t i = 0; i < fragments; ++i) {
        const bool ends = i + 1 == fragments;
        stream += websocket_frame({.opcode = i == 0 ? unsigned{kText} : unsigned{kContinuation},
                                   .fin = ends,
                                   .rsv = i == 0 ? 4U : 0U},
                                  deflater.deflate(large, ends), std::nullopt);
      }
      for (const char* text : {"xxxxxxxx", "xxxxxxxxx"}) {
        stream += websocket_frame({.rsv = 4}, deflater.deflate(text, true), std::nullopt);
      }
      stream += websocket_frame({}, "plain", std::nullopt);
      WebSocketReader reader(WebSocketReader::Role::client, kLimits);
      reader.use_deflate(parameters);
      reader.feed(stream);
      std::vector<std::string> read;
      while (const auto item = reader.next()) {
        if (item->kind == WebSocketItem::Kind::message) read.push_back(item->payload);
        if (item->kind == WebSocketItem::Kind::message) continue;
        EXPECT_EQ(item->fault, WebSocketFault::too_long);
      }
      EXPECT_EQ(read, keeps_context ? std::vector<std::string>{"plain"}
                                    : (std::vector<std::string>{"xxxxxxxx", "xxxxxxxxx", "plain"}));
    }
  }
}

}  // namespace deflate_test
}  // namespace jrpcheck::wire
