#include "corpus/expand.hpp"

#include <gtest/gtest.h>

#include "corpus/load_case.hpp"
#include "json/parse.hpp"

namespace jrpcheck::corpus {
namespace expand_test {

constexpr const char* kCase = R"({"id": "a/b", "title": "T", "requirements": ["r"], "steps": [
  {"for-each": {"of": "tools", "most": 2},
   "send": {"json": {"jsonrpc": "2.0", "id": "${string-id}-${index}", "method": "call",
                     "params": {"name": "${item:/name}", "arguments": "${arguments:/inputSchema}"}}},
   "accept": [{"response": {"id": "${string-id}-${index}", "result": {"any": true}}}]}]})";

Catalogue catalogue_of(const std::string& tools) {
  Catalogue catalogue;
  catalogue.lists["tools"] = *json::parse(tools).value;
  return catalogue;
}

Result<Case> bound_with(const Catalogue& catalogue, const std::string& members = {}) {
  Bindings bindings{100, "text", "nobody", {}};
  bindings.catalogue = &catalogue;
  bindings.request_members = members;
  return bind(*load_case("file", kCase), bindings);
}

TEST(StepsForItems, AreOneForEachItem) {
  const auto catalogue = catalogue_of(
      R"([{"name": "one", "inputSchema": {"type": "object"}},
          {"name": "no schema"},
          {"name": "t\"wo", "inputSchema": {"type": "object"}},
          {"name": "too many", "inputSchema": {"type": "object"}}])");
  const auto bound = bound_with(catalogue);
  ASSERT_TRUE(bound) << bound.error().message;
  ASSERT_EQ(bound->steps.size(), 2U);
  EXPECT_EQ(
      bound->steps[0].messages[0],
      R"({"jsonrpc":"2.0","id":"text-0","method":"call","params":{"name":"one","arguments":{}}})");
  EXPECT_EQ(
      bound->steps[1].messages[0],
      R"({"jsonrpc":"2.0","id":"text-2","method":"call","params":{"name":"t\"wo","arguments":{}}})");
}

TEST(StepsForItems, HoldWhatTheServerListsAsItStands) {
  const auto catalogue = catalogue_of(
      R"([{"name": "${id} ${b}", "inputSchema": {"const": {"${string-id}": "${HOME}"}}}])");
  const auto bound = bound_with(catalogue);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->steps[0].messages[0],
            R"({"jsonrpc":"2.0","id":"text-0","method":"call","params":{"name":"${id} ${b}",)"
            R"("arguments":{"${string-id}":"${HOME}"}}})");
}

TEST(StepsForItems, MayBeNestedAsDeepAsACaseFile) {
  constexpr std::size_t kDepth = 200'000;
  const std::string deep =
      std::string(kDepth, '[') + R"("${item:/name}")" + std::string(kDepth, ']');
  const auto unbound = load_case("file", R"({"id": "a/b", "title": "T", "requirements": ["r"],
    "steps": [{"for-each": {"of": "tools"}, "send": {"json": )" +
                                             deep + R"(},
               "accept": [{"silence": true}]}]})");
  ASSERT_TRUE(unbound) << unbound.error().message;
  const auto catalogue = catalogue_of(R"([{"name": "one"}])");
  Bindings bindings;
  bindings.catalogue = &catalogue;
  const auto bound = bind(*unbound, bindings);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->steps[0].messages[0].text().substr(kDepth, 5), R"("one")");
}

TEST(StepsForItems, AreNoneWhereTheServerListsNothing) {
  const auto bound = bound_with(catalogue_of("[]"));
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().message.find("tools"), std::string::npos);
}

TEST(RequestMembers, StandInEveryRequestThatLacksThem) {
  const auto catalogue = catalogue_of(R"([{"name": "one", "inputSchema": {"type": "object"}}])");
  const auto bound = bound_with(catalogue, R"({"_meta":{"v":1},"name":"never"})");
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->steps[0].messages[0],
            R"({"jsonrpc":"2.0","id":"text-0","method":"call",)"
            R"("params":{"name":"one","arguments":{},"_meta":{"v":1}}})");
}

TEST(RequestMembers, StandBesideWhatIsThereAlready) {
  const auto unbound = load_case("file", R"({"id": "a/b", "title": "T", "requirements": ["r"],
    "steps": [{"send": {"json": {"id": 1, "method": "m", "params": {"_meta": {"own": 1}, "x": {}}}},
               "accept": [{"silence": true}]}]})");
  ASSERT_TRUE(unbound) << unbound.error().message;
  Bindings bindings{100, "text", "nobody", {}};
  bindings.request_members = R"({"_meta":{"v":1,"own":2},"x":{"y":2}})";
  const auto bound = bind(*unbound, bindings);
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->steps[0].messages[0],
            R"({"id":1,"method":"m","params":{"_meta":{"own":1,"v":1},"x":{"y":2}}})");
}

}  // namespace expand_test
}  // namespace jrpcheck::corpus
