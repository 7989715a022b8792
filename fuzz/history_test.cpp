#include "fuzz/history.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"

namespace jrpcheck::fuzz {
namespace history_test {

using Messages = std::vector<std::string>;

Messages numbered(int count) {
  Messages messages;
  for (int i = 0; i < count; ++i) messages.push_back(std::to_string(i));
  return messages;
}

bool holds(const Messages& messages, const std::string& message) {
  return contains(messages, message);
}

TEST(History, TheMessageItselfDoesNotComeBeforeIt) {
  History history;
  for (const auto& each : numbered(3)) history.note(each);
  EXPECT_EQ(history.before("2"), (Messages{"0", "1"}));
  EXPECT_EQ(history.before("9"), (Messages{"0", "1", "2"}));
}

TEST(History, WhatIsLongAgoIsForgotten) {
  History history;
  for (const auto& each : numbered(1000)) history.note(each);
  const auto before = history.before("");
  EXPECT_LT(before.size(), 1000U);
  EXPECT_EQ(before.back(), "999");
}

TEST(Prelude, OnlyWhatAFaultNeedsIsLeft) {
  std::size_t exchanges = 0;
  const auto prelude = shorten_before(numbered(256), [&exchanges](const Messages& before) {
    exchanges += before.size() + 1;
    return holds(before, "200") && holds(before, "230");
  });
  EXPECT_EQ(prelude, (Messages{"200", "230"}));
  EXPECT_LE(exchanges, 1000U);
}

TEST(Prelude, TheMessageJustBeforeIsFoundAtOnce) {
  std::size_t exchanges = 0;
  const auto prelude = shorten_before(numbered(256), [&exchanges](const Messages& before) {
    exchanges += before.size() + 1;
    return holds(before, "255");
  });
  EXPECT_EQ(prelude, Messages{"255"});
  EXPECT_LE(exchanges, 5U);
}

TEST(Prelude, WhatNeverShowsHasNone) {
  EXPECT_FALSE(shorten_before(numbered(256), [](const Messages&) { return false; }));
  EXPECT_FALSE(shorten_before({}, [](const Messages&) { return true; }));
}

TEST(Prelude, TheBudgetIsKept) {
  std::size_t exchanges = 0;
  const auto prelude = shorten_before(
      numbered(256),
      [&](const Messages& before) {
        exchanges += before.size() + 1;
        return before.size() > 60;
      },
      300);
  ASSERT_TRUE(prelude);
  EXPECT_GT(prelude->size(), 60U);
  EXPECT_LE(exchanges, 300U);
}

}  // namespace history_test
}  // namespace jrpcheck::fuzz
