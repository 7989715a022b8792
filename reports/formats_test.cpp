#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>

#include "reports/evidence.hpp"
#include "reports/hostile_run_for_testing.hpp"
#include "reports/report.hpp"

namespace jrpcheck::reports {
namespace formats_test {

TEST(Formats, HaveNamesOfTheirOwnAndSaySomething) {
  std::set<std::string_view> names;
  for (const auto& format : kFormats) {
    EXPECT_TRUE(names.insert(format.name).second) << format.name;
    EXPECT_FALSE(format.summary.empty()) << format.name;
    EXPECT_FALSE(format.render(run_for_testing()).empty()) << format.name;
  }
  for (const auto* name : {"json", "junit", "sarif", "tap", "markdown", "badge"}) {
    EXPECT_EQ(names.count(name), 1U) << name;
  }
}

TEST(Formats, TheSameRunIsTheSameText) {
  for (const auto& format : kFormats) {
    EXPECT_EQ(format.render(run_for_testing()), format.render(run_for_testing())) << format.name;
  }
}

TEST(Formats, ABadgeInAnSvgFileIsAPicture) {
  EXPECT_EQ(find_format("badge", "a.svg")->name, "badge-svg");
  EXPECT_EQ(find_format("badge", "a.json")->name, "badge");
  EXPECT_EQ(find_format("badge", "-")->name, "badge");
  EXPECT_EQ(find_format("json", "a.svg")->name, "json");
  EXPECT_EQ(find_format("nothing", "a.svg"), nullptr);
}

TEST(Formats, NoControlCharacterOfAServerIsInAnyText) {
  for (const auto& format : kFormats) {
    const std::string text = format.render(hostile_run_for_testing());
    for (const char control : {'\033', '\a', '\0', '\x0b'}) {
      EXPECT_EQ(text.find(control), std::string::npos)
          << format.name << " " << static_cast<int>(control);
    }
    // Others are shown by programs that know such marks.
    if (format.name == "markdown" || format.name == "tap") {
      EXPECT_EQ(text.find("\xE2\x80\xAE"), std::string::npos) << format.name << ": right to left";
    }
    EXPECT_EQ(text.find("\n::"), std::string::npos) << format.name << ": a command to a CI log";
  }
}

// HTML is printed into no log.
TEST(Formats, NothingThatIsSaidIsACommandToTheLogOfAJob) {
  std::string words;
  for (int i = 0; i < 40; ++i) words += " ::error::" + std::to_string(i);
  words += "\n::error::\n\xE3\x80\x80::error:: ##[error] ##vso[task.x] ##teamcity[x]";
  auto run = run_for_testing();
  run.target.text += words;
  run.interrupted = words;
  run.notes = {words};
  for (auto& one : run.cases) {
    one.title += words;
    one.reproduce += "\n" + words;
    if (!one.reason.empty()) one.reason += words;
    for (auto& finding : one.findings) finding.particulars = finding.actual = words;
  }
  const std::regex command("(^|\n)(\\s|\xE3\x80\x80)*::|##(\\[|vso\\[|teamcity\\[)");
  for (const auto& format : kFormats) {
    if (format.name == "html") continue;
    std::smatch found;
    const std::string text = format.render(run);
    std::regex_search(text, found, command);
    EXPECT_TRUE(found.empty()) << format.name << ": " << found.str();
  }
}

TEST(EscapeXml, LeavesNothingThatXmlForbids) {
  EXPECT_EQ(escape_xml("<a b=\"c\" d='e'>&</a>"),
            "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;&lt;/a&gt;");
  const std::string replaced = "\xEF\xBF\xBD";
  EXPECT_EQ(escape_xml(std::string("\0\x1b", 2)), replaced + replaced);
  EXPECT_EQ(escape_xml("\xff"), replaced);
  EXPECT_EQ(escape_xml("\xEF\xBF\xBE"), replaced);
  EXPECT_EQ(escape_xml("\xED\xA0\x80"), replaced + replaced + replaced);
  EXPECT_EQ(escape_xml("\xE2\x82"), replaced + replaced);
  EXPECT_EQ(escape_xml("é\t\n😀"), "é\t\n😀");
}

}  // namespace formats_test
}  // namespace jrpcheck::reports
