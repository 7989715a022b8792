#include "corpus/stand_in.hpp"

#include <gtest/gtest.h>

#include <string>

#include "corpus/bindings.hpp"
#include "corpus/load_case.hpp"

namespace jrpcheck::corpus {
namespace stand_in_test {

// A case of `subtract` with this message, and this pattern of what comes back.
Case case_with(const std::string& send, const std::string& outcome) {
  auto one = load_case("a.json", R"({"id": "a/b", "title": "T", "requirements": ["id-echo"],
      "roles": ["subtract"], "steps": [{"send": {"json": )" +
                                     send + R"(}, "accept": [)" + outcome + "]}]}");
  EXPECT_TRUE(one) << one.error().message;
  return one ? *std::move(one) : Case();
}

std::string call_with(const std::string& params, const std::string& id = R"("${id}")") {
  return R"({"jsonrpc": "2.0", "method": "${method:subtract}", "params": )" + params +
         R"(, "id": )" + id + "}";
}

std::string result_of(const std::string& result, const std::string& id = R"("${id}")") {
  return R"({"result": )" + result + R"(, "id": )" + id + "}";
}

Case one_call(const std::string& params, const std::string& result) {
  return case_with(call_with(params), R"({"response": )" + result_of(result) + "}");
}

std::string player(const Case& one, const RoleBindings& roles) {
  return player_of("subtract", one, roles);
}

const RoleBindings kEcho = {{"echo", "my.echo"}};
const RoleBindings kSum = {{"sum", "my.sum"}};

// The result that is expected of the call, with its method.
std::string expected(const Case& one, const RoleBindings& roles) {
  Bindings bindings;
  bindings.roles = roles;
  const auto bound = bind(one, bindings);
  if (!bound) return bound.error().message;
  const auto& step = bound->steps.at(0);
  const json::Value* method = step.messages.at(0).value()->find("method");
  return method->text() + " " + json::write(*step.accept.at(0).responses.at(0).result->equals);
}

TEST(StandIn, GivesWhatItsOwnRoleDoes) {
  const auto one = one_call("[42, 23]", R"({"equals": 19})");
  EXPECT_EQ(expected(one, kEcho), "my.echo [42,23]");
  EXPECT_EQ(expected(one, kSum), "my.sum 65");
  EXPECT_EQ(expected(one, {{"subtract", "minus"}, {"echo", "echo"}}), "minus 19");
  EXPECT_EQ(expected(one_call(R"({"subtrahend": 23, "minuend": 42})", R"({"equals": 19})"), kEcho),
            R"(my.echo {"subtrahend":23,"minuend":42})");
}

TEST(StandIn, IsTheOneThatTellsMost) {
  const auto one = one_call("[42, 23]", R"({"equals": 19})");
  EXPECT_EQ(player(one, {{"sum", "sum"}, {"echo", "echo"}}), "echo");
  EXPECT_EQ(player(one, {{"sum", "sum"}}), "sum");
  EXPECT_EQ(player(one, {{"nothing", "nothing"}}), "");
}

TEST(StandIn, MustTellCallsApart) {
  const auto two =
      case_with("[" + call_with("[42, 23]", "1") + "," + call_with("[23, 42]", "2") + "]",
                R"({"batch": [)" + result_of(R"({"equals": 19})", "1") + "," +
                    result_of(R"({"equals": -19})", "2") + "]}");
  EXPECT_EQ(player(two, kSum), "") << "65 for both";
  EXPECT_EQ(player(two, kEcho), "echo");
}

TEST(StandIn, TakesNoCallWithoutTwoNumbers) {
  EXPECT_EQ(player(one_call("[]", R"({"any": true})"), kEcho), "");
  EXPECT_EQ(player(one_call(R"(["one", "two"])", R"({"any": true})"), kEcho), "");
  EXPECT_EQ(player(one_call(R"({"minuend": 42, "subtrahend": 23})", R"({"equals": 19})"), kSum), "")
      << "sums are of Arrays";
}

TEST(StandIn, TakesNoCaseAboutZeroOrAResultOfNoCall) {
  EXPECT_EQ(player(one_call("[23, 23]", R"({"equals": 0})"), kEcho), "");
  EXPECT_EQ(player(one_call("[42, 23]", R"({"equals": 7})"), kEcho), "");
  EXPECT_EQ(player(one_call("[42, 23]", R"({"type": "number"})"), kEcho), "");
}

// The text that is sent.
std::string sent(const Case& one, const RoleBindings& roles, const std::string& omitted = {}) {
  Bindings bindings;
  bindings.roles = roles;
  bindings.omitted_params = omitted;
  const auto bound = bind(one, bindings);
  return bound ? bound->steps.at(0).messages.at(0).text() : bound.error().message;
}

TEST(StandIn, WithoutParamsIsCalledWithoutAndMayGiveAnything) {
  const RoleBindings ping = {{"no-params", "ping"}};
  const auto one = one_call("[42, 23]", R"({"equals": 19})");
  EXPECT_EQ(player(one, ping), "no-params");
  EXPECT_EQ(sent(one, ping), R"({"jsonrpc":"2.0","method":"ping","id":1})");
  EXPECT_EQ(sent(one, ping, "[]"), R"({"jsonrpc":"2.0","method":"ping","id":1,"params":[]})");
  Bindings bindings;
  bindings.roles = ping;
  const auto bound = bind(one, bindings);
  ASSERT_TRUE(bound);
  EXPECT_FALSE(bound->steps.at(0).accept.at(0).responses.at(0).result->equals);
}

TEST(StandIn, LosesItsParamsWhereverTheyStand) {
  const RoleBindings ping = {{"no-params", "ping"}};
  const auto sends = [&](const std::string& message) {
    return sent(case_with(message, R"({"silence": true})"), ping);
  };
  EXPECT_EQ(sends(R"({"params": [42, 23], "method": "${method:subtract}"})"),
            R"({"method":"ping"})");
  EXPECT_EQ(sends(R"({"method": "${method:subtract}", "params": [42, 23]})"),
            R"({"method":"ping"})");
  EXPECT_EQ(sends(R"([{"params": [42, 23], "method": "${method:subtract}"},
                      {"method": "other", "params": [1]},
                      {"method": "${method:subtract}", "params": [42, 23]}])"),
            R"([{"method":"ping"},{"method":"other","params":[1]},{"method":"ping"}])");
}

Case about(const std::string& requirement) {
  auto one = one_call("[42, 23]", R"({"equals": 19})");
  one.requirements = {requirement};
  one.source.replace(one.source.find("id-echo"), 7, requirement);
  return one;
}

TEST(StandIn, WhoseSumHasNoOrderShowsNothingOfParams) {
  EXPECT_EQ(player(about("par-positional"), kSum), "");
  EXPECT_EQ(player(about("par-positional"), {{"add-named", "plus"}}), "");
  EXPECT_EQ(player(about("par-positional"), kEcho), "echo");
  EXPECT_EQ(player(about("v1-notification"), {{"no-params", "ping"}}), "") << "1.0 has params";
}

TEST(StandIn, CallsANameAlikeWithTheSameParams) {
  const auto one = case_with(
      R"({"jsonrpc": "2.0", "method": "${method:subtract} ", "params": [42, 23], "id": "${id}"})",
      R"({"response": {"error": {"any": true}, "id": "${id}"}})");
  EXPECT_EQ(sent(one, {{"no-params", "ping"}}), R"({"jsonrpc":"2.0","method":"ping ","id":1})");
  EXPECT_EQ(sent(one, {{"add-named", "plus"}}),
            R"({"jsonrpc":"2.0","method":"plus ","params":{"a":42,"b":23},"id":1})");
}

TEST(StandIn, WithoutParamsShowsNothingOfParamsOrResults) {
  const RoleBindings ping = {{"no-params", "ping"}};
  EXPECT_EQ(player(about("par-positional"), ping), "");
  EXPECT_EQ(player(one_call(R"({"minuend": 42, "subtrahend": 23})", R"({"equals": 19})"), ping),
            "");
  const auto two =
      case_with("[" + call_with("[42, 23]", "1") + "," + call_with("[23, 42]", "2") + "]",
                R"({"batch": [)" + result_of(R"({"equals": 19})", "1") + "," +
                    result_of(R"({"equals": -19})", "2") + "]}");
  EXPECT_EQ(player(two, ping), "");
}

TEST(StandIn, AddsTwoNumbersInItsOwnForm) {
  const RoleBindings add = {{"add", "plus"}};
  const RoleBindings named = {{"add-named", "plus"}};
  const auto one = one_call("[42, 23]", R"({"equals": 19})");
  EXPECT_EQ(expected(one, add), "plus 65");
  EXPECT_EQ(expected(one, named), "plus 65");
  EXPECT_EQ(sent(one, named),
            R"({"jsonrpc":"2.0","method":"plus","params":{"a":42,"b":23},"id":1})");
  const auto by_name = one_call(R"({"subtrahend": 23, "minuend": 42})", R"({"equals": 19})");
  EXPECT_EQ(player(by_name, add), "");
  EXPECT_EQ(player(one_call("[-42, 23]", R"({"equals": -65})"), add), "") << "it may take no sign";
  EXPECT_EQ(player(one_call("[16777217, 2]", R"({"equals": 16777215})"), kSum), "") << "nor that";
  EXPECT_EQ(sent(by_name, named),
            R"({"jsonrpc":"2.0","method":"plus","params":{"b":23,"a":42},"id":1})");
}

TEST(StandIn, WithOtherParamsShowsNothingOfHowTheyAreSpelled) {
  const auto spelled = [](const std::string& params) {
    auto one = load_case("a.json", R"({"id": "a/b", "title": "T", "requirements": ["json-escapes"],
      "roles": ["subtract"], "steps": [{"send": {"text":
        "{\"jsonrpc\":\"2.0\",\"method\":\"${method:subtract}\",\"params\":)" +
                                       params + R"(,\"id\":1}"}, "accept": [{"response": )" +
                                       result_of(R"({"equals": 19})", "1") + "}]}]}");
    EXPECT_TRUE(one) << one.error().message;
    return one ? *std::move(one) : Case();
  };
  const RoleBindings named = {{"add-named", "plus"}};
  EXPECT_EQ(player(spelled(R"({\"minuend\":42,\"subtrahend\":23})"), named), "add-named");
  const auto escaped = spelled(R"({\"\\u006dinuend\":42,\"subtrahend\":23})");
  EXPECT_EQ(player(escaped, named), "");
  EXPECT_EQ(player(escaped, kEcho), "echo");
  EXPECT_EQ(player(spelled("[42, 23]"), {{"no-params", "ping"}}), "");
}

TEST(StandIn, IsForOneRoleAlone) {
  auto one = one_call("[42, 23]", R"({"equals": 19})");
  one.roles.emplace_back("fails");
  EXPECT_EQ(player(one, kEcho), "");
  EXPECT_EQ(player_of("nothing", one, kEcho), "");
}

}  // namespace stand_in_test
}  // namespace jrpcheck::corpus
