#include "cli/dry_run.hpp"

#include <gtest/gtest.h>

#include "corpus/corpus_for_testing.hpp"

namespace jrpcheck::cli {
namespace {

std::string told_of(const std::string& profile, RunOptions options = {}) {
  options.profile = profile;
  if (!options.run.target) options.run.target = *transport::parse_target("http://127.0.0.1:1/");
  return dry_run(corpus::corpus_for_testing(profile), options);
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(DryRun, TellsOfTheOpeningTheListsAndTheCases) {
  const std::string text = told_of("mcp-2025-11-25");
  EXPECT_TRUE(has(text, "\"method\":\"initialize\""));
  EXPECT_TRUE(has(text, "  tools/list\n"));
  EXPECT_TRUE(has(text, "calibration/number-id\n  {"));
}

TEST(DryRun, OfAProtocolOnTopNoMethodIsLookedForByItsName) {
  EXPECT_FALSE(has(told_of("mcp-2025-11-25"), "what plays a role"));
  EXPECT_TRUE(has(told_of("jsonrpc-2.0"), "what plays a role"));
}

TEST(DryRun, TellsOfDeparturesFromAPlainPost) {
  const std::string text = told_of("bitcoin-2.0");
  EXPECT_TRUE(has(text, "bitcoin/get\n  (GET /)"));
  EXPECT_TRUE(has(text, "(without Authorization)"));
  EXPECT_TRUE(has(text, "\"method\":\"getblockcount\""));
}

TEST(DryRun, KeepsToTheSelection) {
  RunOptions options;
  options.run.selection.select = {"bitcoin/help-old"};
  const std::string text = told_of("bitcoin-2.0", options);
  EXPECT_TRUE(has(text, "bitcoin/help-old\n"));
  EXPECT_FALSE(has(text, "bitcoin/help-new\n"));
  EXPECT_TRUE(has(text, "\n1 case."));
}

TEST(DryRun, TellsByWhatProtocolsAreRecognised) {
  RunOptions options;
  options.recognises = true;
  const std::string text = told_of("jsonrpc-2.0", options);
  EXPECT_TRUE(has(text, "eth_chainId"));
  EXPECT_TRUE(has(text, "server/discover"));
  EXPECT_FALSE(has(told_of("jsonrpc-2.0"), "server/discover"));
  options.run.target = *transport::parse_target("tcp://127.0.0.1:9000");
  const std::string on_a_socket = told_of("jsonrpc-2.0", options);
  EXPECT_TRUE(has(on_a_socket, "rootUri"));
  EXPECT_FALSE(has(on_a_socket, "server/discover"));
}

}  // namespace
}  // namespace jrpcheck::cli
