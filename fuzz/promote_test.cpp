#include <gtest/gtest.h>

#include <string>

#include "corpus/load_case.hpp"
#include "fuzz/finding.hpp"

namespace jrpcheck::fuzz {
namespace promote_test {

Finding finding_of(const std::string& sent, const std::string& requirement,
                   const std::string& shape) {
  Finding finding;
  finding.requirement = requirement;
  finding.shape = shape;
  finding.sent = sent;
  finding.transport = "lines";
  return finding;
}

// It may be answered with a Response of any id, with none, or with -32700: what is wrong with the
// envelope of that a case would not see.
TEST(Promote, RefusesWhatMayBeAnsweredInAnyWay) {
  for (const std::string sent : {R"({"id":"\ud800"})", R"([{"a":1,"a":2}])"}) {
    const auto text = promote(finding_of(sent, "res-json", "contested JSON: reply"));
    ASSERT_FALSE(text) << *text;
    EXPECT_NE(text.error().message.find("may be answered in any way"), std::string::npos)
        << text.error().message;
  }
}

// As cases/v1/survival.json has it.
TEST(Promote, OfWhatMayBeAnsweredInAnyWayTheServerHasToSurviveIt) {
  const std::string before = R"({"a":1,"a":2})";
  for (const std::string sent : {R"({"id":"\ud800"})", R"([{"a":1,"a":2}])", "{\"a\":01}",
                                 R"({"jsonrpc":"2.0","method":"","params":[1e400]})"}) {
    auto finding = finding_of(sent, "rob-survives", "contested JSON: died");
    finding.before = {before};
    const auto text = promote(finding);
    ASSERT_TRUE(text) << text.error().message;
    const auto cases = corpus::load_cases("promoted.json", *text);
    ASSERT_TRUE(cases) << cases.error().message;
    const auto& one = cases->front();
    EXPECT_EQ(one.requirements, std::vector<std::string>{"rob-survives"});
    ASSERT_EQ(one.steps.size(), 3U);
    EXPECT_EQ(one.steps[0].messages.front().text(), before);
    EXPECT_EQ(one.steps[1].messages.front().text(), sent);
    ASSERT_EQ(one.steps[1].accept.size(), 1U);
    EXPECT_EQ(one.steps[1].accept.front().shape, corpus::Outcome::Shape::anything);
    EXPECT_EQ(one.steps[1].charge.at("silence"), "rob-survives");
    // The call behind it is answered, whether its method is known or not.
    const auto& due = one.steps[2].accept.front().responses.front();
    EXPECT_TRUE(due.result && due.error);
    EXPECT_EQ(one.steps[2].charge.at("silence"), "rob-survives");
    // In a stream of values what is no JSON may go on in the call behind it.
    EXPECT_EQ(one.transports.empty(), sent != "{\"a\":01}");
  }
}

// As what a message is reduced to whose every answer has this fault.
TEST(Promote, OfANotificationThatMayBeRefusedTheFormOfTheRefusalIsJudged) {
  for (const std::string sent :
       {R"({"jsonrpc":"2.0","method":""})", R"({"jsonrpc":"2.0","method":"x","y":1})"}) {
    const auto text = promote(finding_of(sent, "res-version", "reply"));
    ASSERT_TRUE(text) << text.error().message;
    const auto cases = corpus::load_cases("promoted.json", *text);
    ASSERT_TRUE(cases) << cases.error().message;
    const auto& one = cases->front();
    EXPECT_EQ(one.requirements, std::vector<std::string>{"res-version"});
    ASSERT_EQ(one.steps.size(), 1U);
    const auto& step = one.steps.front();
    EXPECT_EQ(step.messages.front().text(), sent);
    EXPECT_TRUE(step.accepts(corpus::Outcome::Shape::silence));
    EXPECT_TRUE(step.accepts(corpus::Outcome::Shape::response));
    EXPECT_TRUE(step.accepts(corpus::Outcome::Shape::refused));
  }
  const auto of_call_behind =
      finding_of(R"({"jsonrpc":"2.0","method":""})", "id-echo", "call behind");
  EXPECT_FALSE(promote(of_call_behind)) << "no case looks at the id of a call that is not its own";
}

TEST(Promote, OfAMessageWhoseAnswerIsCertainMoreIsAskedThanThatItIsSurvived) {
  const std::string sent = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
  const auto text = promote(finding_of(sent, "rob-survives", "call: died"));
  ASSERT_TRUE(text) << text.error().message;
  const auto cases = corpus::load_cases("promoted.json", *text);
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_EQ(cases->front().steps.size(), 1U);
  EXPECT_EQ(cases->front().steps.front().accept.front().shape, corpus::Outcome::Shape::response);
}

TEST(Promote, TheCaseOfWhatCameNowAndThenSaysThatItMayPass) {
  auto finding =
      finding_of(R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})", "id-echo", "call: wrong id");
  finding.shown = 2;
  finding.tries = 2;
  EXPECT_EQ(doubt_about_case_of(finding), "");
  EXPECT_EQ(promote(finding)->find("may pass"), std::string::npos);
  finding.shown = 1;
  EXPECT_NE(doubt_about_case_of(finding).find("1 of 2 times"), std::string::npos);
  const auto text = promote(finding);
  ASSERT_TRUE(text) << text.error().message;
  EXPECT_NE(text->find(doubt_about_case_of(finding)), std::string::npos) << *text;
  EXPECT_TRUE(corpus::load_cases("promoted.json", *text));
}

// It is printed.
TEST(Promote, NothingInACaseIsACommandToATerminalOrALog) {
  const std::string sent = "{\"jsonrpc\":\"2.0\",\"method\":\"##[error]\xC2\x9B\",\"id\":7}";
  const auto finding = finding_of(sent, "id-echo", "##[error]");
  const auto text = promote(finding);
  ASSERT_TRUE(text) << text.error().message;
  for (const std::string& written : {*text, to_text(finding)}) {
    EXPECT_EQ(written.find("##["), std::string::npos) << written;
    EXPECT_EQ(written.find("\xC2\x9B"), std::string::npos) << written;
  }
  const auto cases = corpus::load_cases("promoted.json", *text);
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_EQ(cases->front().steps.front().messages.front().text(), sent);
}

TEST(Promote, GivesTwoFindingsOfOneKindTwoTitles) {
  const std::string sent = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
  std::string titles[2];
  for (int i = 0; i < 2; ++i) {
    const auto text = promote(finding_of(sent, "id-echo", "shape " + std::to_string(i)));
    ASSERT_TRUE(text) << text.error().message;
    const auto cases = corpus::load_cases("promoted.json", *text);
    ASSERT_TRUE(cases) << cases.error().message;
    titles[i] = cases->front().title;
  }
  EXPECT_NE(titles[0], titles[1]);
}

// As the engine takes it: JSON-RPC 2.0 §5.
TEST(Promote, LetsACallOfAMethodThatIsThereBeRefusedWithoutItsId) {
  auto finding = finding_of(R"({"jsonrpc":"2.0","method":"subtract","params":{},"id":7})",
                            "res-always", "call: unanswered");
  finding.traits.methods = {"subtract"};
  const auto text = promote(finding);
  ASSERT_TRUE(text) << text.error().message;
  const auto cases = corpus::load_cases("promoted.json", *text);
  ASSERT_TRUE(cases) << cases.error().message;
  const auto& accept = cases->front().steps.front().accept;
  ASSERT_EQ(accept.size(), 3U);
  const auto& refusal = accept.back().responses.front();
  EXPECT_EQ(refusal.error->codes, std::vector<long long>{-32600});
  EXPECT_TRUE(refusal.id.any_of.front().is(json::Kind::null));
}

TEST(Promote, SendsAMessageInTheFragmentsInWhichItWasFound) {
  const std::string sent = R"({"jsonrpc":"2.0","method":"jrpcheckX","id":7})";
  auto finding = finding_of(sent, "ws-fragments", "call: unanswered");
  finding.transport = "websocket";
  finding.company = {
      {R"({"jsonrpc":"2.0","method":"jrpcheckX","id":6})"}, {}, Cut{1, 5, CutInto::fragments}};
  const auto read = finding_from("finding.json", to_text(finding));
  ASSERT_TRUE(read) << read.error().message;
  const auto text = promote(*read);
  ASSERT_TRUE(text) << text.error().message;
  const auto cases = corpus::load_cases("promoted.json", *text);
  ASSERT_TRUE(cases) << cases.error().message;
  EXPECT_EQ(cases->front().transports, std::vector<std::string>{"websocket"});
  const auto& step = cases->front().steps.back();
  ASSERT_EQ(step.messages.size(), 3U);
  EXPECT_EQ(step.messages[1].text(), sent.substr(0, 5));
  EXPECT_FALSE(step.frames.at(1).fin);
  ASSERT_EQ(step.whole_messages().size(), 2U);
  EXPECT_EQ(step.whole_messages()[1].text(), sent);
}

}  // namespace promote_test
}  // namespace jrpcheck::fuzz
