#include "run/case_ids.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace case_ids_test {

TEST(Bindings, AreTheSameForTheSameSeedAndPlace) {
  const auto one = bindings_for(17, 5, {{"echo", "e"}});
  const auto same = bindings_for(17, 5, {{"echo", "e"}});
  EXPECT_EQ(one.first_id, same.first_id);
  EXPECT_EQ(one.string_id, same.string_id);
  EXPECT_EQ(one.unknown_method, same.unknown_method);
  EXPECT_EQ(one.roles, (corpus::RoleBindings{{"echo", "e"}}));
}

TEST(Bindings, DifferBetweenCasesInAllTheirIds) {
  std::set<long long> ids;
  std::set<std::string> string_ids;
  for (std::size_t ordinal = 0; ordinal < 400; ++ordinal) {
    const auto bindings = bindings_for(ordinal, 0, {});
    for (long long i = 0; i < 9; ++i) ids.insert(bindings.first_id + i);
    string_ids.insert(bindings.string_id);
  }
  EXPECT_EQ(ids.size(), 400U * 9);
  EXPECT_EQ(string_ids.size(), 400U);
}

TEST(Bindings, DifferWithTheSeedInTheirNames) {
  std::set<std::string> names;
  for (unsigned long long seed = 0; seed < 200; ++seed) {
    const auto bindings = bindings_for(0, seed, {});
    names.insert(bindings.unknown_method);
    EXPECT_EQ(bindings.unknown_method.substr(0, 8), "jrpcheck");
    EXPECT_EQ(bindings.unknown_method.size(), 16U);
    EXPECT_EQ(bindings.first_id, bindings_for(0, 0, {}).first_id);
  }
  EXPECT_EQ(names.size(), 200U);
}

std::vector<std::size_t> lengths_of_messages(const std::string& id) {
  const auto& cases = corpus::corpus_for_testing(corpus::kDefaultProfile).cases;
  std::vector<std::size_t> lengths;
  for (std::size_t ordinal = 0; ordinal < cases.size(); ++ordinal) {
    if (cases[ordinal].id != id) continue;
    const auto bound = corpus::bind(cases[ordinal], bindings_for(ordinal, 0, {}));
    if (!bound) return {};
    for (const auto& step : bound->steps) lengths.push_back(step.messages.front().text().size());
  }
  return lengths;
}

TEST(Bindings, MakeTheCallsOfTheCasesAboutBuffersAsLongAsBuffersAre) {
  EXPECT_EQ(lengths_of_messages("robust/lengths-of-buffers"),
            (std::vector<std::size_t>{4095, 4096, 4097, 8192, 65535, 65536}));
  EXPECT_EQ(lengths_of_messages("robust/lengths-of-small-buffers"),
            (std::vector<std::size_t>{1023, 1024, 1025, 2047, 2048, 2049, 8191, 8193}));
}

TEST(OrdinalOfId, FindsTheCaseThatSentAnId) {
  for (const std::size_t ordinal : {0U, 1U, 9U, 10U, 399U}) {
    const auto bindings = bindings_for(ordinal, 3, {});
    EXPECT_EQ(ordinal_of_id(json::Value::number(bindings.first_id)), ordinal);
    EXPECT_EQ(ordinal_of_id(json::Value::number(bindings.first_id + 8)), ordinal);
    EXPECT_EQ(ordinal_of_id(json::Value::string(bindings.string_id)), ordinal);
  }
}

TEST(OrdinalOfId, KnowsWhichIdsNoCaseSent) {
  for (const std::string token :
       {"0", "1", "19999", "-20000", "5000000", "1e4", "0.5", "99999999999999999999"}) {
    EXPECT_FALSE(ordinal_of_id(json::Value::number(token))) << token;
  }
  for (const std::string text :
       {"", "1", "20000", "jrpcheck-", "jrpcheck-x", "JRPCHECK-1-a", "jrpcheck--1-a"}) {
    EXPECT_FALSE(ordinal_of_id(json::Value::string(text))) << text;
  }
  EXPECT_FALSE(ordinal_of_id(json::Value::null()));
  EXPECT_FALSE(ordinal_of_id(json::Value::boolean(true)));
  EXPECT_FALSE(ordinal_of_id(json::Value::array()));
}

bool may_be_anothers(const std::vector<std::string>& replies) {
  std::vector<dialogue::Event> events;
  for (const auto& text : replies) {
    dialogue::Event event = dialogue::received(dialogue::Message(text));
    event.step = 0;
    events.push_back(std::move(event));
  }
  return had_replies_without_id_alone(events);
}

TEST(RepliesWithoutId, MayHaveComeToAnotherMessageWhereNoneHasAnId) {
  const std::string refused =
      R"({"jsonrpc":"2.0","error":{"code":-32700,"message":"m"},"id":null})";
  EXPECT_TRUE(may_be_anothers({}));
  EXPECT_TRUE(may_be_anothers({refused}));
  EXPECT_FALSE(may_be_anothers({refused, R"({"jsonrpc":"2.0","result":1,"id":7})"}));
}

}  // namespace case_ids_test
}  // namespace jrpcheck::run
