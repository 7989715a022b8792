#include "fuzz/largest_message.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "fuzz/message_size.hpp"
#include "fuzz/oracle.hpp"
#include "json/parse.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::fuzz {
namespace largest_message_test {

constexpr std::size_t kAny = std::numeric_limits<std::size_t>::max();

dialogue::Exchange refused_by(int code) {
  dialogue::Exchange exchange;
  exchange.replies.push_back({R"({"jsonrpc":"2.0","error":{"code":)" + std::to_string(code) +
                                  R"(,"message":"No"},"id":)" + (code == -32601 ? "7" : "null") +
                                  "}",
                              0});
  return exchange;
}

/// Refuses by that code what is larger, and the rest as an unknown method.
AskOfSize taking(std::size_t most, int code) {
  return [most, code](std::size_t size) { return refused_by(size > most ? code : -32601); };
}

TEST(LongestMessage, IsFoundByTheByteWhateverCodeSaysThatItIsTooLong) {
  for (const int code : {-32600, -32000, -32001, -32603}) {
    EXPECT_EQ(longest_message(50, taking(1024, code)), 1024U) << code;
    EXPECT_EQ(longest_message(50, taking(50, code)), 50U) << code;
  }
  EXPECT_EQ(longest_message(50, taking(1'000'000, -32600)), kAny);
}

// That it is no JSON is no word about its length, and untrue.
TEST(LongestMessage, WhatCallsALongMessageBrokenOrTakesItForAnotherHasNoLimit) {
  EXPECT_EQ(longest_message(50, taking(1024, -32700)), kAny);
  EXPECT_EQ(longest_message(50, taking(1024, -32602)), kAny);
}

TEST(LongestMessage, WhoRefusesTheShortOneInTheSameWayRefusesNoLength) {
  EXPECT_EQ(longest_message(50, taking(0, -32600)), kAny);
}

TEST(LongestMessage, MayBeToldByTheLayerBelow) {
  EXPECT_EQ(longest_message(50,
                            [](std::size_t size) {
                              auto exchange = refused_by(-32601);
                              if (size <= 4096) return exchange;
                              exchange.replies.clear();
                              exchange.http_status = 413;
                              return exchange;
                            }),
            4096U);
}

TEST(LongestMessage, WhoRefusesAtTimesHasNoLimit) {
  int asked = 0;
  EXPECT_EQ(
      longest_message(50, [&](std::size_t) { return refused_by(++asked == 2 ? -32000 : -32601); }),
      kAny);
}

TEST(DeepestMessage, CountsTheCallItself) {
  for (const int code : {-32600, -32700, -32602, -32000}) {
    EXPECT_EQ(deepest_message(taking(15, code)), 16U) << code;
  }
  EXPECT_EQ(deepest_message(taking(1'000'000, -32700)), kAny);
}

// Silence is no refusal: it stays what it is.
TEST(DeepestMessage, WhoKeepsSilentOrDiesHasNoLimit) {
  for (const auto ending : {dialogue::Ending::timed_out, dialogue::Ending::exited}) {
    const auto ask = [&](std::size_t levels) {
      auto exchange = refused_by(-32601);
      if (levels <= 20) return exchange;
      exchange.replies.clear();
      exchange.ending = ending;
      return exchange;
    };
    EXPECT_EQ(deepest_message(ask), kAny);
  }
}

TEST(DeepestMessage, MayBeToldByAStatusOrAClose) {
  for (const int status : {0, 400}) {
    const auto ask = [&](std::size_t levels) {
      auto exchange = refused_by(-32601);
      if (levels <= 20) return exchange;
      exchange.replies.clear();
      exchange.http_status = status;
      if (status == 0) exchange.ending = dialogue::Ending::closed;
      return exchange;
    };
    EXPECT_EQ(deepest_message(ask), 21U) << status;
  }
}

TEST(Nesting, IsThatOfBracketsOutsideOfStrings) {
  EXPECT_EQ(nesting_of("7"), 0U);
  EXPECT_EQ(nesting_of(R"([{"[[[":"\"{{"},[]])"), 2U);
  EXPECT_EQ(nesting_of("[[["), 3U);
  for (const std::size_t levels : {1U, 2U, 30U}) {
    const std::string call = call_nesting(levels, 7);
    EXPECT_EQ(nesting_of(call), levels + 1) << call;
    EXPECT_TRUE(json::parse(call)) << call;
  }
}

const std::string kTooLong =
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"too long"},"id":null})";
const std::string kCalls =
    R"([{"jsonrpc":"2.0","method":"jrpcheckX","id":7},{"jsonrpc":"2.0","method":"jrpcheckX","id":8}])";
const std::string kNotification = R"({"jsonrpc":"2.0","method":"jrpcheckX","params":[[[[1]]]]})";

std::vector<std::string> of_large_messages() {
  return {kCalls, kCalls.substr(0, kCalls.size() - 9), kNotification};
}

bool is_found(const std::string& sent, const std::string& reply, const Traits& traits) {
  const Oracle oracle(judge::real_ledger(), traits);
  return !oracle.judge_replies(sent, {reply}).findings.empty();
}

TEST(LargestMessage, BeyondItARefusalOfTheWholeIsNoFinding) {
  for (const auto& sent : of_large_messages()) {
    Traits traits;
    traits.longest_message = sent.size();
    EXPECT_TRUE(is_found(sent, kTooLong, traits)) << sent;
    traits.longest_message = sent.size() - 1;
    EXPECT_FALSE(is_found(sent, kTooLong, traits)) << sent;
    traits = {};
    traits.deepest_message = nesting_of(sent);
    EXPECT_TRUE(is_found(sent, kTooLong, traits)) << sent;
    traits.deepest_message = nesting_of(sent) - 1;
    EXPECT_FALSE(is_found(sent, kTooLong, traits)) << sent;
  }
}

// Whatever is said of it, it is a Response.
TEST(LargestMessage, BeyondItTheEnvelopeIsJudgedAllTheSame) {
  Traits traits;
  traits.longest_message = 10;
  EXPECT_TRUE(is_found(kCalls, R"({"jsonrpc":"2.0","error":{"code":-32600},"id":null})", traits));
}

}  // namespace largest_message_test
}  // namespace jrpcheck::fuzz
