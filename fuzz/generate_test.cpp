#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/contains.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/generate.hpp"
#include "fuzz/message_size.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/mutate_structure.hpp"
#include "fuzz/reduce.hpp"
#include "fuzz/vocabulary.hpp"
#include "json/parse.hpp"

namespace jrpcheck::fuzz {
namespace generate_test {

TEST(Generator, TheSameSeedGivesTheSameMessages) {
  Random one(7);
  Random other(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(generate_message(one, {}), generate_message(other, {}));
}

TEST(Generator, MessagesOfEveryKindAreMade) {
  Random random(1);
  std::set<std::string> kinds;
  for (int i = 0; i < 10000; ++i)
    kinds.insert(expectation_of(generate_message(random, {}), {}).kind);
  for (const char* kind :
       {"call of an unknown method", "notification of an unknown method", "empty batch",
        "primitive", "unfinished Object", "unfinished Array", "invalid Request: wrong version",
        "invalid Request: no method", "invalid Request: method is no String",
        "invalid Request: id of a wrong type", "params of a wrong type", "contested JSON",
        "batch of Array", "what RFC 8259 does not allow", "version of 1.0 or none", "Response"}) {
    EXPECT_EQ(kinds.count(kind), 1U) << kind;
  }
}

// Deeper than most that is written by hand, and less deep than parsers take that are strict.
TEST(Generator, ValuesAreSeldomNestedDeepAndNeverTooDeep) {
  constexpr int kValues = 40'000;
  Random random(1);
  int deep = 0;
  std::size_t deepest = 0;
  for (int i = 0; i < kValues; ++i) {
    const std::size_t nesting = nesting_of(json::write(any_value(random, 2)));
    if (nesting > 20) ++deep;
    deepest = std::max(deepest, nesting);
  }
  EXPECT_GT(deep, kValues / 2000);
  EXPECT_LT(deep, kValues / 100);
  EXPECT_GT(deepest, 40U);
  EXPECT_LT(deepest, 64U);
}

RC_GTEST_PROP(Generator, RequestsAreValid, (std::uint64_t seed)) {
  Random random(seed);
  const std::string text = json::write(generate_request(random, {}));
  RC_ASSERT(json::parse(text).value.has_value());
}

RC_GTEST_PROP(Generator, RespellingKeepsTheValue, (std::uint64_t seed)) {
  Random random(seed);
  const auto value = generate_batch(random, {});
  const auto again = json::parse(respell(json::write(value), random));
  RC_ASSERT(again.value.has_value());
  RC_ASSERT(json::equal(*again.value, value));
}

RC_GTEST_PROP(Vary, MessagesStayJsonAndStayWhatTheyAre, (std::uint64_t seed)) {
  Random random(seed);
  auto request = generate_request(random, {});
  auto batch = generate_batch(random, {});
  for (int i = 0; i < 20; ++i) {
    mutate_structure(request, random, {});
    mutate_structure(batch, random, {});
  }
  RC_ASSERT(request.is(json::Kind::object));
  RC_ASSERT(batch.is(json::Kind::array));
  RC_ASSERT(json::parse(json::write(request)).value.has_value());
  RC_ASSERT(json::parse(json::write(batch)).value.has_value());
}

TEST(Vary, WhatIsNeitherRequestNorBatchIsLeftAlone) {
  Random random(3);
  for (const char* text : {"7", "\"a\"", "null", R"({"a":1})"}) {
    auto parsed = json::parse(text);
    mutate_structure(*parsed.value, random, {});
    EXPECT_EQ(json::write(*parsed.value), text);
  }
}

TEST(Vary, BlendsHaveMembersOfBoth) {
  const auto one = json::parse(R"({"jsonrpc":"2.0","method":"a","params":[1],"id":1})");
  const auto other = json::parse(R"({"jsonrpc":"2.0","method":"b","params":{"c":2},"id":"d"})");
  std::set<std::string> blends;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    blends.insert(json::write(blended(one.value->clone(), other.value->clone(), random)));
  }
  EXPECT_EQ(blends.count(R"({"jsonrpc":"2.0","method":"a","params":{"c":2},"id":1})"), 1U);
  EXPECT_EQ(blends.count(R"({"jsonrpc":"2.0","method":"b","params":[1],"id":"d"})"), 1U);
}

TEST(Vocabulary, NamesAndTextsAreLearntAndThoseOfTheProtocolAreNot) {
  Vocabulary words;
  learn_from(R"({"jsonrpc":"2.0","method":"m","params":{"colour":"red"},"id":1})", words);
  learn_from(R"({"jsonrpc":"2.0","error":{"code":-1,"message":"size_of is missing"},"id":1})",
             words);
  learn_from("no JSON", words);
  EXPECT_EQ(std::count(words.names.begin(), words.names.end(), "colour"), 1);
  EXPECT_EQ(std::count(words.names.begin(), words.names.end(), "size_of"), 1);
  EXPECT_EQ(std::count(words.names.begin(), words.names.end(), "params"), 0);
  EXPECT_EQ(std::count(words.texts.begin(), words.texts.end(), "red"), 1);
}

TEST(Vocabulary, AReplyThatNamesAKnownMethodListsMethods) {
  const std::vector<std::string> methods = {"system.listMethods"};
  EXPECT_TRUE(lists_methods(R"({"result":["shutdown","system.listMethods"],"id":1})", methods));
  EXPECT_FALSE(lists_methods(R"({"result":["a","b"],"id":1})", methods));
  EXPECT_FALSE(lists_methods(
      R"({"error":{"code":1,"message":"system.listMethods takes no params"},"id":1})", methods));
  EXPECT_FALSE(lists_methods("no JSON", methods));
}

TEST(Vocabulary, WordsOfTheServerAreUsed) {
  const Vocabulary words{{"paint"}, {"colour"}, {"red"}};
  Random random(1);
  std::string all;
  for (int i = 0; i < 300; ++i) all += generate_message(random, words);
  for (const char* word : {"\"paint\"", "\"colour\"", "\"red\""}) {
    EXPECT_NE(all.find(word), std::string::npos) << word;
  }
}

TEST(Mutator, ManyMessagesStayCallsThatAreToBeAnswered) {
  Random random(5);
  std::string message = R"({"jsonrpc":"2.0","method":"m","params":[1],"id":1})";
  int calls = 0;
  LastMade last;
  for (int i = 0; i < 2000; ++i) {
    message = mutate_message(message, random, {{"m"}}, last);
    const auto expectation = expectation_of(message, {.methods = {"m"}});
    if (!expectation.open && expectation.kind.find("call") != std::string::npos) ++calls;
  }
  EXPECT_GT(calls, 600);
}

RC_GTEST_PROP(Mutator, TreesStayJson, (std::uint64_t seed)) {
  Random random(seed);
  auto value = generate_batch(random, {});
  for (int i = 0; i < 20; ++i) mutate_tree(value, random, {});
  RC_ASSERT(json::parse(json::write(value)).value.has_value());
}

RC_GTEST_PROP(Mutator, AnyBytesAreTaken, (std::uint64_t seed, const std::string& bytes)) {
  Random random(seed);
  LastMade last;
  LastMade other;
  const std::string once = mutate_message(bytes, random, {}, last);
  const std::string twice = mutate_message(once, random, {}, last);
  Random again(seed);
  RC_ASSERT(mutate_message(bytes, again, {}, other) == once);
  RC_ASSERT(cross_over(once, twice, random, last).size() < 1'000'000);
}

RC_GTEST_PROP(Mutator, TheTreeThatIsKeptIsWhatTheTextParsesTo, (std::uint64_t seed)) {
  Random random(seed);
  LastMade last;
  std::string message = generate_message(random, {});
  for (int i = 0; i < 50; ++i) {
    const std::string other = generate_message(random, {});
    message = random.one_in(2) ? mutate_message(message, random, {}, last)
                               : cross_over(message, other, random, last);
    const auto parsed = json::parse(message).value;
    auto kept = last.take_tree_of(message);
    RC_ASSERT(kept.has_value() == parsed.has_value());
    RC_ASSERT(!kept || json::equal(*kept, *parsed));
    if (kept) last.keep(*std::move(kept));
  }
}

TEST(Mutator, DuplicateMembersAndNumberTokensLastThroughMutation) {
  std::size_t kept = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Random random(seed);
    auto parsed = json::parse(R"({"id":1.50,"id":1E2,"a":[1,2,3,4,5,6,7,8,9]})");
    mutate_tree(*parsed.value, random, {});
    const std::string text = json::write(*parsed.value);
    if (text.find("1.50") != std::string::npos && text.find("1E2") != std::string::npos) ++kept;
  }
  EXPECT_GT(kept, 80U);
}

TEST(Reducer, WhatDoesNotMatterGoes) {
  const std::string message =
      R"([{"jsonrpc":"2.0","method":"m","params":{"a":[1,2,{"needle":[7,8]}]},"id":1},5,"x"])";
  std::size_t tries = 0;
  const auto shows = [&tries](const std::string& text) {
    ++tries;
    return json::parse(text) && contains(text, "needle");
  };
  EXPECT_EQ(reduce(message, shows), R"({"needle":1})");
  EXPECT_LT(tries, 200U);
}

TEST(Reducer, BytesAreTakenWhereThereIsNoStructure) {
  const auto shows = [](const std::string& text) {
    return contains(text, "X") && contains(text, "Y");
  };
  EXPECT_EQ(reduce("abcXdefYghi", shows), "XY");
}

TEST(Reducer, TheBudgetIsKeptAndTheMessageStays) {
  std::size_t tries = 0;
  const auto never = [&tries](const std::string&) {
    ++tries;
    return false;
  };
  EXPECT_EQ(reduce("[1,2,3]", never, 3), "[1,2,3]");
  EXPECT_LE(tries, 3U);
}

RC_GTEST_PROP(Reducer, WhatIsLeftStillShowsIt, (std::uint64_t seed)) {
  Random random(seed);
  const std::string message = generate_message(random, {});
  const auto shows = [](const std::string& text) { return contains(text, "\"id\""); };
  RC_PRE(shows(message));
  const std::string reduced = reduce(message, shows);
  RC_ASSERT(shows(reduced));
  RC_ASSERT(reduced.size() <= message.size());
}

}  // namespace generate_test
}  // namespace jrpcheck::fuzz
