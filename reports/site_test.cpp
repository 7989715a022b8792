#include "reports/site.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>

#include "base/contains.hpp"
#include "reports/site_for_testing.hpp"
#include "reports/target_words.hpp"

namespace jrpcheck::reports {
namespace site_test {

using Pages = std::map<std::string, std::string>;

Pages rendered_site(const std::vector<SiteRecord>& records) {
  Pages pages;
  for (auto& file : render_site(records)) {
    EXPECT_TRUE(pages.emplace(file.path, file.text).second) << file.path << " is there twice";
  }
  return pages;
}

const Pages& pages_for_testing() {
  static const Pages pages = rendered_site(site_for_testing());
  return pages;
}

// Where what is found on a page leads to, as a path in the site.
std::string path_from(const std::string& page, const std::string& address) {
  const auto slash = page.rfind('/');
  std::string base = slash == std::string::npos ? "" : page.substr(0, slash + 1);
  std::string rest = address.substr(0, address.find('#'));
  if (rest.starts_with("../")) {
    rest = rest.substr(3);
    base.clear();
  }
  return rest.empty() ? page : base + rest;
}

TEST(Site, NoNameOfAFileAndNoDayIsMarkup) {
  const std::string markup = "<img src=x onerror=y>";
  auto records = site_for_testing();
  for (auto& record : records) {
    record.about.name += markup;
    if (record.run) record.run->started = markup + record.run->started;
  }
  for (const auto& [path, text] : rendered_site(records)) {
    if (!path.ends_with(".html")) continue;
    EXPECT_FALSE(contains(text, "<img src=x")) << path;
  }
}

TEST(Site, PackagesAreWordsOfTheShell) {
  auto target = target_for_testing("alpha", targets::Group::library);
  target.npm = {"alpha@1.2.3", "b;reboot"};
  target.apt = {"$(reboot)"};
  const auto lines = lines_to_start(target);
  EXPECT_TRUE(contains(lines, "npm install alpha@1.2.3 'b;reboot'\n")) << lines;
  EXPECT_TRUE(contains(lines, "apt-get install '$(reboot)'\n")) << lines;
}

TEST(Site, ClientsOfAProtocolAreStartedWithoutADriver) {
  auto target = target_for_testing("gamma", targets::Group::client);
  EXPECT_TRUE(contains(lines_to_start(target), "jrpcheck client --door http --driver -- "));
  target.profile = "mcp";
  EXPECT_TRUE(contains(lines_to_start(target), "jrpcheck client --door http --profile mcp -- "))
      << lines_to_start(target);
}

TEST(Site, EveryLinkLeadsToAPageThatIsThere) {
  const auto& pages = pages_for_testing();
  const std::regex link("(?:href|src)=\"([^\"]*)\"");
  std::size_t checked = 0;
  for (const auto& [path, text] : pages) {
    if (!path.ends_with(".html") || path.ends_with("-run.html")) continue;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link);
         it != std::sregex_iterator(); ++it) {
      const std::string address = (*it)[1];
      if (address.starts_with("https://") || address.starts_with("data:")) continue;
      EXPECT_TRUE(pages.contains(path_from(path, address))) << path << " leads to " << address;
      ++checked;
    }
  }
  EXPECT_GT(checked, 100U);
}

TEST(Site, EveryPlaceOnAPageThatALinkNamesIsThere) {
  const auto& pages = pages_for_testing();
  const std::regex link("href=\"([^\"]*)#([^\"]+)\"");
  std::size_t checked = 0;
  for (const auto& [path, text] : pages) {
    if (!path.ends_with(".html") || path.ends_with("-run.html")) continue;
    for (auto it = std::sregex_iterator(text.begin(), text.end(), link);
         it != std::sregex_iterator(); ++it) {
      const std::string address = (*it)[1];
      if (address.starts_with("https://") || (*it)[2] == "main") continue;
      const auto page = pages.find(path_from(path, address));
      ASSERT_NE(page, pages.end());
      EXPECT_TRUE(contains(page->second, " id=\"" + std::string((*it)[2]) + "\""))
          << path << " leads to " << (*it)[0];
      ++checked;
    }
  }
  EXPECT_GT(checked, 10U);
}

TEST(Site, IsTheSameInWhateverOrderTheRecordsCome) {
  auto records = site_for_testing();
  const auto one = rendered_site(records);
  std::reverse(records.begin(), records.end());
  EXPECT_EQ(rendered_site(records), one);
}

TEST(Site, TablesAreByKindAndTellWhoWasNotJudged) {
  const auto& overview = pages_for_testing().at("index.html");
  for (const char* title : {"Libraries", "Clients", "Others"}) {
    EXPECT_TRUE(contains(overview, title)) << title;
  }
  EXPECT_FALSE(contains(overview, "MCP servers"));
  EXPECT_TRUE(contains(overview, "npm install failed: 404"));
  EXPECT_LT(overview.find(">beta<"), overview.find(">alpha<")) << "the best comes first";
}

TEST(Site, APageOfATargetTellsWhatBreaksAndHowToRepeatIt) {
  const auto& page = pages_for_testing().at("targets/gamma.html");
  for (const char* part :
       {"The Response has the wrong id", "scripts/targets gamma", "npm install gamma@1.2.3",
        "jrpcheck client --door http --driver -- node wrappers/gamma.js 8545", "gamma.svg",
        "The wrapper parses.", "requirements/id-echo.html", "gamma-run.html"}) {
    EXPECT_TRUE(contains(page, part)) << part;
  }
}

std::string page_after(const result::Run& campaign) {
  auto record = record_for_testing("fuzzed", targets::Group::library, "2026-01-02",
                                   conforming_run_for_testing());
  record.fuzzed = campaign;
  return rendered_site({record}).at("targets/fuzzed.html");
}

TEST(Site, APageOfATargetTellsHowMuchWasFuzzed) {
  auto campaign = conforming_run_for_testing();
  campaign.notes = {"This is a campaign of 338 messages."};
  const auto page = page_after(campaign);
  EXPECT_TRUE(contains(page, "What fuzzing found"));
  EXPECT_TRUE(contains(page, "This is a campaign of 338 messages."));
}

TEST(Site, ACampaignThatCouldNotBeginHasNotFoundNothing) {
  result::Run campaign;
  campaign.notes = {"the opening was refused"};
  const auto page = page_after(campaign);
  EXPECT_TRUE(contains(page, "the opening was refused"));
  EXPECT_FALSE(contains(page, "What fuzzing found"));
}

TEST(Site, APageOfATargetThatCouldNotBeStartedSaysWhy) {
  const auto& page = pages_for_testing().at("targets/delta.html");
  EXPECT_TRUE(contains(page, "not judged"));
  EXPECT_TRUE(contains(page, "npm install failed: 404"));
  EXPECT_FALSE(contains(page, "delta.svg"));
}

TEST(Site, APageOfARequirementTellsWhoBreaksIt) {
  const auto& page = pages_for_testing().at("requirements/id-echo.html");
  EXPECT_TRUE(contains(page, "id=\"alpha\""));
  EXPECT_TRUE(contains(page, "id=\"gamma\""));
  EXPECT_FALSE(contains(page, "id=\"delta\""));
}

TEST(Site, WhatChangedSinceTheRoundBeforeIsTold) {
  const auto& pages = pages_for_testing();
  EXPECT_TRUE(contains(pages.at("changes.html"), "1 of 1 targets that were judged twice changed."));
  EXPECT_TRUE(contains(pages.at("changes.html"), "id/number"));
  EXPECT_TRUE(contains(pages.at("index.html"), "1 better"));
  const auto& page = pages.at("targets/alpha.html");
  EXPECT_LT(page.find("2026-01-03</b>"), page.find("2026-01-02</b>")) << "the newest first";
}

TEST(Site, WhatAHostileServerSaysIsText) {
  for (const auto& [path, text] : pages_for_testing()) {
    if (!path.ends_with(".html")) continue;
    EXPECT_FALSE(contains(text, "<img src=x")) << path;
    EXPECT_FALSE(contains(text, "<script>window")) << path;
  }
}

TEST(Site, AsksNoNetworkForAnything) {
  for (const auto& [path, text] : pages_for_testing()) {
    for (const char* part : {"src=\"http", "url(http", "@import", "href=\"//"}) {
      EXPECT_FALSE(contains(text, part)) << path << " holds " << part;
    }
  }
}

}  // namespace site_test
}  // namespace jrpcheck::reports
