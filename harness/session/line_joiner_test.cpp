#include "session/line_joiner.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::session {
namespace line_joiner_test {

using Texts = std::vector<std::string>;

// What becomes of these lines; "+" before what came on several.
Texts joined(const Texts& lines) {
  LineJoiner joiner;
  Texts texts;
  const auto add = [&](const std::vector<Line>& messages) {
    for (const auto& each : messages) {
      texts.push_back((each.in_several_lines ? "+" : "") + each.message.text());
    }
  };
  for (const auto& line : lines) add(joiner.take(wire::Frame{line, {}, {}}));
  add(joiner.give_up());
  return texts;
}

TEST(LineJoiner, OneLineIsOneMessage) {
  const Texts lines = {R"({"jsonrpc":"2.0","id":1})", "[]", "7", "log line"};
  EXPECT_EQ(joined(lines), lines);
}

TEST(LineJoiner, ATidyMessageIsPutTogether) {
  EXPECT_EQ(joined({"{", R"(  "result": [)", "    {}", "  ],", R"(  "id": 1)", "}", "log"}),
            (Texts{"+{\n  \"result\": [\n    {}\n  ],\n  \"id\": 1\n}", "log"}));
}

TEST(LineJoiner, LineFeedsWithinAStringAreEscaped) {
  EXPECT_EQ(joined({R"({"id":"a)", "b", R"(c"})"}), Texts{R"(+{"id":"a\nb\nc"})"});
}

TEST(LineJoiner, AMessageBehindABrokenOneIsItself) {
  const Texts lines = {R"({"jsonrpc":"2.0","id":)", R"({"jsonrpc":"2.0","id":2})"};
  EXPECT_EQ(joined(lines), lines);
}

TEST(LineJoiner, WhatGoesOnWronglyIsGivenUp) {
  const Texts lines = {R"({"a":)", "INFO served", "x"};
  EXPECT_EQ(joined(lines), lines);
}

TEST(LineJoiner, WhatIsBrokenInTheMiddleIsNotHeld) {
  LineJoiner joiner;
  EXPECT_EQ(joiner.take(wire::Frame{R"({"a":,)", {}, {}}).size(), 1U);
}

}  // namespace line_joiner_test
}  // namespace jrpcheck::session
