#include "dialogue/message.hpp"

#include <gtest/gtest.h>

#include <string>

namespace jrpcheck::dialogue {
namespace message_test {

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Message, HoldsItsBytesAndTheirTree) {
  const Message message(R"( {"id": 7.0} )");
  EXPECT_EQ(message.text(), R"( {"id": 7.0} )");
  ASSERT_NE(message.find("id"), nullptr);
  EXPECT_EQ(message.find("id")->text(), "7.0");
  EXPECT_EQ(message.find("result"), nullptr);
}

TEST(Message, TextThatIsNotJsonSaysWhere) {
  const Message message(R"({"id":})");
  EXPECT_EQ(message.value(), nullptr);
  EXPECT_EQ(message.find("id"), nullptr);
  EXPECT_EQ(message.error().offset, 6U);
  EXPECT_FALSE(message.is_beyond_limits());
}

TEST(Message, CopiesShareTheTree) {
  const Message message("[1]");
  const Message copy = message;
  EXPECT_EQ(copy.value(), message.value());
}

TEST(Message, MoreThanIsReadIsTellableFromTextThatIsNotJson) {
  EXPECT_NE(Message(nested(kMessageLimits.max_depth)).value(), nullptr);
  const Message deep(nested(kMessageLimits.max_depth + 1));
  EXPECT_EQ(deep.value(), nullptr);
  EXPECT_TRUE(deep.is_beyond_limits());

  std::string values = "[0";
  for (std::size_t i = 0; i < kMessageLimits.max_values; ++i) values += ",0";
  EXPECT_TRUE(Message(values + "]").is_beyond_limits());
}

TEST(Message, WhoseAnswerItIsIsReadBeyondLimits) {
  std::string values = "[0";
  for (std::size_t i = 0; i < kMessageLimits.max_values; ++i) values += ",0";
  values += "]";
  const Message one(R"({"result":)" + values + R"(,"id":{"a":[7]}})");
  ASSERT_NE(one.outline(), nullptr);
  EXPECT_EQ(json::write(*one.outline()), R"({"result":[],"id":{}})");

  const Message batch(R"([{"result":)" + nested(400'000) + R"(,"id":7},{"id":"x"}])");
  ASSERT_NE(batch.outline(), nullptr);
  EXPECT_EQ(json::write(*batch.outline()), R"([{"result":[],"id":7},{"id":"x"}])");
}

TEST(Message, TextThatIsNotJsonHasNoOutline) {
  EXPECT_EQ(Message(R"({"id":1)").outline(), nullptr);
  EXPECT_EQ(Message(nested(400'000) + "]").outline(), nullptr);
}

}  // namespace message_test
}  // namespace jrpcheck::dialogue
