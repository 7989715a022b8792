#include "fuzz/revisits.hpp"

#include <gtest/gtest.h>

#include <map>

namespace jrpcheck::fuzz {
namespace {

std::map<std::string, int> visits_in(Revisits& revisits, int messages) {
  std::map<std::string, int> visits;
  for (int i = 0; i < messages; ++i) {
    if (const auto message = revisits.next()) ++visits[*message];
  }
  return visits;
}

TEST(Revisits, NothingIsSentAgainWhereNothingWasAdded) {
  Revisits revisits;
  EXPECT_TRUE(visits_in(revisits, 1000).empty());
}

TEST(Revisits, MessagesTakeTurnsWithOthersBetween) {
  Revisits revisits;
  revisits.add("a");
  revisits.add("b");
  revisits.add("a");
  const auto visits = visits_in(revisits, 640);
  EXPECT_EQ(visits.at("a"), 5);
  EXPECT_EQ(visits.at("b"), 5);
}

TEST(Revisits, AMessageIsGivenUpInTheEnd) {
  Revisits revisits;
  revisits.add("a");
  EXPECT_LT(visits_in(revisits, 100'000).at("a"), 1000);
  EXPECT_TRUE(visits_in(revisits, 1000).empty());
}

TEST(Revisits, OnlyTheLatestAreKept) {
  Revisits revisits;
  for (char name = 'a'; name <= 'z'; ++name) revisits.add(std::string(1, name));
  const auto visits = visits_in(revisits, 10'000);
  EXPECT_EQ(visits.size(), 8U);
  EXPECT_EQ(visits.count("z"), 1U);
  EXPECT_EQ(visits.count("a"), 0U);
}

}  // namespace
}  // namespace jrpcheck::fuzz
