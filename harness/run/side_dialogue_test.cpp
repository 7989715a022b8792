#include "run/side_dialogue.hpp"

#include <gtest/gtest.h>

#include "base/contains.hpp"
#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::run {
namespace side_dialogue_test {

const corpus::Ledger& ledger() { return corpus::corpus_for_testing().ledger; }

constexpr const char* kCall = R"({"jsonrpc":"2.0","method":"x","id":7})";

SideDialogue after(const std::vector<std::string>& replies, judge::Context context = {}) {
  SideDialogue dialogue("dialogue/discovery", "t", ledger(), std::move(context));
  for (const auto& text : replies) {
    dialogue::Exchange exchange;
    exchange.replies.push_back({text, 0});
    dialogue::Transcript transcript;
    transcript.add(dialogue::Direction::sent, kCall);
    transcript.add(dialogue::Direction::received, text);
    dialogue.take(kCall, exchange, transcript);
  }
  return dialogue;
}

std::set<std::string> found(const std::string& reply) {
  std::set<std::string> ids;
  const auto result = after({reply}).result({});
  if (!result) return ids;
  for (const auto& each : result->findings) ids.insert(each.requirement);
  return ids;
}

using Ids = std::set<std::string>;

TEST(SideDialogue, HasNothingToTellOfSoundResponses) {
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"id":7})"), Ids{});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"No"},"id":7})"), Ids{});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","error":{"code":5,"message":"No"},"id":7})"), Ids{});
}

TEST(SideDialogue, JudgesSuccessesThatNoRoleIsKnownFor) {
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"error":{},"id":7})").count("res-exclusive"), 1U);
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"error":false,"id":7})").count("res-exclusive"),
            1U);
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"error":null,"id":7})"), Ids{"res-exclusive"});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","value":1,"id":7})"), Ids{"res-exclusive"});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","id":7})"), Ids{"res-exclusive"});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"id":"7"})"), Ids{"id-echo"});
  EXPECT_EQ(found(R"({"jsonrpc":"2.0","result":1,"id":null})"), Ids{"id-echo"});
  EXPECT_EQ(found(R"({"result":1,"id":7})"), Ids{"res-version"});
}

TEST(SideDialogue, ARefusalOfTheRequestHasIdNullAndThatIsNoFaultOfTheId) {
  const auto refused = [](const std::string& code) {
    return found(R"({"jsonrpc":"2.0","error":{"code":)" + code + R"(,"message":"No"},"id":null})");
  };
  EXPECT_EQ(refused("-32600"), Ids{});
  EXPECT_EQ(refused("-32700"), Ids{"err-code-invalid"}) << "the call is JSON";
  EXPECT_EQ(refused("-32603"), Ids{"id-echo"});
  EXPECT_EQ(found(R"({"result":null,"error":{"code":-32600},"id":null})").count("id-echo"), 1U);
}

Ids found_over_http(int status, const std::string& call = kCall, const std::string& page = {}) {
  SideDialogue dialogue("dialogue/discovery", "t", ledger(), {});
  dialogue::Exchange exchange;
  exchange.http_status = status;
  if (!page.empty()) exchange.replies.emplace_back(page);
  dialogue::Transcript transcript;
  transcript.begin_step(0);
  transcript.add(dialogue::Direction::sent, call);
  dialogue::Event head;
  head.direction = dialogue::Direction::received;
  head.bytes = "HTTP/1.1 " + std::to_string(status) + " S\r\n\r\n";
  head.http = dialogue::HttpHead{static_cast<std::size_t>(status), "HTTP/1.1"};
  head.http->size = head.bytes.size();
  head.bytes += page;
  transcript.add(std::move(head));
  dialogue.take(call, exchange, transcript);
  Ids ids;
  const auto result = dialogue.result({});
  if (!result) return ids;
  for (const auto& each : result->findings) ids.insert(each.requirement);
  return ids;
}

TEST(SideDialogue, ACallThatIsMetWithAResponseWithoutContentIsUnanswered) {
  for (const int status : {200, 204, 302, 400, 404, 500}) {
    EXPECT_EQ(found_over_http(status), Ids{"res-always"}) << status;
  }
  EXPECT_EQ(found_over_http(204, R"({"jsonrpc":"2.0","method":"x"})"), Ids{});
}

TEST(SideDialogue, AnHttpRefusalOfTheUserOrOfTheMomentSaysNothingOfCalls) {
  for (const int status : {401, 403, 429, 503}) {
    EXPECT_EQ(found_over_http(status), Ids{}) << status;
    EXPECT_EQ(found_over_http(status, kCall, "<html>"), Ids{}) << status << " with a page";
  }
  EXPECT_EQ(found_over_http(404, kCall, "<html>"), Ids{"res-always"})
      << "a page that no such reason has";
}

TEST(SideDialogue, NamesTheMethodThatItsCallerIsKeptFrom) {
  const auto note_after = [](int status) {
    SideDialogue dialogue("dialogue/discovery", "t", ledger(), {});
    dialogue::Exchange exchange;
    exchange.http_status = status;
    dialogue.take(R"({"jsonrpc":"2.0","method":"get_data","id":7})", exchange, {});
    return note_of_methods_kept(dialogue);
  };
  EXPECT_NE(note_after(401).find("get_data (HTTP 401)"), std::string::npos);
  EXPECT_EQ(note_after(503), "") << "it is nobody's right that is missing";
}

TEST(SideDialogue, TellsOneFaultOnce) {
  const std::string bad = R"({"jsonrpc":"2.0","result":1,"error":null,"id":7})";
  const auto result = after({bad, bad, bad}).result({});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->findings.size(), 1U);
  EXPECT_EQ(result->transcript.size(), 2U);
  EXPECT_EQ(result->verdict, result::Verdict::fail);
  EXPECT_EQ(result->id, "dialogue/discovery");
}

TEST(SideDialogue, LeavesOutWhatCasesHaveCharged) {
  const auto dialogue = after({R"({"jsonrpc":"2.0","result":1,"error":null,"id":7})"});
  std::vector<result::CaseResult> cases(1);
  cases[0].findings.emplace_back();
  cases[0].findings[0].requirement = "res-exclusive";
  cases[0].findings[0].symptom = judge::Symptom::no_result_and_no_error;
  EXPECT_TRUE(dialogue.result(cases)) << "another symptom of the same requirement";
  cases[0].findings[0].symptom = judge::Symptom::result_and_error;
  EXPECT_FALSE(dialogue.result(cases));
}

std::vector<result::CaseResult> charged_with(const std::string& requirement,
                                             judge::Symptom symptom) {
  std::vector<result::CaseResult> cases(1);
  cases[0].findings.emplace_back();
  cases[0].findings[0].requirement = requirement;
  cases[0].findings[0].symptom = symptom;
  return cases;
}

TEST(SideDialogue, TellsWhatWasFineWhereNoCaseShowsIt) {
  const auto dialogue = after({R"({"jsonrpc":"2.0","result":1,"id":7})"});
  const auto exercised_beside = [&](std::vector<std::string> by_cases) {
    result::CaseResult one;
    one.requirements = {"res-result-on-success"};
    one.exercised = std::move(by_cases);
    const auto told = dialogue.result({one});
    return told ? told->exercised : std::vector<std::string>{};
  };
  EXPECT_TRUE(contains(exercised_beside({}), "res-result-on-success"));
  EXPECT_FALSE(contains(exercised_beside({"res-result-on-success"}), "res-result-on-success"));
  EXPECT_FALSE(dialogue.result({})) << "of this run nobody asks";
}

TEST(SideDialogue, TellsOfEachMethodThatEndsTheServerWhateverElseDoes) {
  SideDialogue dialogue("dialogue/discovery", "t", ledger(), {});
  dialogue::Event fact;
  fact.fact = dialogue::Fact::died_of_it;
  dialogue.note(fact, kCall, {});
  EXPECT_TRUE(dialogue.result(charged_with("rob-survives", judge::Symptom::died)));
}

TEST(SideDialogue, TellsOfAMethodThatIsLeftWaitingThoughACaseIsAsWell) {
  const auto cases = charged_with("res-always", judge::Symptom::unanswered);
  SideDialogue dialogue("dialogue/discovery", "t", ledger(), {});
  dialogue::Exchange exchange;
  exchange.ending = dialogue::Ending::timed_out;
  dialogue::Transcript transcript;
  transcript.add(dialogue::Direction::sent, kCall);
  dialogue.take_owed(kCall, exchange, transcript);
  EXPECT_TRUE(dialogue.result({}));
  EXPECT_TRUE(dialogue.result(cases));
}

TEST(SideDialogue, LeavesOutWhatEveryReplyViolates) {
  judge::Context context;
  context.systematic = {"res-version"};
  EXPECT_FALSE(after({R"({"result":1,"id":7})"}, context).result({}));
}

}  // namespace side_dialogue_test
}  // namespace jrpcheck::run
