#include "dialogue/id_key.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::dialogue {
namespace id_key_test {

using Keys = std::vector<std::string>;

std::optional<std::string> key_of(const std::string& id) { return id_key(*json::parse(id).value); }

TEST(IdKey, IsTheSameForEachSpellingOfANumber) {
  EXPECT_EQ(key_of("1"), key_of("1.0"));
  EXPECT_EQ(key_of("1"), key_of("10e-1"));
  EXPECT_EQ(key_of("0"), key_of("-0"));
  EXPECT_EQ(key_of("0"), key_of("0.0e5"));
}

TEST(IdKey, DiffersBetweenTypesAndValues) {
  EXPECT_NE(key_of("7"), key_of("\"7\""));
  EXPECT_NE(key_of("1"), key_of("-1"));
  EXPECT_NE(key_of("9007199254740992"), key_of("9007199254740993"));
  EXPECT_NE(key_of("\"a\""), key_of("\"A\""));
}

TEST(IdKey, IsNothingForWhatIsNoId) {
  EXPECT_EQ(key_of("null"), std::nullopt);
  EXPECT_EQ(key_of("true"), std::nullopt);
  EXPECT_EQ(key_of("[1]"), std::nullopt);
  EXPECT_EQ(key_of("{}"), std::nullopt);
  EXPECT_EQ(id_key(nullptr), std::nullopt);
}

TEST(IdKeysOf, FindsTheIdsOfACallAndOfABatch) {
  EXPECT_EQ(id_keys_of(R"({"method":"m","id":7})"), Keys{*key_of("7")});
  EXPECT_EQ(id_keys_of(R"([{"id":1},{"method":"n"},3,{"id":null},{"id":"x"}])"),
            (Keys{*key_of("1"), *key_of("\"x\"")}));
}

TEST(IdKeysOf, FindsNoneInWhatIsNoJson) {
  EXPECT_EQ(id_keys_of(R"({"id":7)"), Keys());
  EXPECT_EQ(id_keys_of(""), Keys());
  EXPECT_EQ(id_keys_of("7"), Keys());
}

}  // namespace id_key_test
}  // namespace jrpcheck::dialogue
