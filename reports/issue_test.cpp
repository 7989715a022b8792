#include "reports/issue.hpp"

#include <gtest/gtest.h>

#include "reports/hostile_run_for_testing.hpp"
#include "reports/site_for_testing.hpp"

namespace jrpcheck::reports {
namespace issue_test {

TEST(Issue, TellsWhatWasSentAndReceivedTheRuleAndHowToRepeatIt) {
  const auto about = target_for_testing("alpha", targets::Group::library);
  const auto text = render_issue(run_for_testing(), "id/number", about);
  ASSERT_TRUE(text) << text.error().message;
  for (const char* part :
       {"# Title of id/number: The Response has the wrong id.", "npm alpha@1.2.3", R"({"id":1})",
        R"({"id":"1"})",
        "Text of id-echo. ([JSON-RPC 2.0 \xC2\xA7"
        "5](https://www.jsonrpc.org/specification",
        "A client cannot tell which call was answered.", "node wrappers/alpha.js 8545", "| server",
        "jrpcheck 1.2.3", "--select id/number"}) {
    EXPECT_NE(text->find(part), std::string::npos) << part << "\n" << *text;
  }
  EXPECT_LT(text->size(), 2000U) << "short";
}

TEST(Issue, NamesTheTargetWhereNobodyDescribedIt) {
  const auto text = render_issue(run_for_testing(), "id/number", std::nullopt);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("`node server.js`, stdio, lines"), std::string::npos) << *text;
}

TEST(Issue, StartsTheServerWhereTheLineThatRepeatsItLooksForIt) {
  auto run = run_for_testing();
  run.target.text = "http://127.0.0.1:26130/";
  const auto text =
      render_issue(run, "id/number", target_for_testing("alpha", targets::Group::library));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("node wrappers/alpha.js 26130"), std::string::npos) << *text;
}

TEST(Issue, IsReadableToWhoHasNeverSeenJrpcheck) {
  auto run = run_for_testing();
  auto& one = run.cases[0];
  ASSERT_EQ(one.id, "id/number");
  one.findings[0].expected = "an answer to the control call that follows";
  dialogue::Event sent;
  sent.step = one.findings[0].step;
  sent.bytes = "{}";
  sent.note = "in pieces, cut at 8, 9";
  one.transcript = {sent};
  const auto text =
      render_issue(run, "id/number", target_for_testing("alpha", targets::Group::library));
  ASSERT_TRUE(text);
  for (const char* part :
       {"Sent\n\n```text\n[in pieces, cut at 8, 9] {}\n", "an answer to the call that follows",
        "`targets/wrappers/alpha.js` in the sources of jrpcheck"}) {
    EXPECT_NE(text->find(part), std::string::npos) << part << "\n" << *text;
  }
}

TEST(Issue, AWarningIsCalledARecommendation) {
  const auto text = render_issue(run_for_testing(), "json/comment", std::nullopt);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("a recommendation, not a must"), std::string::npos) << *text;
}

TEST(Issue, ThereIsNothingToReportOfACaseThatPassesOrIsNotThere) {
  const auto passed = render_issue(run_for_testing(), "request/unknown-method", std::nullopt);
  ASSERT_FALSE(passed);
  EXPECT_NE(passed.error().message.find("it is pass"), std::string::npos);
  const auto unknown = render_issue(run_for_testing(), "id/numbre", std::nullopt);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("no case 'id/numbre'"), std::string::npos);
}

TEST(Issue, NothingThatAServerSaysIsALinkOrCallsSomebody) {
  auto run = run_for_testing();
  const std::string link = "[x](javascript:1)";
  run.target.text += " `" + link;
  run.requirements[0].requirement.text = link;
  run.cases[0].title = link + " @everyone";
  const auto text = render_issue(run, "id/number", std::nullopt);
  ASSERT_TRUE(text);
  const std::string code = "``node server.js `" + link + "``";
  const auto at = text->find(code);
  ASSERT_NE(at, std::string::npos) << *text;
  std::string rest = *text;
  rest.erase(at, code.size());
  EXPECT_EQ(rest.find("]("), rest.find("](https://www.jsonrpc.org/")) << *text;
  EXPECT_EQ(rest.find("@everyone"), std::string::npos) << *text;
}

TEST(Issue, NothingThatAServerSaysEndsAFence) {
  const auto text = render_issue(hostile_run_for_testing(), "id/number", std::nullopt);
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("`````"), std::string::npos);
}

}  // namespace issue_test
}  // namespace jrpcheck::reports
