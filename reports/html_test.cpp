#include "reports/html.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/contains.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace html_test {

std::size_t count_of(const std::string& part, const std::string& text) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// What stands in the data island.
std::string island(const std::string& page) {
  const std::string opening = "<script type=\"application/json\" id=\"data\">";
  const auto begin = page.find(opening) + opening.size();
  return page.substr(begin, page.find("</script>", begin) - begin);
}

TEST(Html, TheDataIsTheJsonReport) {
  const auto run = run_for_testing();
  EXPECT_EQ(nlohmann::json::parse(island(render_html(run))),
            nlohmann::json::parse(render_json(run)));
  const auto hostile = hostile_run_for_testing();
  EXPECT_EQ(nlohmann::json::parse(island(render_html(hostile))),
            nlohmann::json::parse(render_json(hostile)));
}

TEST(Html, NothingInTheDataCanEndItsElement) {
  EXPECT_EQ(json_for_script("\"</script><!--&\""), "\"\\u003c/script\\u003e\\u003c!--\\u0026\"");
  EXPECT_EQ(json_for_script("\xE2\x80\xA8\xE2\x80\xA9\xC2\x85\x7f"),
            "\\u2028\\u2029\\u0085\\u007f");
  EXPECT_EQ(json_for_script("é\xE2\x80\xA7"), "é\xE2\x80\xA7");
  const std::string page = render_html(hostile_run_for_testing());
  EXPECT_EQ(count_of("<script", page), 2U);
  EXPECT_EQ(count_of("</script>", page), 2U);
  EXPECT_EQ(count_of("<img", page), 0U);
}

TEST(Html, VerdictNumbersAndLedgerStandThereWithoutAScript) {
  const std::string page = render_html(run_for_testing());
  EXPECT_TRUE(contains(page, "<div class=\"top\"><span class=\"verdict fails\">fails</span>"));
  EXPECT_TRUE(contains(page, "<b>2</b> <span class=\"verdict fail\">fail</span>"));
  EXPECT_TRUE(contains(page, "<tr id=\"req/id-echo\"><td><span class=\"verdict fail\">"));
  EXPECT_TRUE(contains(page, "batches are not served"));
}

TEST(Html, WhereNothingWasJudgedThereAreNoNumbers) {
  auto run = empty_run_for_testing();
  run.verdict = result::RunVerdict::not_json_rpc;
  const std::string page = render_html(run);
  EXPECT_FALSE(contains(page, "class=\"number"));
  EXPECT_FALSE(contains(page, "<table class=\"classes\">"));
  EXPECT_LT(page.find("cannot connect"), page.find("<div id=\"page\">"))
      << "that is what there is to read";
}

TEST(Html, AsksNoNetworkForAnything) {
  const std::string page = render_html(run_for_testing());
  for (const char* part : {"http://", " src=", "<img", "url(", "@import", "fetch(", "innerHTML"}) {
    EXPECT_FALSE(contains(page, part)) << part;
  }
  const std::string data = island(page);
  EXPECT_EQ(count_of("https://", page), count_of("https://", data))
      << "only what the data says of clauses and threads leads out";
  EXPECT_TRUE(contains(page, "content=\"default-src 'none';"));
}

TEST(Html, MarksInTextsOfTheRunAreNotFilledIn) {
  auto run = run_for_testing();
  run.target.text = "@script@ @data@";
  EXPECT_TRUE(contains(render_html(run), "<h1><code>@script@ @data@</code></h1>"));
}

}  // namespace html_test
}  // namespace jrpcheck::reports
