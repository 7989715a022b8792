#include <gtest/gtest.h>

#include "reference-impl/reply_for_testing.hpp"

namespace jrpcheck::reference {
namespace batch_test {

std::string outline_of(std::string_view message) { return outline(ask(message)); }

TEST(Batch, OfOneCallIsAnsweredByAnArrayOfOne) {
  EXPECT_EQ(outline_of(R"([{"jsonrpc":"2.0","method":"nothing","id":1}])"), "[null for 1]");
}

TEST(Batch, ThatIsEmptyIsAnsweredByOneErrorObject) {
  EXPECT_EQ(outline_of("[]"), "error -32600 for null");
  EXPECT_EQ(outline_of(" [ ] "), "error -32600 for null");
}

TEST(Batch, ElementsThatAreNoRequestAddOneErrorEach) {
  EXPECT_EQ(outline_of(R"([null,{},"a",{"jsonrpc":"2.0","method":"nothing","id":1}])"),
            "[error -32600 for null, error -32600 for null, error -32600 for null, null for 1]");
}

TEST(Batch, InsideABatchIsAnInvalidElement) {
  EXPECT_EQ(outline_of("[[]]"), "[error -32600 for null]");
  EXPECT_EQ(outline_of(R"([[{"jsonrpc":"2.0","method":"nothing","id":1}]])"),
            "[error -32600 for null]");
}

TEST(Batch, NotificationsAddNothing) {
  EXPECT_EQ(outline_of(R"([{"jsonrpc":"2.0","method":"nothing"},
                           {"jsonrpc":"2.0","method":"nothing","id":1},
                           {"jsonrpc":"2.0","method":"unknown"}])"),
            "[null for 1]");
}

TEST(Batch, OfNothingButNotificationsAndResponsesIsNotAnswered) {
  EXPECT_EQ(outline_of(R"([{"jsonrpc":"2.0","method":"fails"},
                           {"jsonrpc":"2.0","result":1,"id":1}])"),
            "silence");
}

TEST(Batch, CallsThatShareAnIdAreEachAnswered) {
  EXPECT_EQ(outline_of(R"([{"jsonrpc":"2.0","method":"sum","params":[1],"id":1},
                           {"jsonrpc":"2.0","method":"sum","params":[2],"id":1}])"),
            "[1 for 1, 2 for 1]");
}

TEST(Batch, AnObstacleInOneElementLeavesTheOthersAlone) {
  EXPECT_EQ(outline_of(R"([{"jsonrpc":"2.0","method":"echo","params":[1e400],"id":1.5},
                           {"jsonrpc":"2.0","method":"echo","params":[1],"id":2},
                           [3.5],
                           {"jsonrpc":"2.0","method":"echo","params":[4],"id":3}])"),
            "[error -32602 for 1.5, [1] for 2, error -32600 for null, [4] for 3]");
}

TEST(Batch, OfAThousandCallsIsAnsweredInFull) {
  std::string batch = "[";
  std::string expected = "[";
  for (int i = 0; i < 1000; ++i) {
    const std::string separator = i == 0 ? "" : ",";
    const std::string id = std::to_string(i);
    batch +=
        separator + R"({"jsonrpc":"2.0","method":"sum","params":[)" + id + R"(],"id":)" + id + "}";
    expected += separator + R"({"jsonrpc":"2.0","result":)" + id + R"(,"id":)" + id + "}";
  }
  EXPECT_EQ(ask(batch + "]"), expected + "]");
}

}  // namespace batch_test
}  // namespace jrpcheck::reference
