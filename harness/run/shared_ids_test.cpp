#include "run/shared_ids.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace jrpcheck::run {
namespace shared_ids_test {

corpus::Case asking(const std::vector<std::string>& messages) {
  corpus::Case one;
  one.steps.emplace_back();
  for (const auto& text : messages) one.steps.back().messages.emplace_back(text);
  return one;
}

dialogue::Event reply(const std::string& text, bool is_in_step = true) {
  dialogue::Event event = dialogue::received(dialogue::Message(text));
  if (is_in_step) event.step = 0;
  return event;
}

const std::string kCall = R"({"jsonrpc":"2.0","method":"m","id":""})";
const std::string kResponse = R"({"jsonrpc":"2.0","result":1,"id":""})";

TEST(SharedIds, AreAnsweredWhereAsManyResponsesCameAsCallsWereMade) {
  const auto ids = shared_ids(asking({kCall}), {reply(kResponse)});
  EXPECT_EQ(ids.answered, std::set<std::string>{"s"});
  EXPECT_TRUE(ids.awaited.empty());
}

TEST(SharedIds, AreAwaitedWhereOneIsMissingOrCameBehindTheSteps) {
  for (const auto& ids : {shared_ids(asking({kCall, kCall}), {reply(kResponse)}),
                          shared_ids(asking({kCall}), {reply(kResponse, false)})}) {
    EXPECT_TRUE(ids.answered.empty());
    EXPECT_EQ(ids.awaited, std::set<std::string>{"s"});
  }
}

TEST(SharedIds, AreCountedInBatchesAndNullIsNone) {
  const auto ids = shared_ids(asking({R"([{"method":"m","id":0},{"method":"m","id":null}])"}),
                              {reply(R"([{"result":1,"id":0},{"result":1,"id":null}])")});
  EXPECT_EQ(ids.answered, std::set<std::string>{"n0"});
  EXPECT_TRUE(ids.awaited.empty());
}

std::set<std::size_t> whose(const IdsOfCases& ids, const std::string& late) {
  return ids.answered_in_full(dialogue::Message(late), {1, 2, 3});
}

TEST(ASecondResponse, MayBeOfAnyCaseThatAskedWithItsId) {
  IdsOfCases ids;
  ids.note(1, {{"s", "n0"}, {}});
  ids.note(2, {{"s"}, {}});
  ids.note(4, {{"s"}, {}});
  EXPECT_EQ(whose(ids, kResponse), (std::set<std::size_t>{1, 2}));
  EXPECT_EQ(whose(ids, R"({"result":1,"id":0})"), std::set<std::size_t>{1});
  EXPECT_TRUE(whose(ids, R"({"result":1,"id":"other"})").empty());
  EXPECT_TRUE(whose(ids, R"({"result":1,"id":null})").empty());
}

TEST(ASecondResponse, IsOfNoneWhereAnotherCaseLacksOneOfThatId) {
  IdsOfCases ids;
  ids.note(1, {{"s"}, {}});
  ids.note(9, {{}, {"s"}});
  EXPECT_TRUE(whose(ids, kResponse).empty());
}

}  // namespace shared_ids_test
}  // namespace jrpcheck::run
