// What a server lists.
#include "run/catalogue.hpp"

#include <gtest/gtest.h>

#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/fake_server_for_testing.hpp"

namespace jrpcheck::run {
namespace catalogue_test {

TEST(Catalogue, HoldsTheFirstPagesOfAListThatGoesOnForEver) {
  corpus::Profile profile;
  profile.lists = {{"tools", "tools/list", "/tools", "/nextCursor", "cursor"}};
  FakeConversation conversation(answering([](const json::Value&) {
    return R"("result":{"tools":[")" + std::string(1'000'000, 'x') + R"("],"nextCursor":"more"})";
  }));
  SideDialogue dialogue(kCatalogueDialogue, corpus::corpus_for_testing().ledger, {});
  const auto catalogue = ask_for_catalogue(profile, {}, {}, conversation, dialogue);
  ASSERT_TRUE(catalogue);
  EXPECT_GT(catalogue->lists.at("tools").size(), 2U);
  EXPECT_LT(conversation.sent.size(), 20U);
}

TEST(Catalogue, TellsWhatDoesNotApplyToAServerThatDoesNotDeclareIt) {
  corpus::Requirement cursor;
  cursor.when = {"/capabilities/tasks/list"};
  corpus::Case asked;
  asked.when = cursor.when;
  corpus::Case unasked;
  unasked.unless = cursor.when;
  const auto declaring = [](const std::string& text) {
    corpus::Catalogue catalogue;
    catalogue.declared = *json::parse(text).value;
    return catalogue;
  };
  const auto with = declaring(R"({"capabilities":{"tasks":{"list":{}}}})");
  EXPECT_EQ(why_inapplicable(cursor, with), "");
  EXPECT_EQ(lacks_what_it_is_about(asked, with), "");
  EXPECT_EQ(lacks_what_it_is_about(unasked, with), "the server declares tasks.list");
  for (const char* without :
       {R"({"capabilities":{"list":{}}})", R"({"capabilities":{"tasks":{"list":false}}})", "{}"}) {
    const auto catalogue = declaring(without);
    EXPECT_EQ(why_inapplicable(cursor, catalogue), "the server does not declare tasks.list");
    EXPECT_EQ(lacks_what_it_is_about(asked, catalogue), "the server does not declare tasks.list");
    EXPECT_EQ(lacks_what_it_is_about(unasked, catalogue), "");
  }
  const corpus::Catalogue unknown;
  EXPECT_EQ(why_inapplicable(cursor, unknown), "");
  EXPECT_EQ(lacks_what_it_is_about(asked, unknown), "what the server declares is not known");
}

}  // namespace catalogue_test
}  // namespace jrpcheck::run
