#include "run/opening_dialogue.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace opening_dialogue_test {

const std::string kFirst = R"({"jsonrpc":"2.0","id":7,"method":"initialize"})";
const std::string kReady = R"({"jsonrpc":"2.0","method":"initialized"})";
const std::string kFirstAnswer = R"({"jsonrpc":"2.0","id":7,"result":{}})";
const std::string kAnswerToNobody = R"({"jsonrpc":"2.0","id":null,"result":null})";

// What is found where these answers come, in this order, once each message has been sent.
result::CaseResult found(const std::vector<std::string>& to_first,
                         const std::vector<std::string>& to_ready,
                         std::string_view profile = "lsp") {
  dialogue::Transcript transcript;
  transcript.add(dialogue::Direction::sent, kFirst, "opening");
  for (const auto& each : to_first) transcript.add(dialogue::Direction::received, each);
  transcript.add(dialogue::Direction::sent, kReady, "opening");
  for (const auto& each : to_ready) transcript.add(dialogue::Direction::received, each);
  const auto result =
      opening_dialogue(corpus::corpus_for_testing(profile), {kFirst, kReady}, transcript)
          .result({});
  return result.value_or(result::CaseResult());
}

std::set<std::string> charged(const result::CaseResult& result) {
  std::set<std::string> ids;
  for (const auto& each : result.findings) ids.insert(each.requirement);
  return ids;
}

using Ids = std::set<std::string>;

TEST(OpeningDialogue, HasNothingToTellOfWhatIsAsItShould) {
  EXPECT_TRUE(found({kFirstAnswer}, {}).findings.empty());
}

TEST(OpeningDialogue, ChargesAnAnsweredNotificationToTheProtocolsOwnRequirement) {
  EXPECT_EQ(charged(found({kFirstAnswer}, {kAnswerToNobody})), Ids{"lsp-notification-silent"});
  EXPECT_EQ(charged(found({kFirstAnswer}, {kAnswerToNobody}, corpus::kDefaultProfile)),
            Ids{"ntf-silent"});
}

TEST(OpeningDialogue, TellsASecondAnswerFromOneToTheNotificationBehindIt) {
  EXPECT_EQ(charged(found({kFirstAnswer}, {kFirstAnswer})), Ids{"res-once"});
}

TEST(OpeningDialogue, ShowsWhatWasSent) {
  const auto transcript = found({kFirstAnswer}, {kAnswerToNobody}).transcript;
  ASSERT_EQ(transcript.size(), 2U);
  EXPECT_EQ(transcript[0].bytes, kReady);
  EXPECT_EQ(transcript[0].note, "") << "what has a note is no message of the case";
}

}  // namespace opening_dialogue_test
}  // namespace jrpcheck::run
