#include "cli/explain_client.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "cli/explain.hpp"
#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace explain_client_test {

using selftest::Mutant;

class ExplainClient : public testing::Test {
 protected:
  static corpus::Corpus loaded() {
    auto corpus = load_corpus({});
    EXPECT_TRUE(corpus) << (corpus ? "" : corpus.error().message);
    return corpus ? *std::move(corpus) : corpus::Corpus();
  }
  static std::vector<DialogueOfProfile> known_dialogues() {
    auto dialogues = all_dialogues({});
    EXPECT_TRUE(dialogues);
    return dialogues ? *std::move(dialogues) : std::vector<DialogueOfProfile>();
  }
  std::string page(const std::string& id, const std::vector<Mutant>& mutants = {}) const {
    return explain_requirement(*corpus_.ledger.find(id), corpus_, dialogues_, mutants);
  }
  const corpus::Corpus corpus_ = loaded();
  const std::vector<DialogueOfProfile> dialogues_ = known_dialogues();
};

TEST_F(ExplainClient, RequirementHasItsScenariosAndFaults) {
  Mutant fault;
  fault.name = "leaves-closes";
  fault.about = "It does something else.";
  fault.requirements = {"cl-ws-close"};
  fault.transports = {"client-ws"};
  Mutant of_server = fault;
  of_server.name = "of-a-server";
  of_server.transports = {"stdio"};
  const auto text = page("cl-ws-close", {of_server, fault});
  EXPECT_TRUE(contains(text, "client/ws-answer-after-close")) << text;
  EXPECT_TRUE(contains(text, "the fault leaves-closes: It does something else.")) << text;
  EXPECT_TRUE(contains(text,
                       "jrpcheck client --driver --door ws --select cl-ws-close -- "
                       "jrpcheck-reference --client --fault leaves-closes\n"))
      << text;
  EXPECT_FALSE(contains(text, "of-a-server")) << text;
}

TEST_F(ExplainClient, FaultThatNoneOfItsScenariosClaimsIsShownByAll) {
  Mutant fault;
  fault.name = "some-fault";
  fault.about = "It does something else.";
  fault.requirements = {"cl-ws-close"};
  fault.transports = {"client-ws"};
  EXPECT_TRUE(
      contains(page("cl-ws-close", {fault}),
               "jrpcheck client --driver --door ws -- jrpcheck-reference --client --fault"));
}

TEST_F(ExplainClient, RequirementOfAProtocolHasItsDialogues) {
  EXPECT_TRUE(contains(page("mcp-c-ping"), "mcp/client-ping"));
  EXPECT_TRUE(contains(page("mcp-c-ping"), "jrpcheck client --profile mcp --select mcp-c-ping"));
}

TEST_F(ExplainClient, WhatHoldsOfEachMessageNeedsNoScenario) {
  EXPECT_TRUE(contains(page("cl-req-version"), "all that the client says, in every scenario"));
  EXPECT_TRUE(contains(page("lsp-c-header"), "all that the client says, in every dialogue"));
  EXPECT_TRUE(
      contains(page("lsp-c-header"), "jrpcheck client --profile lsp -- your-client {server}"));
}

TEST_F(ExplainClient, WhatIsNotAskedSaysWhy) {
  EXPECT_TRUE(
      contains(page("mcp-c-sampling-max-tokens"), "none, it takes a model to count tokens"));
}

TEST_F(ExplainClient, RequirementsOfServersAreExplainedByCases) {
  EXPECT_FALSE(is_of_clients(*corpus_.ledger.find("id-echo"), corpus_));
  EXPECT_TRUE(contains(page("id-echo"), "jrpcheck run --select id-echo"));
}

TEST_F(ExplainClient, EachScenarioAndDialogueHasAPage) {
  ASSERT_FALSE(corpus_.scenarios.empty());
  for (const auto& each : corpus_.scenarios) {
    const auto text = explain_scenario(each, corpus_, {});
    EXPECT_TRUE(contains(text, each.requirements.front() + " (")) << text;
    EXPECT_TRUE(contains(text, "--select " + each.id + " -- your-client {url}")) << text;
    const bool warns =
        corpus_.ledger.find(each.requirements.front())->level == corpus::Level::should;
    EXPECT_TRUE(contains(text, warns ? "warn  anything else" : "fail  anything else")) << text;
    EXPECT_EQ(contains(text, "warn  waits: it goes on waiting, over HTTP"),
              !each.warn_over_http.empty())
        << text;
  }
  ASSERT_FALSE(dialogues_.empty());
  for (const auto& each : dialogues_) {
    const auto text = explain_dialogue(each, corpus_, {});
    EXPECT_TRUE(contains(text, each.dialogue.requirements.front() + " (")) << text;
    EXPECT_TRUE(contains(text, "--profile " + each.profile + " ")) << text;
  }
}

TEST_F(ExplainClient, LinesToTypeNameTheFolderOfTheUsersFiles) {
  const std::string cases = "--cases mine ";
  EXPECT_TRUE(contains(explain_scenario(corpus_.scenarios.front(), corpus_, {}, cases),
                       "jrpcheck client --cases mine --driver "));
  EXPECT_TRUE(contains(explain_dialogue(dialogues_.front(), corpus_, {}, cases),
                       "jrpcheck client --cases mine --profile "));
  const auto* requirement = corpus_.ledger.find("id-echo");
  EXPECT_TRUE(contains(explain_requirement(*requirement, corpus_, dialogues_, {}, cases),
                       "jrpcheck run --cases mine --select id-echo"));
  const auto of_case = explain_case(*corpus_.find("batch/empty"), corpus_, {}, cases);
  ASSERT_TRUE(of_case);
  EXPECT_TRUE(contains(*of_case, "jrpcheck run --cases mine --select batch/empty"));
}

}  // namespace explain_client_test
}  // namespace jrpcheck::cli
