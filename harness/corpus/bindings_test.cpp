#include "corpus/bindings.hpp"

#include <gtest/gtest.h>

#include <string>

#include "corpus/load_case.hpp"

namespace jrpcheck::corpus {
namespace bindings_test {

Bindings some_bindings() {
  Bindings bindings;
  bindings.first_id = 40;
  bindings.string_id = "s-1";
  bindings.unknown_method = "nobody";
  bindings.roles = {{"echo", "my.echo"}};
  return bindings;
}

// A case whose `send` holds this message and whose one outcome has this id.
Case case_with(const std::string& message, const std::string& id = "null") {
  auto one = load_case("a.json", R"({"id": "a/b", "title": "T", "requirements": ["id-echo"],
      "derived-from": {"case": "a/c", "edit": {"replace": "${id}", "with": "${nonsense}"}},
      "steps": [{"send": )" + message +
                                     R"(, "accept": [
          {"response": {"error": {"any": true}, "id": )" +
                                     id + R"(}}]}]})");
  EXPECT_TRUE(one) << one.error().message;
  return one ? *std::move(one) : Case();
}

std::string bound_message(const std::string& message, const Bindings& bindings = some_bindings()) {
  const auto bound = bind(case_with(message), bindings);
  return bound ? bound->steps.at(0).messages.at(0).text() : bound.error().message;
}

TEST(Bindings, AStringThatIsNothingButAnIdBecomesTheNumber) {
  EXPECT_EQ(bound_message(R"({"json": {"id": "${id}"}})"), R"({"id":40})");
  EXPECT_EQ(bound_message(R"({"json": ["${id}", "${id2}", "${id9}"]})"), "[40,41,48]");
}

TEST(Bindings, AnIdWithinAStringStaysText) {
  EXPECT_EQ(bound_message(R"({"json": {"id": "x${id}"}})"), R"({"id":"x40"})");
  EXPECT_EQ(bound_message(R"({"json": {"id": "${id}x"}})"), R"({"id":"40x"})");
}

TEST(Bindings, AnIdBecomesTheNumberAlsoInTheJsonOfAText) {
  EXPECT_EQ(bound_message(R"({"text": "{\"id\":\"${id}\"}"})"), R"({"id":40})");
  EXPECT_EQ(bound_message(R"({"text": "{\"id\" : ${id}}"})"), R"({"id" : 40})");
  EXPECT_EQ(bound_message(R"({"parts": ["{\"id\":\"${id2}\"", "}"]})"), R"({"id":41})");
}

TEST(Bindings, NamesAndStringIdsStayStrings) {
  EXPECT_EQ(bound_message(R"({"json": ["${string-id}", "${unknown}", "${unknown2}",
                                       "rpc.${unknown}", "${method:echo}"]})"),
            R"(["s-1","nobody","nobody2","rpc.nobody","my.echo"])");
  EXPECT_EQ(bound_message(R"({"text": "{\"method\":\"${method:echo}\",\"id\":\"${string-id}\"}"})"),
            R"({"method":"my.echo","id":"s-1"})");
}

TEST(Bindings, NamesOfMembersAreReplacedToo) {
  EXPECT_EQ(bound_message(R"({"json": {"${unknown}": 1}})"), R"({"nobody":1})");
}

TEST(Bindings, AMethodsNameIsEscapedForTheStringsItStandsIn) {
  Bindings bindings = some_bindings();
  bindings.roles["echo"] = "a\"b\\c\n";
  EXPECT_EQ(bound_message(R"({"json": "${method:echo}"})", bindings), R"("a\"b\\c\n")");
  EXPECT_EQ(bound_message(R"({"text": "{\"method\":\"${method:echo}\"}"})", bindings),
            R"({"method":"a\"b\\c\n"})");
}

TEST(Bindings, WhatMayComeBackIsBoundLikeWhatIsSent) {
  const auto bound =
      bind(case_with(R"({"json": 1})", R"({"any-of": [null, "${id}", "${string-id}"]})"),
           some_bindings());
  ASSERT_TRUE(bound) << bound.error().message;
  const auto& ids = bound->steps.at(0).accept.at(0).responses.at(0).id.any_of;
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_EQ(json::write(ids[1]), "40");
  EXPECT_EQ(json::write(ids[2]), R"("s-1")");
}

TEST(Bindings, NumberTokensSurviveBinding) {
  EXPECT_EQ(bound_message(R"({"json": [1.0, 9007199254740993, "${id}", 1e400]})"),
            "[1.0,9007199254740993,40,1e400]");
}

TEST(Bindings, OutcomesOfOtherTransportsAreDropped) {
  auto one = load_case("a.json", R"({"id": "a/b", "title": "T", "requirements": ["id-echo"],
      "steps": [{"send": {"text": "1"}, "accept": [
          {"refused": true, "transports": ["http"]}, {"silence": true},
          {"closed": true, "transports": ["lines", "content-length"]}]}]})");
  ASSERT_TRUE(one) << one.error().message;
  const auto shapes = [&](const std::string& transport) {
    Bindings bindings = some_bindings();
    bindings.transport = transport;
    const auto bound = bind(*one, bindings);
    std::string names;
    for (const auto& outcome : bound->steps.at(0).accept)
      names += std::string(name_of(outcome.shape)) + " ";
    return names;
  };
  EXPECT_EQ(shapes("http"), "refused silence ");
  EXPECT_EQ(shapes("lines"), "silence closed ");
  EXPECT_EQ(shapes("concatenated"), "silence ");
  EXPECT_EQ(shapes(""), "refused silence closed ");
}

// As MCP has it from 2025-11-25 on (schema JSONRPCErrorResponse).
TEST(Bindings, AnErrorOfNullMayComeWithoutAnIdWhereTheProfileLetsIt) {
  const auto may_lack_id = [](const std::string& id, bool is_let) {
    Case unbound = case_with(R"({"json": 1})", id);
    unbound.errors_without_id = is_let;
    const auto bound = bind(unbound, some_bindings());
    EXPECT_TRUE(bound) << bound.error().message;
    return bound && bound->steps.at(0).accept.at(0).responses.at(0).id.or_none;
  };
  EXPECT_TRUE(may_lack_id("null", true));
  EXPECT_TRUE(may_lack_id(R"({"any-of": [null, 7]})", true));
  EXPECT_FALSE(may_lack_id("null", false));
  EXPECT_FALSE(may_lack_id("7", true));
}

TEST(FormsSent, AreThoseOfACallAndOfTheCallsInAnArray) {
  const auto forms_of = [](const std::string& message) {
    Case unbound = case_with(message);
    unbound.roles = {"echo"};
    return forms_sent(unbound);
  };
  const std::string by_name = R"({"method": "${method:echo}", "params": {}})";
  const std::string by_position = R"({"method": "${method:echo}", "params": []})";
  EXPECT_EQ(forms_of(R"({"json": )" + by_name + "}").at("echo"), (ParamsForms{false, true}));
  EXPECT_EQ(forms_of(R"({"json": [)" + by_name + "," + by_position + "]}").at("echo"),
            ParamsForms{});
  const auto times = std::to_string(100'000);
  EXPECT_TRUE(forms_of(R"({"parts": [{"repeat": "[", "times": )" + times +
                       R"(}, {"repeat": "]", "times": )" + times + "}]}")
                  .empty());
}

TEST(Bindings, TheDerivationIsNotBound) {
  const Case unbound = case_with(R"({"json": "${id}"})");
  ASSERT_TRUE(unbound.derived_from);
  EXPECT_EQ(unbound.derived_from->replace, "${id}");
  const auto bound = bind(unbound, some_bindings());
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_FALSE(bound->derived_from);
}

TEST(Bindings, ABoundCaseKeepsItsPlaceInTheFile) {
  Case unbound = case_with(R"({"json": 1})");
  unbound.line = 77;
  const auto bound = bind(unbound, some_bindings());
  ASSERT_TRUE(bound) << bound.error().message;
  EXPECT_EQ(bound->file, "a.json");
  EXPECT_EQ(bound->line, 77U);
}

TEST(Bindings, WhatCannotBeReplacedIsNamedWithItsCase) {
  const std::string place = "a.json:1: case 'a/b': ";
  EXPECT_EQ(bound_message(R"({"json": "${idd}"})"), place + "unknown placeholder ${idd}");
  EXPECT_EQ(bound_message(R"({"json": "${id1}"})"), place + "unknown placeholder ${id1}");
  EXPECT_EQ(bound_message(R"({"json": "${id10}"})"), place + "unknown placeholder ${id10}");
  EXPECT_EQ(bound_message(R"({"json": "${unknown1}"})"), place + "unknown placeholder ${unknown1}");
  EXPECT_EQ(bound_message(R"({"json": "${}"})"), place + "a placeholder must read ${NAME}");
  EXPECT_EQ(bound_message(R"({"json": "${id"})"), place + "a placeholder must read ${NAME}");
  EXPECT_EQ(bound_message(R"({"json": "${method:sum}"})"),
            place + "no method is bound to the role 'sum'; \"roles\" must name it");
}

}  // namespace bindings_test
}  // namespace jrpcheck::corpus
