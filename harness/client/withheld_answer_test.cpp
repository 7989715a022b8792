#include "client/withheld_answer.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace jrpcheck::client {
namespace withheld_answer_test {

class AnswerThatIsWithheld : public testing::Test {
 protected:
  void keep(bool is_stateless, bool is_over_http) {
    one_.keep("7", "late", {is_stateless, is_over_http, "session"});
  }
  void hear(const std::string& text, const std::string& session = "session") {
    one_.hear(*json::parse(text).value, session, now_);
  }

  const std::string given_up_ = R"({"method":"notifications/cancelled","params":{"requestId":7}})";
  const std::string more_ = R"({"id":8,"method":"tools/list"})";
  WithheldAnswer one_;
  Clock::time_point now_ = Clock::now();
};

TEST_F(AnswerThatIsWithheld, ComesOnceTheRequestIsGivenUpByItsId) {
  keep(false, false);
  EXPECT_FALSE(one_.take_late());
  hear(R"({"method":"notifications/cancelled","params":{"requestId":"7"}})");
  EXPECT_FALSE(one_.take_late()) << "it is another id";
  hear(given_up_);
  EXPECT_EQ(one_.take_late(), "late");
  EXPECT_FALSE(one_.take_late());
  hear(more_);
  EXPECT_EQ(one_.notes().heard_after_late, 1U);
}

TEST_F(AnswerThatIsWithheld, OnlyWhoGoesOnInItsSessionHasHungUp) {
  keep(false, true);
  one_.note_closed("7");
  hear(more_, "another session");
  EXPECT_FALSE(one_.notes().has_hung_up) << "it has left the session";
  hear(more_);
  EXPECT_TRUE(one_.notes().has_hung_up);
}

TEST_F(AnswerThatIsWithheld, ConnectionMayCloseTogetherWithTheWord) {
  keep(true, true);
  hear(given_up_);
  EXPECT_FALSE(one_.take_late()) << "the connection says that it is given up";
  hear(more_);
  EXPECT_FALSE(one_.notes().stays_open) << "it may still close";
  now_ += milliseconds(500);
  hear(more_);
  EXPECT_TRUE(one_.notes().stays_open);
  one_.note_closed("7");
  hear(more_);
  EXPECT_FALSE(one_.notes().stays_open);
}

}  // namespace withheld_answer_test
}  // namespace jrpcheck::client
