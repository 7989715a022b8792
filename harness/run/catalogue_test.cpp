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
  corpus::Requirement shape;
  shape.when = {"/capabilities/prompts"};
  corpus::Case asked;
  asked.when = shape.when;
  corpus::Case unasked;
  unasked.unless = shape.when;
  const auto declaring = [](const std::string& text) {
    corpus::Catalogue catalogue;
    catalogue.declared = *json::parse(text).value;
    return catalogue;
  };
  for (const char* with : {R"({"capabilities":{"prompts":{}}})",
                           R"({"capabilities":{"tools":{},"prompts":{"listChanged":true}}})"}) {
    EXPECT_EQ(why_not_for(shape, declaring(with)), "");
    EXPECT_EQ(why_not_for(asked, declaring(with)), "");
    EXPECT_EQ(why_not_for(unasked, declaring(with)), "the server declares prompts");
  }
  for (const char* without :
       {R"({"capabilities":{}})", R"({"capabilities":{"prompts":false}})", "{}"}) {
    EXPECT_EQ(why_not_for(shape, declaring(without)), "the server does not declare prompts");
    EXPECT_EQ(why_not_for(asked, declaring(without)), "the server does not declare prompts");
    EXPECT_EQ(why_not_for(unasked, declaring(without)), "");
  }
  const corpus::Catalogue unknown;
  EXPECT_EQ(why_not_for(shape, unknown), "");
  EXPECT_EQ(why_not_for(asked, unknown) + why_not_for(unasked, unknown), "");
  EXPECT_TRUE(hangs_on_the_unknown(asked, unknown) && hangs_on_the_unknown(unasked, unknown));
  EXPECT_FALSE(hangs_on_the_unknown(asked, declaring("{}")));
}

}  // namespace catalogue_test
}  // namespace jrpcheck::run
