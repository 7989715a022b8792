#include "base/join.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace jrpcheck {
namespace {

TEST(Joined, HasTheSeparatorBetweenEachTwo) {
  EXPECT_EQ(joined(std::vector<std::string>()), "");
  EXPECT_EQ(joined(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(joined(std::vector<std::string>{"", "a", "", "b"}), ", a, , b");
}

TEST(Joined, SaysOfEachWhatIsAskedFor) {
  const std::vector<int> numbers = {1, 2, 3};
  EXPECT_EQ(joined(numbers, " or ", [](int each) { return std::to_string(each); }), "1 or 2 or 3");
}

}  // namespace
}  // namespace jrpcheck
