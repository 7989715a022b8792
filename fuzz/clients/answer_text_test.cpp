#include "fuzz/clients/answer_text.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "client/placeholders.hpp"
#include "corpus/corpus_for_testing.hpp"
#include "fuzz/clients/scenario_file.hpp"

namespace jrpcheck::fuzz {
namespace answer_text_test {

TEST(AnswerText, IdIsThatOfTheCall) {
  const auto scenario = scenario_giving(R"({"id":"${id}","result":"x${id}"})");
  client::Blanks blanks;
  blanks.ids.at(client::kSubject) = "7";
  const auto answer = client::answer_of(scenario, blanks);
  EXPECT_EQ(answer.messages, std::vector<std::string>{R"({"id":7,"result":"x7"})"});
  EXPECT_EQ(answer.then, "close");
}

TEST(AnswerText, CampaignBeginsWithWhatScenariosSay) {
  const auto answers = answers_to_begin_with(corpus::corpus_for_testing());
  EXPECT_GT(answers.size(), 40U);
  EXPECT_EQ(answers.front(), R"({"jsonrpc":"2.0","result":102,"id":"${id}"})");
  const auto has = [&](const std::string& text) { return contains(answers, text); };
  EXPECT_TRUE(has("null"));
  EXPECT_TRUE(has(R"({"jsonrpc":"2.0","id":"${id}"})"));
}

TEST(AnswerText, FindingIsAScenarioThatCanBeReadAgain) {
  const auto& ledger = corpus::corpus_for_testing().ledger;
  for (const auto& text :
       {std::string(R"({"id":"${id}","x":"\u0000\""})"), std::string("\xFF${\n"), std::string()}) {
    auto scenario = scenario_giving(text);
    scenario.id = "client/fuzz-1";
    const auto read = corpus::load_scenarios("client/x.json", scenario_file(scenario), ledger);
    ASSERT_TRUE(read) << read.error().message;
    ASSERT_EQ(read->size(), 1U);
    EXPECT_EQ(read->front().answer, scenario.answer);
    EXPECT_EQ(read->front().then, "close");
    EXPECT_EQ(read->front().accept, scenario.accept);
  }
}

}  // namespace answer_text_test
}  // namespace jrpcheck::fuzz
