// What the scenarios that relations are held against are made of.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "dialogue/id_key.hpp"
#include "fuzz/properties/search.hpp"
#include "fuzz/properties/spelling.hpp"
#include "json/value.hpp"

namespace jrpcheck::properties {
namespace generators_test {

constexpr int kScenarios = 2'000;

Search search_for(Material material) {
  return {material, Words{{{"echo", "echo"}, {"ping", "no-params"}}, {}}, 1};
}

TEST(CallsOfABatch, HaveIdsOfTheirOwnHoweverTheyAreSpelt) {
  auto search = search_for(Material::calls);
  for (int i = 0; i < kScenarios; ++i) {
    const auto& calls = search.next().messages;
    std::set<std::string> ids;
    for (const auto& call : calls) {
      for (auto& key : dialogue::id_keys_of(dialogue::Message(call))) ids.insert(std::move(key));
    }
    ASSERT_EQ(ids.size(), calls.size()) << calls.back();
  }
}

bool calls_ping(Material material) {
  auto search = search_for(material);
  for (int i = 0; i < kScenarios; ++i) {
    const auto& messages = search.next().messages;
    const bool calls_it = std::ranges::any_of(messages, [](const std::string& message) {
      return message.find("\"ping\"") != std::string::npos;
    });
    if (calls_it) return true;
  }
  return false;
}

// It may hold the id, or how many bytes came.
TEST(Relations, AreNotHeldAgainstAResultOfWhichNothingIsKnown) {
  for (const Material material :
       {Material::plain_call, Material::call_and_id, Material::call_with_named_params,
        Material::calls, Material::calls_and_notification, Material::calls_and_invalid,
        Material::call_and_anything}) {
    EXPECT_FALSE(calls_ping(material)) << static_cast<int>(material);
  }
  EXPECT_TRUE(calls_ping(Material::call)) << "it is judged by the oracle alone";
  EXPECT_TRUE(calls_ping(Material::call_and_notification)) << "so is this";
}

TEST(CallsWithNamedParams, HaveSeveralAndOftenGoToTheMethodThatTakesThemByName) {
  Search search(Material::call_with_named_params,
                Words{{{"echo", "echo"}, {"minus", "subtract"}}, {}}, 1);
  int subtracting = 0;
  for (int i = 0; i < kScenarios; ++i) {
    const auto& scenario = search.next();
    const dialogue::Message call(scenario.messages.front());
    const json::Value* params = call.find("params");
    ASSERT_TRUE(params != nullptr && params->is(json::Kind::object) && params->size() >= 2)
        << call.text();
    ASSERT_NE(with_params_swapped(call.text(), scenario.edits), json::write(*call.value()))
        << call.text();
    if (params->find("minuend") != nullptr && params->find("subtrahend") != nullptr) ++subtracting;
  }
  EXPECT_GT(subtracting, kScenarios / 3);
}

TEST(UsualIds, AreSharedWhereTheOthersWere) {
  const auto with_ids = [](const std::string& a, const std::string& b) {
    return R"([{"id":)" + a + R"(},{"id":)" + b + "}]";
  };
  EXPECT_EQ(with_usual_ids(with_ids("-0", "-0")),
            with_ids(R"("jrpcheck-id-1")", R"("jrpcheck-id-1")"));
  EXPECT_EQ(with_usual_ids(with_ids("0", R"("")")),
            with_ids(R"("jrpcheck-id-1")", R"("jrpcheck-id-2")"));
  EXPECT_EQ(with_usual_ids(with_ids("1", "1")), std::nullopt);
}

}  // namespace generators_test
}  // namespace jrpcheck::properties
