#include "run/opening_dialogue.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace opening_dialogue_test {

const std::string kFirst = R"({"jsonrpc":"2.0","id":7,"method":"initialize"})";
const std::string kReady = R"({"jsonrpc":"2.0","method":"initialized"})";
const std::string kFirstAnswer = R"({"jsonrpc":"2.0","id":7,"result":{}})";
const std::string kAnswerToNobody = R"({"jsonrpc":"2.0","id":null,"result":null})";

// What is found of this handshake over this binding.
result::CaseResult found_in(const dialogue::Transcript& transcript, std::string_view binding,
                            std::string_view profile = "lsp") {
  const auto result = opening_dialogue(corpus::corpus_for_testing(profile),
                                       wire::known_binding(binding), {kFirst, kReady}, transcript)
                          .result({});
  return result.value_or(result::CaseResult());
}

// What is found where these answers come, in this order, once each message has been sent.
result::CaseResult found(const std::vector<std::string>& to_first,
                         const std::vector<std::string>& to_ready,
                         std::string_view profile = "lsp") {
  dialogue::Transcript transcript;
  transcript.add(dialogue::Direction::sent, kFirst, "opening");
  for (const auto& each : to_first) transcript.add(dialogue::Direction::received, each);
  transcript.add(dialogue::Direction::sent, kReady, "opening");
  for (const auto& each : to_ready) transcript.add(dialogue::Direction::received, each);
  return found_in(transcript, "content-length", profile);
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

// A client takes what comes beside the answer for a message, or gives up.
TEST(OpeningDialogue, ChargesWhatIsNoMessageAsTheBindingSays) {
  const auto beside_answer = [](dialogue::Direction direction, const std::string& note) {
    dialogue::Transcript transcript;
    transcript.add(dialogue::Direction::sent, kFirst, "opening");
    transcript.add(direction, "Server ready", note);
    transcript.add(dialogue::Direction::received, kFirstAnswer);
    transcript.add(dialogue::Direction::sent, kReady, "opening");
    return transcript;
  };
  const auto banner = beside_answer(dialogue::Direction::noise, "during the opening");
  EXPECT_EQ(charged(found_in(banner, "lines")), Ids{"std-clean"});
  EXPECT_EQ(charged(found_in(banner, "lines", corpus::kDefaultProfile)), Ids{"std-clean"});
  const auto broken = beside_answer(dialogue::Direction::violation, "bytes before a header");
  const auto result = found_in(broken, "content-length");
  EXPECT_EQ(charged(result), Ids{"std-clean"});
  EXPECT_EQ(result.findings.front().particulars, "bytes before a header");
  EXPECT_EQ(charged(found_in(beside_answer(dialogue::Direction::aside, ""), "lines")), Ids{});
}

TEST(OpeningDialogue, ShowsWhatWasSent) {
  const auto transcript = found({kFirstAnswer}, {kAnswerToNobody}).transcript;
  ASSERT_EQ(transcript.size(), 2U);
  EXPECT_EQ(transcript[0].bytes, kReady);
  EXPECT_EQ(transcript[0].note, "") << "what has a note is no message of the case";
}

}  // namespace opening_dialogue_test
}  // namespace jrpcheck::run
