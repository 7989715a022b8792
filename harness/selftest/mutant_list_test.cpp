#include "selftest/mutant_list.hpp"

#include <gtest/gtest.h>

#include <set>

#include <algorithm>

namespace jrpcheck::selftest {
namespace mutant_list_test {

using Names = std::vector<std::string>;

TEST(MutantList, LinesAreReadFieldByField) {
  const auto list = parse_mutants(
      "fault\tid-lost\tid-echo,res-always\tbat-*,res-once\thttp,lines\tmcp\tThe id is lost.\n"
      "variant\tslow\t-\t-\tlines\t-\tAnswers late.\n");
  ASSERT_TRUE(list) << list.error().message;
  ASSERT_EQ(list->size(), 2U);
  const Mutant& fault = list->at(0);
  EXPECT_EQ(fault.kind, Mutant::Kind::fault);
  EXPECT_EQ(fault.name, "id-lost");
  EXPECT_EQ(fault.requirements, (Names{"id-echo", "res-always"}));
  EXPECT_EQ(fault.consequences, (Names{"bat-*", "res-once"}));
  EXPECT_EQ(fault.opening, "mcp");
  EXPECT_EQ(fault.transports, (Names{"http", "lines"}));
  EXPECT_EQ(fault.about, "The id is lost.");
  EXPECT_EQ(list->at(1).kind, Mutant::Kind::variant);
  EXPECT_EQ(list->at(1).requirements, Names{});
}

TEST(MutantList, WhatIsNoListIsRefused) {
  for (const char* text : {"", "\n", "\n\nhello\n", "hello\n", "fault\tname\treq\thttp\n",
                           "other\ta\tb\tc\td\te\tf\n", "fault\ta\tb\tc\td\te\tf\tg\n"}) {
    EXPECT_FALSE(parse_mutants(text)) << text;
  }
}

TEST(MutantList, DeepFaultsAreAKindOfTheirOwn) {
  const auto list = parse_mutants("deep\tname\tid-echo\t-\tlines\t-\tA sentence.\n");
  ASSERT_TRUE(list);
  EXPECT_EQ(list->front().kind, Mutant::Kind::deep);
  EXPECT_EQ(name_of(list->front().kind), "deep");
}

TEST(MutantList, ComesFromTheReferenceServer) {
  const auto list = read_mutants(REFERENCE_PROGRAM);
  ASSERT_TRUE(list) << list.error().message;
  const auto faults = std::count_if(list->begin(), list->end(), [](const Mutant& each) {
    return each.kind == Mutant::Kind::fault;
  });
  EXPECT_GT(faults, 100);
  EXPECT_LT(static_cast<std::size_t>(faults), list->size());
}

TEST(MutantList, ClientsOfProtocolsHaveNamesOfTheirOwn) {
  const auto list = read_mutants(REFERENCE_PROGRAM);
  ASSERT_TRUE(list) << list.error().message;
  std::set<std::string> profiles;
  for (const auto& each : *list) {
    if (each.is_of_client()) profiles.insert(each.profile);
    for (const auto& other : *list) {
      const bool are_two = each.is_of_client() && !other.is_of_client();
      EXPECT_FALSE(are_two && each.name == other.name) << each.name;
    }
  }
  EXPECT_TRUE(profiles.contains("lsp"));
  EXPECT_TRUE(profiles.contains("mcp-2025-11-25"));
  EXPECT_TRUE(profiles.contains("mcp-2026-07-28"));
}

TEST(MutantList, AMissingProgramIsNamed) {
  const auto list = read_mutants("/nowhere/jrpcheck-reference");
  ASSERT_FALSE(list);
  EXPECT_NE(list.error().message.find("/nowhere/jrpcheck-reference"), std::string::npos);
}

TEST(MutantList, AProgramThatPrintsSomethingElseIsRefused) {
  EXPECT_FALSE(read_mutants("/bin/false"));
  EXPECT_FALSE(read_mutants("/bin/echo"));
}

TEST(MutantList, TheReferenceServerStandsBesideTheRunningProgram) {
  EXPECT_EQ(reference_program_beside_this_one(), REFERENCE_PROGRAM);
}

}  // namespace mutant_list_test
}  // namespace jrpcheck::selftest
