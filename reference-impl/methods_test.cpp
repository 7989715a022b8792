#include "reference-impl/methods.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace methods_test {

std::string request(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + R"(,"id":1})";
}

std::string call(const std::string& method, const std::string& params) {
  return outline(ask(request(method, params)));
}

TEST(Subtract, IsExactForIntegersThatADoubleWouldRound) {
  EXPECT_EQ(call("subtract", "[9007199254740993,1]"), "9007199254740992 for 1");
  EXPECT_EQ(call("subtract", "[0,-9007199254740993]"), "9007199254740993 for 1");
}

TEST(Subtract, GoesOnInDoubleWhereIntegersEnd) {
  EXPECT_EQ(call("subtract", "[-9223372036854775808,1]"), "-9.223372036854776e+18 for 1");
  EXPECT_EQ(call("subtract", "[18446744073709551615,0]"), "1.8446744073709552e+19 for 1");
  EXPECT_EQ(call("subtract", "[1.5,1]"), "0.5 for 1");
}

TEST(Subtract, RefusesAResultThatJsonCannotExpress) {
  EXPECT_EQ(call("subtract", "[1e308,-1e308]"), "error -32602 for 1");
}

TEST(Sum, AddsAnyCountOfNumbers) {
  EXPECT_EQ(call("sum", "[]"), "0 for 1");
  EXPECT_EQ(call("sum", "[1,2,4]"), "7 for 1");
  EXPECT_EQ(call("sum", "[0.5,1]"), "1.5 for 1");
  EXPECT_EQ(call("sum", R"([1,"2"])"), "error -32602 for 1");
  EXPECT_EQ(call("sum", R"({"a":1})"), "error -32602 for 1");
}

TEST(Echo, ReturnsItsParams) {
  EXPECT_EQ(call("echo", R"([1,"\u00e9",null,{"a":[]}])"),
            "[1,\"\xc3\xa9\",null,{\"a\":[]}] for 1");
  EXPECT_EQ(call("echo", R"({"b":1,"a":2})"), R"({"a":2,"b":1} for 1)");
}

TEST(Slow, AnswersAfterTheWaitAndOnlyForAReasonableOne) {
  EXPECT_EQ(call("slow", R"({"milliseconds":1})"), "1 for 1");
  for (const char* params :
       {"[-1]", "[10001]", "[1.5]", R"(["1"])", "[]", "[1e300]", "[18446744073709551615]"}) {
    EXPECT_EQ(call("slow", params), "error -32602 for 1") << params;
  }
}

TEST(State, ShowsThatANotificationWasCarriedOut) {
  const Dispatcher dispatcher = make_reference_dispatcher();
  EXPECT_EQ(outline(dispatcher.handle(request("state-get", "[]"))), "null for 1");
  EXPECT_EQ(outline(dispatcher.handle(
                R"({"jsonrpc":"2.0","method":"state-set","params":{"value":[1]}})")),
            "silence");
  EXPECT_EQ(outline(dispatcher.handle(request("state-get", "[]"))), "[1] for 1");
}

TEST(State, IsThatOfOneDispatcher) {
  const Dispatcher one = make_reference_dispatcher();
  const Dispatcher other = make_reference_dispatcher();
  EXPECT_EQ(outline(one.handle(request("state-set", "[1]"))), "null for 1");
  EXPECT_EQ(outline(other.handle(request("state-get", "[]"))), "null for 1");
}

}  // namespace methods_test
}  // namespace jrpcheck::reference
