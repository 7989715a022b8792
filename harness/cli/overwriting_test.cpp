#include "cli/overwriting.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace jrpcheck::cli {
namespace {

std::string error_for(const std::vector<std::string>& words) {
  CLI::App app;
  std::vector<std::string> reports;
  std::vector<std::string> others;
  std::string baseline;
  std::string record;
  app.add_option("--report", reports)->allow_extra_args(false);
  app.add_option("--baseline", baseline);
  app.add_option("--record", record);
  app.add_option("FILE", others);
  app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  const auto ok = check_that_nothing_is_lost(app);
  return ok ? "" : ok.error().message;
}

class Overwriting : public ::testing::Test {
 protected:
  void SetUp() override { std::ofstream(kept_) << "{}"; }
  void TearDown() override { std::filesystem::remove(kept_); }

  // Tests run side by side, each a process.
  std::string name_ = "overwriting-" + std::to_string(::getpid()) + ".json";
  std::string kept_ = ::testing::TempDir() + name_;
};

TEST_F(Overwriting, OfAFileThatIsReadIsRefused) {
  const std::string by_another_name = ::testing::TempDir() + "./" + name_;
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--baseline", kept_, "--report", "json=" + kept_},
           {"--baseline", kept_, "--report", "json=" + by_another_name},
           {"--report", "html=" + kept_, kept_},
           {"html=" + kept_, kept_},
           {"--record", kept_, kept_},
           {"--record", kept_ + ".new", "--report", "json=" + kept_ + ".new"}}) {
    EXPECT_NE(error_for(words).find("would be written over"), std::string::npos) << words.back();
  }
}

TEST_F(Overwriting, IsNoneWhereEachFileHasOneUse) {
  for (const auto& words : std::vector<std::vector<std::string>>{
           {"--baseline", kept_, "--report", "json=" + kept_ + ".new"},
           {"--report", "json=-", "-"},
           {"--report", "json=" + std::string(300, 'x'), std::string(300, 'x')},
           {"--report", "json=absent", "absent"},
           {"--report", "json=/dev/null", "--record", "/dev/null"}}) {
    EXPECT_EQ(error_for(words), "") << words.back();
  }
}

}  // namespace
}  // namespace jrpcheck::cli
