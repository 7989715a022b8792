#include "run/own_options.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::run {
namespace own_options_test {

std::string call_with(const std::string& params) {
  return R"({"id":1,"method":"initialize","params":)" + params + "}";
}

/// What goes out in place of a message where the user's opening has these params.
std::string sent(const std::string& message, const std::string& params_of_opening,
                 bool is_raw = false) {
  Options options;
  options.own_options = corpus::OpeningPlace{"initialize", "/params/initializationOptions"};
  options.opening.messages = {call_with(params_of_opening), R"({"method":"initialized"})"};
  corpus::Step step;
  step.raw = is_raw;
  step.messages.emplace_back(message);
  give_own_options(options, step);
  return step.messages.front().text();
}

const std::string kGiven = R"({"rootUri":null,"initializationOptions":{"sdk":1.0}})";

TEST(OwnOptions, AreGivenToEachCallThatOpens) {
  EXPECT_EQ(sent(call_with(R"({"rootUri":null})"), kGiven),
            call_with(R"({"rootUri":null,"initializationOptions":{"sdk":1.0}})"));
  EXPECT_EQ(sent(call_with("{}"), kGiven), call_with(R"({"initializationOptions":{"sdk":1.0}})"));
}

TEST(OwnOptions, ReplaceNoneAndGoNowhereElse) {
  for (const std::string& other : {call_with(R"({"initializationOptions":null})"), call_with("[]"),
                                   std::string(R"({"id":1,"method":"initialize"})"),
                                   std::string(R"({"id":1,"method":"shutdown","params":{}})"),
                                   std::string("[1]"), std::string("{")}) {
    EXPECT_EQ(sent(other, kGiven), other);
  }
  EXPECT_EQ(sent(call_with("{}"), kGiven, true), call_with("{}")) << "bytes stay as they are";
  EXPECT_EQ(sent(call_with("{}"), R"({"rootUri":null})"), call_with("{}")) << "there are none";
}

}  // namespace own_options_test
}  // namespace jrpcheck::run
