// What discovery tells of methods that it has tried, and in which form they take their params.
#include <gtest/gtest.h>

#include <string>

#include "corpus/corpus_for_testing.hpp"
#include "run/methods_for_testing.hpp"

namespace jrpcheck::run {
namespace role_forms_test {

using corpus::ParamsForms;
using Bound = corpus::RoleBindings;

TEST(Tried, AMethodThatDoesNotDoWhatItsNameSaysIsTold) {
  const auto roles = search(server_with({{"subtract", always(R"("result":-19)")}}));
  EXPECT_EQ(roles.methods, Bound{});
  ASSERT_EQ(roles.tried.size(), 1U);
  const auto& tried = roles.tried.front();
  EXPECT_EQ(tried.role, "subtract");
  EXPECT_EQ(tried.method, "subtract");
  EXPECT_FALSE(tried.given);
  EXPECT_NE(tried.sent.find(R"("params":[42,23])"), std::string::npos) << tried.sent;
  EXPECT_NE(tried.received.find(R"("result":-19)"), std::string::npos) << tried.received;
}

TEST(Tried, AMethodThatIsNotThereIsNotTold) {
  EXPECT_TRUE(search(server_without_methods()).tried.empty());
  const auto refuses_all = answering([](const json::Value&) { return error_member(-32000); });
  EXPECT_TRUE(search(refuses_all).tried.empty());
  const auto answers_all = answering([](const json::Value&) { return R"("result":1)"; });
  EXPECT_TRUE(search(answers_all).tried.empty());
}

TEST(Tried, AMethodIsNotToldWhereAnotherPlaysTheRole) {
  const auto roles = search(
      server_with({{"get_data", always(error_member(-32602))}, {"ping", always(R"("result":1)")}}));
  EXPECT_EQ(roles.methods, (Bound{{"no-params", "ping"}}));
  EXPECT_TRUE(roles.tried.empty());
}

TEST(Tried, ASubtractThatIsRightForTheUsualNumbersOnlyIsTold) {
  const auto roles =
      search(server_with({{"subtract", [](const std::string& params) {
                             return R"("result":)" + std::string(params == "[42,23]"   ? "19"
                                                                 : params == "[23,42]" ? "-19"
                                                                                       : "4");
                           }}}));
  EXPECT_EQ(roles.methods, Bound{});
  ASSERT_EQ(roles.tried.size(), 1U);
  EXPECT_NE(roles.tried.front().received.find(R"("result":4)"), std::string::npos);
}

TEST(Given, MethodsAreTriedBeforeTheyAreBelieved) {
  const auto roles = search(server_with({{"my.subtract", kSubtract}, {"my.echo", kSum}}),
                            {{"subtract", "my.subtract"}, {"sum", "my.echo"}, {"fails", "gone"}});
  EXPECT_EQ(roles.methods, (Bound{{"subtract", "my.subtract"}, {"sum", "my.echo"}}));
  ASSERT_EQ(roles.tried.size(), 1U);
  EXPECT_EQ(roles.tried.front().method, "gone");
  EXPECT_TRUE(roles.tried.front().given);
  EXPECT_NE(roles.tried.front().received.find("-32601"), std::string::npos);
}

TEST(Given, ARoleOfAWrongMethodIsNotGivenToAnother) {
  const auto roles = search(server_with({{"subtract", kSubtract}}), {{"subtract", "minus"}});
  EXPECT_EQ(roles.methods, Bound{});
}

// --- params by position, by name ---

TEST(Forms, AMethodMayTakeItsParamsInOneOfThem) {
  auto roles = search(server_with({{"subtract", kSubtract}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, false}));
  roles = search(server_with({{"subtract", kSubtractByName}}));
  EXPECT_EQ(roles.methods, (Bound{{"subtract", "subtract"}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{false, true}));
}

TEST(Forms, ThatAreTakenWronglyAreTaken) {
  const auto roles =
      search(server_with({{"subtract", [](const std::string& params) {
                             return params.front() == '[' ? kSubtract(params) : R"("result":-19)";
                           }}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, true}));
}

// (a, b) => a - b, given an Object with other names than a and b: which it has is its own affair.
TEST(Forms, NamesThatTheMethodDoesNotHaveAreNotTaken) {
  for (const std::string result : {"null", "0", "\"NaN\""}) {
    const auto roles = search(server_with({{"subtract", [&](const std::string& params) {
                                              return params.front() == '['
                                                         ? kSubtract(params)
                                                         : R"("result":)" + result;
                                            }}}));
    EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, false})) << result;
  }
}

TEST(Forms, RefusedAsAnInvalidRequestAreNoMatterOfTheMethod) {
  const auto roles = search(server_with({{"subtract", [](const std::string& params) {
                                            return params.front() == '[' ? kSubtract(params)
                                                                         : error_member(-32600);
                                          }}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{true, true}));
}

// gorilla/rpc: what does not fit the struct of a method is an invalid Request.
TEST(Forms, NamesAreTriedWhateverErrorThePositionsGet) {
  const auto server = [](long long code) {
    return server_with({{"subtract", [=](const std::string& params) {
                           return params.front() == '[' ? error_member(code)
                                                        : kSubtractByName(params);
                         }}});
  };
  const auto roles = search(server(-32600));
  EXPECT_EQ(roles.methods, (Bound{{"subtract", "subtract"}}));
  EXPECT_EQ(roles.takes.at("subtract"), (ParamsForms{false, true}));
  EXPECT_TRUE(roles.tried.empty());
  EXPECT_EQ(search(server(-32601)).methods, Bound{}) << "the method is unknown";
}

TEST(Forms, AnInvalidRequestIsNoWayForAnEchoToGiveBackAnObject) {
  const auto roles = search(server_with({{"echo", [](const std::string& params) {
                                            return params.front() == '[' ? R"("result":)" + params
                                                                         : error_member(-32600);
                                          }}}));
  EXPECT_EQ(roles.takes.at("echo"), (ParamsForms{true, false}));
}

TEST(Forms, ThatAnEchoDoesNotGiveBackItDoesNotTake) {
  const auto roles = search(
      server_with({{"echo", [](const std::string& params) {
                      return R"("result":)" + (params.front() == '[' ? params : std::string("[]"));
                    }}}));
  EXPECT_EQ(roles.methods, (Bound{{"echo", "echo"}}));
  EXPECT_EQ(roles.takes.at("echo"), (ParamsForms{true, false}));
}

TEST(Forms, AreAskedForByTheCasesThatSendThem) {
  const auto& corpus = corpus::corpus_for_testing();
  const auto why = [&](const char* id, ParamsForms forms) {
    return params_not_taken(*corpus.find(id), {{"subtract", "minus"}}, {{"subtract", forms}});
  };
  const std::string by_position_only =
      "the method in the role 'subtract' takes its params by position only";
  EXPECT_EQ(why("params/named", {true, false}), by_position_only);
  EXPECT_EQ(why("json/escaped-name-in-named-params", {true, false}), by_position_only);
  EXPECT_EQ(why("params/positional", {true, false}), "");
  EXPECT_EQ(why("params/positional", {false, true}),
            "the method in the role 'subtract' takes its params by name only");
  EXPECT_EQ(why("params/named", {false, true}), "");
  EXPECT_EQ(why("params/string", {false, true}), "");
}

TEST(Forms, AreThoseOfTheMethodThatStandsIn) {
  const auto& corpus = corpus::corpus_for_testing();
  const auto why = [&](const char* id) {
    return params_not_taken(*corpus.find(id), {{"echo", "echo"}}, {{"echo", {true, false}}});
  };
  EXPECT_EQ(why("params/named"), "the method in the role 'echo' takes its params by position only");
  EXPECT_EQ(why("params/positional"), "");
}

}  // namespace role_forms_test
}  // namespace jrpcheck::run
