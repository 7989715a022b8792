// Subscriptions of MCP 2026-07-28: what no proper server is charged for, however it comes.
#include <gtest/gtest.h>

#include "judge/rules/rule_for_testing.hpp"

namespace jrpcheck::judge {
namespace mcp_subscriptions_test {

using dialogue::Direction;
using dialogue::Event;

const std::string kListen =
    R"({"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}})";
const std::string kAcknowledged =
    R"({"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/subscriptionId":1}}})";
const std::string kChange =
    R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":1}}})";
const std::string kCancel =
    R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}})";
const std::string kEnd = R"({"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}})";

Event said(Direction direction, std::size_t step, int at_ms, const std::string& text) {
  Event event{direction, milliseconds(at_ms), text};
  event.step = step;
  return event;
}

/// A call of that step, which is answered a millisecond later.
std::vector<Event> call_in(std::size_t step, int at_ms) {
  const std::string id = std::to_string(100 + step);
  return {said(Direction::sent, step, at_ms,
               R"({"jsonrpc":"2.0","method":"server/discover","id":)" + id + "}"),
          said(Direction::received, step, at_ms + 1,
               R"({"jsonrpc":"2.0","result":{},"id":)" + id + "}")};
}

std::vector<Event> joined(std::initializer_list<std::vector<Event>> parts) {
  std::vector<Event> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<Event> listened() { return {said(Direction::sent, 0, 0, kListen)}; }
std::vector<Event> told(std::size_t step, int at_ms, const std::string& text) {
  return {said(Direction::unasked, step, at_ms, text)};
}

TEST(McpSubscriptions, AnAcknowledgmentIsMissedOnlyOnceTheServerWasLeftAlone) {
  const std::string rule = "subscription-acknowledged";
  const auto begun = joined({listened(), call_in(0, 900)});  // it takes so long to come up
  EXPECT_EQ(times_broken(rule, joined({begun, call_in(1, 910)})), 0U);
  EXPECT_EQ(times_broken(rule, joined({begun, call_in(1, 1600)})), 1U);
  EXPECT_EQ(times_broken(rule, joined({begun, told(1, 1599, kAcknowledged), call_in(1, 1600)})),
            0U);
}

TEST(McpSubscriptions, WhatComesFirstAcknowledgesUnlessItIsRefused) {
  const std::string rule = "subscription-acknowledged";
  const std::string refusal = R"({"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"No"}})";
  EXPECT_EQ(times_broken(rule, joined({listened(), told(0, 1, kChange)})), 1U);
  EXPECT_EQ(times_broken(rule, joined({listened(), told(0, 1, kEnd)})), 1U);
  EXPECT_EQ(times_broken(rule, joined({listened(), told(0, 1, refusal)})), 0U);
  EXPECT_EQ(times_broken(rule, joined({listened(), told(0, 1, kAcknowledged), told(0, 2, kEnd)})),
            0U);
}

TEST(McpSubscriptions, AChangeMayCrossTheCancellation) {
  const std::string rule = "cancelled-subscription-tells-nothing";
  const auto cancelled = joined({listened(),
                                 told(0, 1, kAcknowledged),
                                 call_in(1, 2),
                                 {said(Direction::sent, 2, 4, kCancel)}});
  EXPECT_EQ(times_broken(rule, joined({cancelled, told(2, 5, kChange), call_in(3, 400)})), 0U);
  EXPECT_EQ(times_broken(rule, joined({cancelled, call_in(3, 400), told(4, 500, kChange)})), 1U);
}

TEST(McpSubscriptions, OnlyOneThatWasOpenIsAnsweredByItsCancellation) {
  const std::string rule = "cancelled-subscription-has-no-answer";
  const auto acknowledged = joined({listened(), told(0, 1, kAcknowledged)});
  const std::vector<Event> cancel = {said(Direction::sent, 2, 4, kCancel)};
  EXPECT_EQ(times_broken(rule, joined({acknowledged, cancel, told(2, 5, kEnd)})), 1U);
  EXPECT_EQ(times_broken(rule, joined({acknowledged, told(1, 3, kEnd), cancel})), 0U);
  EXPECT_EQ(times_broken(rule, joined({listened(), cancel, told(2, 5, kEnd)})), 0U);
}

}  // namespace mcp_subscriptions_test
}  // namespace jrpcheck::judge
