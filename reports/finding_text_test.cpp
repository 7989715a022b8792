#include "reports/finding_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "reports/wrap.hpp"

namespace jrpcheck::reports {
namespace finding_text_test {

const FindingText kFinding = {
    "id/number",          "The id is wrong.", "known failure",
    {{"after", "[]"}},    R"({"id":1})",      R"({"id":"1"})",
    "an error with id 1", "printf x | y",     "jrpcheck explain id/number"};

TEST(FindingText, HasALineForEachThing) {
  EXPECT_EQ(finding_lines(kFinding),
            "  id/number: The id is wrong.\n"
            "    baseline  known failure\n"
            "    after     []\n"
            "    sent      {\"id\":1}\n"
            "    got       {\"id\":\"1\"}\n"
            "    expected  an error with id 1\n"
            "    try       printf x | y\n");
  EXPECT_EQ(finding_heading(Palette(false), "FAIL", "id-echo", "(2 cases)"),
            "FAIL  id-echo  (2 cases)\n");
  EXPECT_EQ(finding_heading(Palette(true), "FAIL", "id-echo", ""), "FAIL  \033[1mid-echo\033[0m\n");
}

TEST(FindingText, AHeadingFitsOntoAScreenToo) {
  const std::string clause =
      "MCP basic/transports § Streamable HTTP / Security Warning; basic/transports/streamable-http";
  EXPECT_EQ(finding_heading(Palette(false), "FAIL", "mcp-http-origin-403", clause),
            "FAIL  mcp-http-origin-403  MCP basic/transports § Streamable HTTP / Security\n"
            "      Warning; basic/transports/streamable-http\n");
  const Palette palette(true);
  EXPECT_EQ(finding_heading(palette, palette.verdict(result::Verdict::fail, "FAIL"), "id", clause),
            "\033[1;31mFAIL\033[0m  \033[1mid\033[0m\033[2m  MCP basic/transports § Streamable "
            "HTTP / Security Warning;\n      basic/transports/streamable-http\033[0m\n");
}

TEST(FindingText, ACrashHasLinesOfItsOwn) {
  auto finding = kFinding;
  finding.got =
      R"(exited with code 1; standard error ends with: TypeError: no\nat run (/srv/server.js:4:9))";
  EXPECT_NE(
      finding_lines(finding).find("    got       exited with code 1; standard error ends with:\n"
                                  "              TypeError: no\n"
                                  "              at run (/srv/server.js:4:9)\n"),
      std::string::npos)
      << finding_lines(finding);
}

TEST(FindingText, FitsOntoAScreenWhateverAServerSays) {
  auto finding = kFinding;
  const std::string long_text =
      "standard error ends with: " + std::string(5000, 'x') + "\\n\033[2J" + std::string(90, 'y');
  finding.sentence = finding.sent = finding.got = finding.expected = long_text;
  finding.reproduce = "curl " + std::string(3000, 'z');
  const std::string text = finding_lines(finding);
  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = text.find('\n', begin);
    EXPECT_LE(columns_of(text.substr(begin, end - begin)), kScreenWidth);
    begin = end + 1;
  }
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text.find("try       jrpcheck explain id/number\n"), std::string::npos)
      << "what nobody would type is not shown: " << text;
}

TEST(FindingText, WhereThereIsNoOtherWayTheLineIsWhole) {
  auto finding = kFinding;
  finding.otherwise.clear();
  finding.reproduce = "curl " + std::string(500, 'z');
  EXPECT_NE(finding_lines(finding).find("    try       " + finding.reproduce + "\n"),
            std::string::npos);
}

}  // namespace finding_text_test
}  // namespace jrpcheck::reports
