#include "reference-impl/client/client_mutants.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "reference-impl/client/calls.hpp"

namespace jrpcheck::reference {
namespace client_mutants_test {

std::set<std::string> requirements_of_clients() {
  std::ifstream in(JRPCHECK_LEDGER);
  std::set<std::string> ids;
  const auto ledger = nlohmann::json::parse(in);
  for (const auto& each : ledger["requirements"]) {
    if (each["class"] == "client") ids.insert(each["id"].get<std::string>());
  }
  return ids;
}

TEST(ClientMutants, AreManyAndEachHasANameOfItsOwn) {
  std::set<std::string> names;
  const auto faults = client_faults();
  for (const auto& each : faults) EXPECT_TRUE(names.insert(each.name).second) << each.name;
  for (const auto& each : client_variants()) {
    EXPECT_TRUE(names.insert(each.name).second) << each.name;
    EXPECT_TRUE(each.breaks.certain.empty()) << each.name;
  }
  EXPECT_GE(faults.size(), 35U);
  EXPECT_GE(client_variants().size(), 8U);
}

TEST(ClientMutants, EveryFaultBreaksRequirementsOfClients) {
  const auto known = requirements_of_clients();
  for (const auto& each : client_faults()) {
    EXPECT_FALSE(each.breaks.certain.empty()) << each.name;
    for (const auto id : each.breaks.certain) EXPECT_EQ(known.count(std::string(id)), 1U) << id;
  }
}

TEST(ClientMutants, AreListedALineEach) {
  std::ostringstream out;
  write_list_of_client(out);
  const std::string text = out.str();
  EXPECT_NE(text.find("fault\ttakes-ids-as-text\tcl-id-same-type\t-\tclient-http,client-tcp,"
                      "client-ws,client-stdio\t-\tIt takes \"2\" for the id 2.\n"),
            std::string::npos)
      << text;
}

TEST(ClientMutants, ChangeWhatIsReadAndNothingElse) {
  const auto faults = client_faults();
  const auto* mutant = find_client_mutant(faults, "takes-ids-as-text");
  ASSERT_NE(mutant, nullptr);
  ClientHooks hooks;
  mutant->change(hooks);
  Calls calls;
  const auto id = calls.begin();
  const std::string answer = R"({"jsonrpc":"2.0","result":5,"id":"1"})";
  calls.take(answer);
  EXPECT_TRUE(calls.is_waiting(id));
  calls.take(hooks.reading(answer, calls.waiting()));
  EXPECT_EQ(calls.end_of(id).result, 5);
  EXPECT_EQ(hooks.sending("x"), "x");
}

}  // namespace client_mutants_test
}  // namespace jrpcheck::reference
