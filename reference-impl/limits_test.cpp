#include "reference-impl/limits.hpp"

#include <gtest/gtest.h>

#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace limits_test {

std::string repeat(std::string_view text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::string nested(std::size_t depth) { return repeat("[", depth) + repeat("]", depth); }

std::string echo_of(const std::string& params) {
  return R"({"jsonrpc":"2.0","method":"echo","params":)" + params + R"(,"id":7})";
}

class Depth : public testing::TestWithParam<std::size_t> {};

TEST_P(Depth, OfParamsIsAnsweredWithTheIdOfTheCall) {
  EXPECT_EQ(outline(ask(echo_of(nested(GetParam())))), "error -32602 for 7");
}

TEST_P(Depth, OfObjectsIsAnsweredWithTheIdOfTheCall) {
  const std::string objects = repeat(R"({"a":)", GetParam()) + "1" + repeat("}", GetParam());
  EXPECT_EQ(outline(ask(echo_of(objects))), "error -32602 for 7");
}

TEST_P(Depth, OfAnArrayIsABatchOfOneInvalidElement) {
  EXPECT_EQ(outline(ask(nested(GetParam()))), "[error -32600 for null]");
}

TEST_P(Depth, WithoutAnEndIsNotJson) {
  EXPECT_EQ(outline(ask(repeat("[", GetParam()))), "error -32700 for null");
  EXPECT_EQ(outline(ask(repeat(R"({"a":)", GetParam()))), "error -32700 for null");
  EXPECT_EQ(outline(ask(nested(GetParam()) + "]")), "error -32700 for null");
}

TEST_P(Depth, OutsideOfParamsIsIgnored) {
  EXPECT_EQ(outline(ask(R"({"jsonrpc":"2.0","method":"nothing","extra":)" + nested(GetParam()) +
                        R"(,"id":7})")),
            "null for 7");
}

INSTANTIATE_TEST_SUITE_P(, Depth, testing::Values(100'000, 1'000'000));

TEST(DepthLimit, IsExact) {
  // The Object of the Request is one level, so `params` may have one less.
  const Limits limits;
  const std::string deepest = nested(limits.max_depth - 1);
  EXPECT_EQ(ask(echo_of(deepest)), R"({"jsonrpc":"2.0","result":)" + deepest + R"(,"id":7})");
  EXPECT_EQ(outline(ask(echo_of(nested(limits.max_depth)))), "error -32602 for 7");
}

TEST(DepthLimit, HoldsForEachElementOfABatch) {
  const Limits limits;
  EXPECT_EQ(outline(ask("[" + echo_of(nested(limits.max_depth)) + "," + echo_of("[]") + "]")),
            "[error -32602 for 7, [] for 7]");
}

TEST(DepthLimit, LeavesWhatStandsBesideADeepValueInPlace) {
  const Dispatcher dispatcher = make_reference_dispatcher({.max_depth = 2});
  EXPECT_EQ(outline(dispatcher.handle(R"({"jsonrpc":"2.0","method":"nothing",)"
                                      R"("x":[{"a":[1],"b":2},3],"y":[4],"id":7})")),
            "null for 7");
}

TEST(SizeLimit, IsAnErrorThatDoesNotClaimTheTextIsNotJson) {
  const Dispatcher dispatcher = make_reference_dispatcher({.max_bytes = 100});
  const std::string message = echo_of("[]");
  const std::string filled = message + std::string(100 - message.size(), ' ');
  EXPECT_EQ(outline(dispatcher.handle(filled)), "[] for 7");
  EXPECT_EQ(outline(dispatcher.handle(filled + " ")), "error -32600 for null");
}

TEST(SizeLimit, LetsAMebibyteThrough) {
  const std::string text(1U << 20, 'x');
  EXPECT_EQ(ask(echo_of("[\"" + text + "\"]")),
            R"({"jsonrpc":"2.0","result":[")" + text + R"("],"id":7})");
}

TEST(ManyOversizedNumbers, CostNoMoreThanOneMorePass) {
  // Stopping and starting again at each of them would take minutes here.
  EXPECT_EQ(outline(ask(echo_of("[" + repeat("1e400,", 200'000) + "0]"))), "error -32602 for 7");
}

}  // namespace limits_test
}  // namespace jrpcheck::reference
