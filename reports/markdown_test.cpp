#include "reports/markdown.hpp"

#include <gtest/gtest.h>

#include <string>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace markdown_test {

TEST(Markdown, BeginsWithTheVerdictAndTheNumbers) {
  const std::string text = render_markdown(run_for_testing());
  EXPECT_EQ(
      text.rfind("## JSON-RPC 2.0: ❌ fails\n\n**Breaks 1 of 3 core rules; loses or mixes up "
                 "answers in two cases; batches are not served.**\n\n`node server.js` (stdio, "
                 "lines), 2 of 3 applicable must exercised\n",
                 0),
      0U)
      << text;
  EXPECT_TRUE(contains(text, "| **cases** | ❌ fails | 1 | 1 | 2 | 1 | 0 |\n"));
  EXPECT_TRUE(contains(text, "| core requirements | ❌ fails | 1 | 1 | 1 | 1 | 0 |\n"));
}

TEST(Markdown, WhereNothingWasJudgedNothingIsCounted) {
  auto run = empty_run_for_testing();
  run.verdict = result::RunVerdict::unreachable;
  const std::string text = render_markdown(run);
  EXPECT_TRUE(contains(text, "**Nobody is there, or nobody says anything: nothing was judged.**"));
  EXPECT_FALSE(contains(text, "pass")) << text;
  EXPECT_TRUE(contains(text, "> cannot connect\n"));
}

TEST(Markdown, AFindingShowsItsEvidenceAndItsOtherCases) {
  const std::string text = render_markdown(run_for_testing());
  EXPECT_TRUE(contains(text, "<summary>❌ fail <b>id-echo</b> JSON-RPC 2.0 §5 (2 cases)</summary>"));
  EXPECT_TRUE(contains(text,
                       "```text\nsent      {\"id\":1}\ngot       {\"id\":\"1\"}\n"
                       "expected  an error with id 1\n```"));
  EXPECT_TRUE(contains(text, "Also in `id/string`."));
  EXPECT_LT(text.find("id-echo"), text.find("json-extensions")) << "failures come first";
}

TEST(Markdown, FitsIntoOneComment) {
  auto run = run_for_testing();
  for (int i = 0; i < 300; ++i) {
    const std::string id = "more-" + std::to_string(i);
    run.requirements.push_back(
        {requirement_named(id, corpus::Level::must), result::Verdict::fail, ""});
    auto one = run.cases[0];
    one.findings[0].requirement = id;
    run.cases.push_back(one);
  }
  const std::string text = render_markdown(run);
  EXPECT_LT(text.size(), 65'536U);
  EXPECT_TRUE(contains(text, "more findings did not fit"));
  EXPECT_LT(render_markdown(hostile_run_for_testing()).size(), 65'536U);
}

TEST(Markdown, TextStaysText) {
  EXPECT_EQ(escape_markdown("<b> *x* | [a](b) `c`"), "\\<b\\> \\*x\\* \\| \\[a\\]\\(b\\) \\`c\\`");
  EXPECT_EQ(escape_markdown("@all"),
            "@\xE2\x80\x8B"
            "all");
  EXPECT_EQ(escape_markdown("https://a.b/c www.a.b"), "https:\\//a.b/c www\\.a.b");
  EXPECT_EQ(markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(markdown_code("`"), "`` ` ``");
  EXPECT_EQ(markdown_block("a\n```\nb"), "````text\na\n```\nb\n````\n");
}

// What is mended first is read first.
TEST(Markdown, LeadsWithTheCauseOfMostFailures) {
  auto run = run_for_testing();
  for (int i = 0; i < 8; ++i) {
    auto one = case_named("http/failing-" + std::to_string(i), result::Verdict::fail, "{}");
    one.findings.push_back({"req-version",
                            corpus::Verdict::fail,
                            judge::Symptom::reply_not_json,
                            {},
                            "a Response",
                            "HTTP 500"});
    one.transcript.push_back(
        {dialogue::Direction::received, microseconds(20), "HTTP/1.1 500 X\r\n\r\n<html>", "", 0});
    run.counts.add(one.verdict);
    run.cases.push_back(std::move(one));
  }
  const std::string text = render_markdown(run);
  EXPECT_NE(text.find("\n\n8 of 11 cases that fail or warn are one HTTP 500: fix this first."),
            std::string::npos)
      << text;
}

}  // namespace markdown_test
}  // namespace jrpcheck::reports
