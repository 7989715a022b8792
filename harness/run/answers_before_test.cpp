#include "run/answers_before.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::run {
namespace answers_before_test {

std::string filled(const std::string& text, const std::string& answer) {
  corpus::Step step;
  step.messages.emplace_back(text);
  dialogue::Exchange before;
  before.replies.push_back({dialogue::Message(answer)});
  std::vector<dialogue::Exchange> all;
  all.push_back(std::move(before));
  return fill_in_answers(all, step) ? step.messages.front().text() : "not asked";
}

TEST(AnswersBefore, TakeThePlaceOfTheWholeString) {
  EXPECT_EQ(filled(R"({"params":["${answer:1:/result}"]})", R"({"result":"0x7"})"),
            R"({"params":["0x7"]})");
  EXPECT_EQ(filled(R"(["${answer:1:/result/a}","${answer:1:/result/b}"])",
                   R"({"result":{"a":1.0,"b":[true]}})"),
            "[1.0,[true]]");
}

TEST(AnswersBefore, AskAboutNothingWhereTheyDoNotStand) {
  EXPECT_EQ(filled(R"(["${answer:1:/result}"])", R"({"error":1})"), "not asked");
  EXPECT_EQ(filled(R"(["${answer:2:/result}"])", R"({"result":1})"), "not asked");
  EXPECT_EQ(filled(R"(["${answer:1:/result}"])", "no JSON"), "not asked");
}

bool is_asked(bool corpus::Step::*condition, const std::string& answer) {
  corpus::Step step;
  step.*condition = true;
  dialogue::Exchange before;
  if (!answer.empty()) before.replies.push_back({dialogue::Message(answer)});
  std::vector<dialogue::Exchange> all;
  all.push_back(std::move(before));
  return fill_in_answers(all, step);
}

TEST(AnswersBefore, MayHaveToBeAResult) {
  EXPECT_TRUE(is_asked(&corpus::Step::after_result, R"({"result":null})"));
  EXPECT_FALSE(is_asked(&corpus::Step::after_result, R"({"error":{"code":-32601}})"));
  EXPECT_FALSE(is_asked(&corpus::Step::after_result, "no JSON"));
  EXPECT_FALSE(is_asked(&corpus::Step::after_result, ""));
}

TEST(AnswersBefore, MayHaveToBeAnError) {
  EXPECT_TRUE(is_asked(&corpus::Step::after_error, R"({"error":{"code":-32601}})"));
  EXPECT_FALSE(is_asked(&corpus::Step::after_error, R"({"result":null})"));
  EXPECT_FALSE(is_asked(&corpus::Step::after_error, ""));
}

TEST(AnswersBefore, MayHaveToBeAFailureOfTheMethod) {
  const auto is_asked_after = [](const std::string& code) {
    return is_asked(&corpus::Step::after_failure, R"({"error":{"code":)" + code + "}}");
  };
  EXPECT_TRUE(is_asked_after("-32603"));
  EXPECT_TRUE(is_asked_after("7"));
  EXPECT_FALSE(is_asked_after("-32602"));
  EXPECT_FALSE(is_asked_after("-32600"));
  EXPECT_FALSE(is_asked_after("-32700"));
  EXPECT_FALSE(is_asked_after("\"7\""));
  EXPECT_FALSE(is_asked(&corpus::Step::after_failure, R"({"result":1})"));
}

TEST(AnswersBefore, MayHaveToBeARefusalOfTheParams) {
  const auto is_asked_after = [](const std::string& answer) {
    return is_asked(&corpus::Step::after_invalid_params, answer);
  };
  EXPECT_TRUE(is_asked_after(R"({"error":{"code":-32602}})"));
  for (const char* other : {R"({"error":{"code":-32601}})", R"({"error":{"code":7}})",
                            R"({"error":"no"})", R"({"result":-32602})", ""}) {
    EXPECT_FALSE(is_asked_after(other)) << other;
  }
}

}  // namespace answers_before_test
}  // namespace jrpcheck::run
