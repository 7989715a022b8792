#include "run/unasked.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::run {
namespace unasked_test {

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"echo","id":7})";
constexpr const char* kAnswer = R"({"jsonrpc":"2.0","result":null,"id":7})";
constexpr const char* kToNobody = R"({"jsonrpc":"2.0","result":"tick","id":"nobody's"})";

// A call that is answered as it should be, and beside it what nobody asked for.
dialogue::Transcript call_with(const std::string& unasked) {
  dialogue::Transcript transcript;
  transcript.add(dialogue::Direction::sent, kCall);
  transcript.add(dialogue::Direction::unasked, unasked, "answers no call");
  transcript.add(dialogue::Direction::received, kAnswer);
  return transcript;
}

std::set<std::string> charged(const std::vector<result::StoredDialogue>& dialogues,
                              const std::vector<result::CaseResult>& cases) {
  const auto result = judge_unasked({}, dialogues, cases, corpus::corpus_for_testing().ledger, {});
  std::set<std::string> ids;
  if (!result) return ids;
  for (const auto& each : result->findings) ids.insert(each.requirement);
  return ids;
}

std::set<std::string> charged_beside(const SideDialogueName& name, const std::string& unasked) {
  SideDialogue dialogue(name, corpus::corpus_for_testing().ledger, {});
  dialogue::Exchange exchange;
  exchange.replies.push_back({kAnswer, 0});
  dialogue.take(kCall, exchange, call_with(unasked));
  return charged({dialogue.stored()}, {});
}

using Ids = std::set<std::string>;

TEST(Unasked, ResponseToNobodyIsChargedInACase) {
  std::vector<result::CaseResult> cases(1);
  cases[0].transcript = call_with(kToNobody).events();
  EXPECT_EQ(charged({}, cases), Ids{"res-once"});
}

TEST(Unasked, ResponseToNobodyIsChargedBesideTheCallsBeforeTheCases) {
  EXPECT_EQ(charged_beside(kDiscoveryDialogue, kToNobody), Ids{"res-once"});
  EXPECT_EQ(charged_beside(kCatalogueDialogue, kToNobody), Ids{"res-once"});
}

TEST(Unasked, CallBesideWhichItCameFirstIsTheOneToRepeat) {
  SideDialogue dialogue(kDiscoveryDialogue, corpus::corpus_for_testing().ledger, {});
  dialogue::Exchange exchange;
  exchange.replies.push_back({kAnswer, 0});
  dialogue.take(kCall, exchange, call_with(R"({"jsonrpc":"2.0","method":"progress"})"));
  constexpr const char* kOther = R"({"jsonrpc":"2.0","method":"other","id":7})";
  dialogue.take(kOther, exchange, call_with(kToNobody));
  const auto result = judge_unasked(
      {}, {dialogue.stored()}, {}, corpus::corpus_for_testing().ledger, {},
      [](const corpus::Case& call) { return "say " + call.steps.front().messages.front().text(); });
  ASSERT_TRUE(result);
  EXPECT_EQ(result->reproduce, "say " + std::string(kOther));
}

TEST(Unasked, SoundNotificationBesideThemIsNoFault) {
  EXPECT_EQ(charged_beside(kDiscoveryDialogue, R"({"jsonrpc":"2.0","method":"progress"})"), Ids{});
}

}  // namespace unasked_test
}  // namespace jrpcheck::run
