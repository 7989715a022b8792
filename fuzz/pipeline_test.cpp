#include "fuzz/pipeline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace jrpcheck::fuzz {
namespace pipeline_test {

// Keeps two groups under way, of which it loses the third.
class TwoGroupsExecutor : public Executor {
 public:
  std::size_t most_groups() const override { return 2; }
  std::string how_it_ended() const override { return taken_ == 3 ? "by itself" : ""; }

 private:
  Result<Observed> do_execute(const corpus::Step&) override { return Error{"not by itself"}; }
  bool do_send_all(const std::vector<const corpus::Step*>&, std::optional<Cut>) override {
    return true;
  }
  std::optional<std::vector<Observed>> do_take_all() override {
    return ++taken_ == 3 ? std::nullopt : std::optional(std::vector<Observed>(1));
  }

  int taken_ = 0;
};

Group group_of(const std::string& message) {
  Group group;
  group.messages = {message};
  group.expectations.push_back(expectation_of(message, {}));
  return group;
}

TEST(Pipeline, GroupsAreTakenInTheOrderInWhichTheyWereSent) {
  TwoGroupsExecutor executor;
  Pipeline pipeline(executor);
  for (const std::string message : {"1", "2"}) {
    EXPECT_FALSE(pipeline.is_full());
    Group group = group_of(message);
    ASSERT_TRUE(pipeline.send(group));
    EXPECT_TRUE(group.messages.empty());
  }
  EXPECT_TRUE(pipeline.is_full());
  EXPECT_EQ(pipeline.under_way(), 2U);
  EXPECT_EQ(pipeline.take().messages, std::vector<std::string>{"1"});
  Group third = group_of("3");
  ASSERT_TRUE(pipeline.send(third));
  const auto rest = pipeline.take_all();
  ASSERT_EQ(rest.size(), 2U);
  EXPECT_EQ(rest[0].messages, std::vector<std::string>{"2"});
  EXPECT_FALSE(rest[0].is_lost);
  EXPECT_EQ(rest[0].ended, "");
  EXPECT_EQ(rest[1].messages, std::vector<std::string>{"3"});
  EXPECT_TRUE(rest[1].is_lost);
  EXPECT_EQ(rest[1].ended, "by itself");
  EXPECT_EQ(pipeline.under_way(), 0U);
  EXPECT_TRUE(pipeline.take().messages.empty());
}

}  // namespace pipeline_test
}  // namespace jrpcheck::fuzz
