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

}  // namespace catalogue_test
}  // namespace jrpcheck::run
