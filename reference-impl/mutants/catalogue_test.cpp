#include "reference-impl/mutants/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>

namespace jrpcheck::reference {
namespace catalogue_test {

std::vector<Mutant> all() {
  std::vector<Mutant> mutants = faults();
  for (const auto& more : {deep_faults(), variants()}) {
    mutants.insert(mutants.end(), more.begin(), more.end());
  }
  return mutants;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in{std::string(text)};
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

/// The level of each requirement of the ledger.
std::map<std::string, std::string> levels() {
  std::ifstream in(JRPCHECK_LEDGER);
  std::map<std::string, std::string> levels;
  const auto ledger = nlohmann::json::parse(in);
  for (const auto& requirement : ledger["requirements"]) {
    levels[requirement["id"]] = requirement["level"];
  }
  return levels;
}

TEST(Catalogue, NamesEveryMutantOnce) {
  std::set<std::string_view> names;
  for (const Mutant& each : all()) EXPECT_TRUE(names.insert(each.name).second) << each.name;
}

TEST(Catalogue, NamesAreWordsWithHyphens) {
  for (const Mutant& each : all()) {
    EXPECT_EQ(each.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-."),
              std::string_view::npos)
        << each.name;
  }
}

TEST(Catalogue, EveryFaultIsForbiddenByRequirementsOfTheLedger) {
  const auto levels_by_id = levels();
  std::vector<Mutant> all_faults = faults();
  const auto deep = deep_faults();
  all_faults.insert(all_faults.end(), deep.begin(), deep.end());
  const auto v1 = faults_of_1_0();
  all_faults.insert(all_faults.end(), v1.begin(), v1.end());
  for (const Mutant& fault : all_faults) {
    EXPECT_FALSE(fault.breaks.certain.empty()) << fault.name << " breaks nothing by itself";
    for (const auto& ids : {fault.breaks.certain, fault.breaks.possible}) {
      for (const std::string_view id : ids) {
        const auto found = levels_by_id.find(std::string(id));
        ASSERT_NE(found, levels_by_id.end()) << fault.name << " names " << id;
        EXPECT_NE(found->second, "info") << fault.name << ": nothing can break " << id;
      }
    }
  }
}

TEST(Catalogue, NoVariantIsForbidden) {
  for (const Mutant& variant : variants()) {
    EXPECT_TRUE(variant.breaks.certain.empty()) << variant.name;
    EXPECT_TRUE(variant.breaks.possible.empty()) << variant.name;
  }
}

TEST(Catalogue, HoldsEnoughToJudgeAJudge) {
  EXPECT_GE(faults().size(), 120U);
  EXPECT_GE(deep_faults().size(), 75U);
  EXPECT_GE(variants().size(), 30U);
}

TEST(Catalogue, ShowsMutantsOnlyOnTransportsThatTheyTouch) {
  for (const Mutant& each : all()) {
    const Behaviour behaviour = each.behaviour();
    const bool touches_streams_alone =
        !behaviour.reply && (behaviour.framing || !behaviour.greeting.empty() ||
                             !behaviour.first_message.empty() || behaviour.end_of_stream);
    EXPECT_FALSE(touches_streams_alone && (each.transports & kHttp) != 0) << each.name;
    EXPECT_FALSE(behaviour.answer && each.transports != kHttp) << each.name;
    EXPECT_NE(each.transports, 0U) << each.name;
  }
}

TEST(Catalogue, SaysEachMutantInOneSentence) {
  for (const Mutant& each : all()) {
    EXPECT_TRUE(each.about.ends_with('.')) << each.name;
    EXPECT_EQ(each.about.find_first_of("\t\n"), std::string_view::npos) << each.name;
  }
}

TEST(Catalogue, FindsByName) {
  const auto all_faults = faults();
  const Mutant* found = find(all_faults, "id-counted");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->name, "id-counted");
  EXPECT_EQ(find(all_faults, "no-such-fault"), nullptr);
}

TEST(Catalogue, ListsOneMutantALine) {
  std::ostringstream out;
  write_list(out);
  const auto lines = split(out.str(), '\n');
  ASSERT_EQ(lines.size(), all().size());
  EXPECT_EQ(lines.front(),
            "fault\tid-null-is-absent\tid-null-request\t-\thttp,lines,content-length\t-\t"
            "A call with id null is taken for a Notification.");
  for (const std::string& line : lines) EXPECT_EQ(split(line, '\t').size(), 7U) << line;
  EXPECT_EQ(std::count_if(lines.begin(), lines.end(),
                          [](const std::string& line) {
                            return line.starts_with("variant\t") || line.starts_with("refusal\t");
                          }),
            static_cast<std::ptrdiff_t>(variants().size()));
}

}  // namespace catalogue_test
}  // namespace jrpcheck::reference
