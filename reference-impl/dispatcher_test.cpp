#include "reference-impl/dispatcher.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "reference-impl/error.hpp"
#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace dispatcher_test {

using nlohmann::json;

std::string call(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + R"(,"id":1})";
}

std::string outline_of(const std::string& message) { return outline(ask(message)); }

TEST(Reply, HasItsMembersInTheOrderOfTheSpecification) {
  EXPECT_EQ(ask(call("subtract", "[42,23]")), R"({"jsonrpc":"2.0","result":19,"id":1})");
  EXPECT_EQ(ask(call("fails", "[]")),
            R"({"jsonrpc":"2.0","error":{"code":1000,"message":"This method always fails",)"
            R"("data":{"reason":"it was asked to"}},"id":1})");
}

TEST(Reply, HoldsAResultOfNull) {
  EXPECT_EQ(ask(call("nothing", "[]")), R"({"jsonrpc":"2.0","result":null,"id":1})");
}

// Every shape of id, on success and on each kind of error: the error path is easily another one.
class Id : public testing::TestWithParam<std::string> {};

TEST_P(Id, IsEchoedExactlyOnSuccessAndOnEveryError) {
  const std::string& id = GetParam();
  const std::string echoed = R"(,"id":)" + id + "}";
  for (const char* rest : {
           R"("jsonrpc":"2.0","method":"nothing")",
           R"("jsonrpc":"2.0","method":"unknown")",
           R"("jsonrpc":"2.0","method":"subtract","params":[1])",
           R"("jsonrpc":"2.0","method":"fails")",
           R"("jsonrpc":"2.1","method":"nothing")",
       }) {
    const auto reply = ask("{" + std::string(rest) + echoed);
    ASSERT_TRUE(reply.has_value()) << rest;
    EXPECT_TRUE(reply->ends_with(echoed)) << rest << " was answered " << *reply;
  }
}

TEST_P(Id, IsEchoedExactlyInABatch) {
  const std::string& id = GetParam();
  EXPECT_EQ(ask(R"([{"id":)" + id + R"(,"jsonrpc":"2.0","method":"nothing"}])"),
            R"([{"jsonrpc":"2.0","result":null,"id":)" + id + "}]");
}

INSTANTIATE_TEST_SUITE_P(Shapes, Id,
                         testing::Values("0", "-0", "-1", "1.0", "1.50", "-0.0", "1e3", "1E+3",
                                         "2147483648", "9007199254740993", "-9223372036854775808",
                                         "-9223372036854775809", "18446744073709551615",
                                         "18446744073709551616", "0.1000000000000000055511151231",
                                         "1e400", "-1e400", "1e-400", std::string(300, '7'),
                                         std::string(400, '7'), "null", R"("")", R"("abc")",
                                         R"(" a ")", R"("1")", R"("null")", R"("\"\\")",
                                         R"("\u0000")", "\"\xc3\xa9\xf0\x9f\x98\x80\"",
                                         '"' + std::string(65536, 'x') + '"'));

TEST(Id, IsEchoedCodePointForCodePointHoweverItWasEscaped) {
  const auto reply = ask(R"({"jsonrpc":"2.0","method":"nothing","id":"\u0061\/\ud83d\ude00"})");
  EXPECT_EQ(reply, "{\"jsonrpc\":\"2.0\",\"result\":null,\"id\":\"a/\xf0\x9f\x98\x80\"}");
}

TEST(Id, OfAnotherTypeIsAnInvalidRequestWithIdNull) {
  for (const char* id : {"true", "false", "[]", "[1.5]", "{}", R"({"id":1e400})"}) {
    EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","id":)" + std::string(id) + "}"),
              "error -32600 for null")
        << id;
  }
}

TEST(Request, ThatIsInvalidIsRefusedWithItsIdWhereThatIsReadable) {
  for (const char* message : {
           R"({"jsonrpc":"2.1","method":"nothing","id":1})",
           R"({"jsonrpc":"1.0","method":"nothing","id":1})",
           R"({"jsonrpc":2.0,"method":"nothing","id":1})",
           R"({"jsonrpc":null,"method":"nothing","id":1})",
           R"({"method":"nothing","id":1})",
           R"({"jsonrpc":"2.0","id":1})",
           R"({"jsonrpc":"2.0","method":1,"id":1})",
           R"({"jsonrpc":"2.0","method":null,"id":1})",
           R"({"jsonrpc":"2.0","method":["nothing"],"id":1})",
           R"({"jsonrpc":"2.0","method":"echo","params":"bar","id":1})",
           R"({"jsonrpc":"2.0","method":"echo","params":0,"id":1})",
           R"({"jsonrpc":"2.0","method":"echo","params":false,"id":1})",
           R"({"jsonrpc":"2.0","method":"echo","params":null,"id":1})",
       }) {
    EXPECT_EQ(outline_of(message), "error -32600 for 1") << message;
  }
}

TEST(Request, ThatIsInvalidAndHasNoIdIsRefusedWithNull) {
  for (const char* message : {"{}", "1", "null", "true", R"("text")", R"({"foo":"boo"})",
                              R"({"jsonrpc":"2.0","method":1})", R"({"method":"nothing"})"}) {
    EXPECT_EQ(outline_of(message), "error -32600 for null") << message;
  }
}

TEST(Request, MembersAreFoundByTheirExactNames) {
  EXPECT_EQ(outline_of(R"({"Jsonrpc":"2.0","METHOD":"nothing","id":1})"), "error -32600 for 1");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","Method":"fails","id":1,"ID":2})"),
            "null for 1");
  EXPECT_EQ(outline_of(R"({"\u006asonrpc":"2.0","\u006dethod":"nothing","\u0069d":1})"),
            "null for 1");
}

TEST(Request, MayHaveOtherMembers) {
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","id":1,"extra":[1e400]})"),
            "null for 1");
}

TEST(Request, LastOfDuplicateMembersCounts) {
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"fails","method":"nothing","id":1,"id":2})"),
            "null for 2");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","id":1.5,"id":2})"), "null for 2");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","id":1.5,"id":[]})"),
            "error -32600 for null");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"echo","params":[1e400],"params":[2],"id":1})"),
            "[2] for 1");
}

TEST(Method, IsFoundByItsExactName) {
  for (const char* name : {"Subtract", " subtract", "", "rpc.discover", "rpc.", "__proto__"}) {
    EXPECT_EQ(outline_of(call(name, "[2,1]")), "error -32601 for 1") << name;
  }
}

TEST(Params, ThatDoNotMatchTheDeclarationAreInvalid) {
  for (const char* params :
       {"[]", "[1]", "[1,2,3]", "{}", R"({"minuend":1})", R"({"Minuend":1,"subtrahend":2})",
        R"({"minuend":1,"subtrahend":2,"more":3})", R"(["1",2])", "[1,null]"}) {
    EXPECT_EQ(outline_of(call("subtract", params)), "error -32602 for 1") << params;
  }
}

TEST(Params, MayBeLeftOutOrEmptyWhereNoneAreDeclared) {
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"get_data","id":1})"), R"(["hello",5] for 1)");
  EXPECT_EQ(outline_of(call("get_data", "[]")), R"(["hello",5] for 1)");
  EXPECT_EQ(outline_of(call("get_data", "{}")), R"(["hello",5] for 1)");
  EXPECT_EQ(outline_of(call("get_data", "[1]")), "error -32602 for 1");
}

TEST(Params, WithANumberBeyondDoubleAreInvalidAndKeepTheirId) {
  EXPECT_EQ(outline_of(call("echo", "[1e400]")), "error -32602 for 1");
  EXPECT_EQ(outline_of(call("echo", R"({"a":[0,-1e999]})")), "error -32602 for 1");
}

TEST(Notification, IsNeverAnswered) {
  for (const char* message : {
           R"({"jsonrpc":"2.0","method":"nothing"})",
           R"({"jsonrpc":"2.0","method":"unknown"})",
           R"({"jsonrpc":"2.0","method":"fails"})",
           R"({"jsonrpc":"2.0","method":"subtract","params":["a"]})",
           R"({"jsonrpc":"2.0","method":"echo","params":[1e400]})",
       }) {
    EXPECT_EQ(outline_of(message), "silence") << message;
  }
}

TEST(Response, OfAPeerIsNotAnswered) {
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","result":1,"id":1})"), "silence");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","error":{"code":1,"message":""},"id":null})"),
            "silence");
  EXPECT_EQ(outline_of(R"({"jsonrpc":"2.0","method":"nothing","result":1,"id":1})"), "null for 1");
}

TEST(MethodFailure, ByRpcErrorCarriesItsCodeMessageAndData) {
  Dispatcher dispatcher;
  dispatcher.add("f", {}, [](const json&) -> json { throw RpcError(7, "\"no\"", {1, "a"}); });
  EXPECT_EQ(dispatcher.handle(call("f", "[]")),
            R"({"jsonrpc":"2.0","error":{"code":7,"message":"\"no\"","data":[1,"a"]},"id":1})");
}

TEST(MethodFailure, ByAnythingElseIsAnInternalErrorThatTellsNothing) {
  Dispatcher dispatcher;
  dispatcher.add("e", {}, [](const json&) -> json { throw std::runtime_error("/etc/secret"); });
  dispatcher.add("i", {}, [](const json&) -> json { throw 42; });
  for (const char* method : {"e", "i"}) {
    const auto reply = dispatcher.handle(call(method, "[]"));
    EXPECT_EQ(outline(reply), "error -32603 for 1");
    EXPECT_EQ(reply->find("secret"), std::string::npos);
  }
}

TEST(Result, ThatIsNotUtf8IsMadeSo) {
  Dispatcher dispatcher;
  dispatcher.add("f", {}, [](const json&) { return json("a\xff"); });
  EXPECT_EQ(dispatcher.handle(call("f", "[]")),
            "{\"jsonrpc\":\"2.0\",\"result\":\"a\xef\xbf\xbd\",\"id\":1}");
}

}  // namespace dispatcher_test
}  // namespace jrpcheck::reference
