#include "reference-impl/dialect_1_0.hpp"

#include <gtest/gtest.h>

#include <string>

#include "reference-impl/methods.hpp"

namespace jrpcheck::reference {
namespace dialect_1_0_test {

std::string reply(const std::string& message) {
  const auto methods = make_reference_dispatcher();
  return HandlerOf10(methods).handle(message).value_or("silence");
}

TEST(Dialect10, ResponseHasBothMembersAndOneIsNull) {
  EXPECT_EQ(reply(R"({"method":"subtract","params":[42,23],"id":1})"),
            R"({"result":19,"error":null,"id":1})");
  EXPECT_EQ(reply(R"({"method":"nobody","params":[],"id":"x"})"),
            R"({"result":null,"error":{"code":-32601,"message":"Method not found"},"id":"x"})");
  EXPECT_EQ(reply(R"({"method":"nothing","params":[],"id":1})"),
            R"({"result":null,"error":null,"id":1})");
}

TEST(Dialect10, AnyIdButNullIsEchoed) {
  for (const std::string id : {"false", "0", "\"\"", "[]", "[1,{\"a\":null}]", "{}",
                               "9007199254740993", "123456789012345678901234567890", "1.50"}) {
    const auto text = reply(R"({"method":"nothing","params":[],"id":)" + id + "}");
    EXPECT_NE(text.find("\"id\":" + id + "}"), std::string::npos) << text;
  }
}

TEST(Dialect10, RequestWithIdNullIsANotification) {
  EXPECT_EQ(reply(R"({"method":"subtract","params":[42,23],"id":null})"), "silence");
  EXPECT_EQ(reply(R"({"method":"nobody","params":[],"id":null})"), "silence");
}

TEST(Dialect10, WhatIsNoRequestIsRefused) {
  for (const std::string message :
       {"{", "[]", "1", R"({"method":"sum","id":1})", R"({"method":"sum","params":{},"id":1})",
        R"({"method":1,"params":[],"id":1})", R"({"method":"sum","params":[]})"}) {
    EXPECT_EQ(reply(message).rfind(R"({"result":null,"error":{)", 0), 0U) << message;
  }
}

TEST(Dialect10, RequestOf20IsAnsweredIn10) {
  EXPECT_EQ(reply(R"({"jsonrpc":"2.0","method":"sum","params":[1,2],"id":1})"),
            R"({"result":3,"error":null,"id":1})");
}

}  // namespace dialect_1_0_test
}  // namespace jrpcheck::reference
