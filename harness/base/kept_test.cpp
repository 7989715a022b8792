#include "base/kept.hpp"

#include <gtest/gtest.h>

#include <map>

namespace jrpcheck {
namespace kept_test {

using Sizes = std::vector<std::pair<std::size_t, char>>;

TEST(Kept, IsWhatStandsOnTheHeap) {
  EXPECT_EQ(kept_by(std::string("short")), 0U);
  EXPECT_GE(kept_by(std::string(1000, 'x')), 1000U);
}

TEST(Kept, CountsNodesAndTheTextsInThem) {
  std::map<std::string, std::string> texts = {{"a", "b"}};
  const auto of_one = kept_in(texts);
  EXPECT_GE(of_one, sizeof(std::pair<std::string, std::string>));
  texts.emplace("c", std::string(1000, 'x'));
  EXPECT_GE(kept_in(texts), 2 * of_one + 1000);
}

TEST(Kept, LargestGoUntilTheOthersHaveRoom) {
  const Sizes sizes = {{10, 'a'}, {50, 'b'}, {20, 'c'}, {30, 'd'}};
  EXPECT_EQ(largest_beyond(110, sizes), std::set<char>());
  EXPECT_EQ(largest_beyond(60, sizes), std::set<char>{'b'});
  EXPECT_EQ(largest_beyond(59, sizes), (std::set<char>{'b', 'd'}));
  EXPECT_EQ(largest_beyond(0, sizes).size(), 4U);
}

TEST(Kept, OfThoseThatAreAsLargeTheLastGo) {
  EXPECT_EQ(largest_beyond(20, Sizes{{10, 'b'}, {10, 'a'}, {10, 'c'}}), std::set<char>{'c'});
}

}  // namespace kept_test
}  // namespace jrpcheck
