#include "corpus/load_parts.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "corpus/load_case.hpp"
#include "corpus/one_case_for_testing.hpp"
#include "json/value.hpp"

namespace jrpcheck::corpus {
namespace load_parts_test {

Result<std::vector<Case>> with_send(std::string_view message) {
  return load_cases("a.json", edited(R"({"json": {"id": 1}})", message));
}

std::string sent(std::string_view message) {
  const auto cases = with_send(message);
  return cases ? cases->front().steps.at(0).messages.at(0).text() : cases.error().message;
}

TEST(LoadParts, ATextIsThereOnceForEachNumber) {
  EXPECT_EQ(sent(R"({"parts": ["[", {"each": "{\"id\":\"${n}\",\"a\":\"x${n}\"}", "from": 9,
                    "to": 11, "join": ","}, "]"]})"),
            R"([{"id":9,"a":"x9"},{"id":10,"a":"x10"},{"id":11,"a":"x11"}])");
  EXPECT_EQ(sent(R"({"parts": [{"each": "${n}", "from": 1, "to": 3}]})"), "123");
}

TEST(LoadParts, MistakesAreNamed) {
  for (const std::string_view part : {R"({"each": "x"})", R"({"each": "x", "from": 2, "to": 1})",
                                      R"({"each": "x", "from": 1, "to": 1000000})"}) {
    const auto cases = with_send(R"({"parts": [)" + std::string(part) + "]}");
    ASSERT_FALSE(cases) << part;
    EXPECT_NE(cases.error().message.find("\"from\" and \"to\""), std::string::npos)
        << cases.error().message;
  }
  EXPECT_FALSE(with_send(R"({"parts": [{"each": "x", "from": -1, "to": 1}]})"));
  EXPECT_FALSE(with_send(R"({"parts": [{"each": "x", "from": 1, "to": 2, "times": 3}]})"));
  EXPECT_FALSE(with_send(R"({"parts": [{"repeat": "x", "times": 3, "join": ","}]})"));
  EXPECT_FALSE(with_send(R"({"parts": [{}]})"));
}

// The first outcome of a case whose only outcome reads like this.
Result<Case> accepting(const std::string& outcome) {
  return load_case("a.json", R"({"id": "a/b", "title": "T", "requirements": ["res-always"],
      "steps": [{"send": {"text": "1"}, "accept": [)" +
                                 outcome + "]}]}");
}

TEST(LoadParts, IdsAndResultsCanBeBuilt) {
  const auto one = accepting(
      R"({"response": {"id": {"parts": ["\"", {"repeat": "ab", "times": 3}, "\""]},
                       "result": {"parts": ["[", {"repeat": "7", "times": 4}, "]"]}}})");
  ASSERT_TRUE(one) << one.error().message;
  const auto& response = one->steps[0].accept[0].responses[0];
  EXPECT_EQ(json::write(response.id.any_of.at(0)), R"("ababab")");
  EXPECT_EQ(json::write(*response.result->equals), "[7777]");
}

TEST(LoadParts, WhatIsBuiltMustBeJson) {
  EXPECT_FALSE(accepting(R"({"response": {"id": {"parts": ["\""]}, "result": {"any": true}}})"));
}

TEST(LoadParts, AResponseIsThereOnceForEachNumber) {
  const auto one = accepting(
      R"({"batch": [{"each": {"id": "${n}", "error": {"code": -32601}}, "from": 5, "to": 7},
                    {"id": "x", "result": {"any": true}}]})");
  ASSERT_TRUE(one) << one.error().message;
  const auto& responses = one->steps[0].accept[0].responses;
  ASSERT_EQ(responses.size(), 4U);
  EXPECT_EQ(json::write(responses[0].id.any_of.at(0)), "5");
  EXPECT_EQ(json::write(responses[2].id.any_of.at(0)), "7");
}

TEST(LoadParts, TheEndOfAProgramNeedsTheEndOfItsInput) {
  EXPECT_FALSE(accepting(R"({"exited": true})"));
  const auto one = load_case("a.json", R"({"id": "a/b", "title": "T",
      "requirements": ["std-eof"], "transports": ["lines"],
      "steps": [{"send": {"text": ""}, "end-of-input": true, "accept": [{"exited": true}]}]})");
  EXPECT_TRUE(one) << one.error().message;
}

}  // namespace load_parts_test
}  // namespace jrpcheck::corpus
