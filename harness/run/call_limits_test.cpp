#include "run/call_limits.hpp"

#include <gtest/gtest.h>

namespace jrpcheck::run {
namespace call_limits_test {

using Met = CallLimits::Met;

std::string error(int code, const std::string& message, const std::string& more = "") {
  return R"({"jsonrpc":"2.0","id":1,"error":{"code":)" + std::to_string(code) + R"(,"message":")" +
         message + "\"" + more + "}}";
}

std::vector<dialogue::Exchange> answered(const std::vector<std::string>& replies) {
  std::vector<dialogue::Exchange> exchanges(1);
  for (const auto& reply : replies) exchanges.front().replies.push_back({reply, 0});
  return exchanges;
}

const std::string kResult = R"({"jsonrpc":"2.0","id":1,"result":19})";

TEST(CallLimits, AreMetWhereACaseIsRefusedAsTheControlCallWas) {
  CallLimits limits;
  const auto refused = answered({error(-32000, "Try again in 0.3 s")});
  EXPECT_EQ(limits.met_in(refused), Met::nowhere);
  limits.note(error(-32000, "Try again in 0.8 s"));
  EXPECT_TRUE(limits.have_been_met());
  EXPECT_EQ(limits.met_in(refused), Met::at_first);
  EXPECT_EQ(limits.met_in(answered({kResult, error(-32000, "Try again in 1 s")})), Met::later);
  EXPECT_EQ(limits.met_in(answered({"[" + error(-32000, "Try again in 1 s") + "]"})),
            Met::at_first);
}

TEST(CallLimits, AreNotMetInOtherErrorsOrResults) {
  CallLimits limits;
  limits.note(error(-32000, "Rate limit exceeded"));
  EXPECT_EQ(limits.met_in(answered({error(-32001, "Rate limit exceeded"),
                                    error(-32000, "No such account"), kResult, "not JSON"})),
            Met::nowhere);
}

TEST(CallLimits, AreNoErrorsThatSayWhatIsWrongWithACall) {
  CallLimits words;
  words.note(error(500, "Method not found"));
  EXPECT_FALSE(words.have_been_met());
  CallLimits limits;
  for (const int code : {-32700, -32600, -32601, -32602, -32603}) limits.note(error(code, "No"));
  limits.note(kResult);
  limits.note("");
  EXPECT_FALSE(limits.have_been_met());
}

TEST(CallLimits, SayHowLongTheServerIsToBeLeftAlone) {
  CallLimits limits;
  limits.note(error(-32000, "No"));
  EXPECT_EQ(limits.wait(), microseconds(0));
  limits.note(error(-32000, "No", R"(,"data":{"retryAfter":3})"));
  EXPECT_EQ(limits.wait(), std::chrono::seconds(3));
  limits.note(error(-32000, "No", R"(,"data":{"retryAfter":86400})"));
  EXPECT_EQ(limits.wait(), std::chrono::seconds(3));
}

}  // namespace call_limits_test
}  // namespace jrpcheck::run
