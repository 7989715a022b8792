#include <jrpcheck/corpus.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

namespace jrpcheck::embed {
namespace corpus_test {

bool is_for_handlers(const std::string& id) {
  const auto all = cases();
  const auto found = std::ranges::find_if(all, [&](const CaseInfo& each) { return each.id == id; });
  if (found == all.end()) ADD_FAILURE() << id;
  return found != all.end() && found->for_handlers;
}

TEST(EmbeddedCorpus, KnowsItsCasesAndWhatTheyRequire) {
  std::set<std::string> ids;
  for (const auto& each : requirements()) ids.insert(each.id);
  EXPECT_GT(ids.size(), 100U);
  EXPECT_GT(cases().size(), 400U);
  for (const auto& one : cases()) {
    ASSERT_FALSE(one.requirements.empty()) << one.id;
    EXPECT_EQ(ids.count(one.requirements.front()), 1U) << one.id;
    EXPECT_FALSE(one.json.empty()) << one.id;
  }
}

TEST(EmbeddedCorpus, WhatIsAboutATransportIsNotForHandlers) {
  for (const char* id : {"batch/empty", "error/not-json", "robust/pipelined-calls",
                         "notification/then-call", "json/truncated"}) {
    EXPECT_TRUE(is_for_handlers(id)) << id;
  }
  for (const char* id : {"http/call-after-error", "lsp/header-plain", "stdio/end-of-input",
                         "stdio/call", "robust/half-body-at-the-end"}) {
    EXPECT_FALSE(is_for_handlers(id)) << id;
  }
}

TEST(EmbeddedCorpus, AnUnknownProfileIsRefused) {
  EXPECT_THROW(cases("jsonrpc-3.0"), std::invalid_argument);
  EXPECT_FALSE(cases("jsonrpc-1.0").empty());
}

TEST(EmbeddedCorpus, HoldsTheFilesAsTheyAre) {
  const auto files = corpus_files();
  const auto ledger = std::ranges::find_if(
      files, [](const CorpusFile& file) { return file.path == "ledger.json"; });
  ASSERT_NE(ledger, files.end());
  EXPECT_EQ(ledger->text.front(), '{');
}

}  // namespace corpus_test
}  // namespace jrpcheck::embed
