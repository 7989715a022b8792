#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <string>

#include "judge/protocol.hpp"
#include "judge/test_support.hpp"

namespace jrpcheck::judge {
namespace left_out_id_test {

const std::string kOfAny =
    R"({"response": {"error": {"code": -32600}, "id": {"any-of": [null, 7], "or-none": true}}})";
const std::string kOfReadable = R"({"response": {"error": {"code": -32600}, "id": 7}})";
const std::string kNameless = R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"}})";

struct LeftOutId : ::testing::Test {
  std::shared_ptr<Law> law = std::make_shared<Law>();

  Judgement judgement_of(const std::string& outcomes, const dialogue::Exchange& exchange) const {
    Context context;
    context.law = law;
    return judged(case_accepting(outcomes), exchange, {}, context);
  }
  Charges charged(const std::string& outcomes, const dialogue::Exchange& exchange) const {
    return charges(judgement_of(outcomes, exchange));
  }
};

// MCP 2025-11-25, schema JSONRPCErrorResponse.
TEST_F(LeftOutId, StandsForNullWhereTheProtocolLetsIt) {
  EXPECT_EQ(charged(kOfAny, replied({kNameless})), Charges{"res-id-present: fail"});
  law->profile.errors_without_id = {0, "mcp-msg-error-id-unreadable"};
  const auto judgement = judgement_of(kOfAny, replied({kNameless}));
  EXPECT_EQ(charges(judgement), Charges{});
  EXPECT_FALSE(judgement.unjudged);
  EXPECT_TRUE(judgement.exercised.contains("mcp-msg-error-id-unreadable"));
  EXPECT_EQ(judgement.observations.at(0).name, "mcp-msg-error-id-unreadable");
}

TEST_F(LeftOutId, IsAFaultWhereTheIdCouldBeRead) {
  law->profile.errors_without_id = {0, "mcp-msg-error-id-unreadable"};
  EXPECT_EQ(charged(kOfReadable, replied({kNameless})), Charges{"res-id-present: fail"});
  EXPECT_EQ(charged(kOfReadable, responded(400, kNameless)), Charges{"res-id-present: fail"});
}

TEST_F(LeftOutId, IsAFaultOfAResult) {
  law->profile.errors_without_id = {0, "mcp-msg-error-id-unreadable"};
  EXPECT_EQ(charged(R"({"response": {"result": {"any": true}, "id": null}})",
                    replied({R"({"jsonrpc":"2.0","result":1})"})),
            Charges{"res-id-present: fail"});
}

// MCP basic/transports § Sending Messages: before 2025-11-25 the body of an HTTP error alone.
TEST_F(LeftOutId, IsLetFromTheStatusOnThatTheProtocolNames) {
  law->profile.errors_without_id = {400, ""};
  EXPECT_EQ(charged(kOfAny, responded(400, kNameless)), Charges{});
  EXPECT_EQ(charged(kOfAny, responded(200, kNameless)), Charges{"res-id-present: fail"});
  EXPECT_EQ(charged(kOfAny, replied({kNameless})), Charges{"res-id-present: fail"});
}

TEST_F(LeftOutId, LeavesTheRestToBeCompared) {
  law->profile.errors_without_id = {0, "mcp-msg-error-id-unreadable"};
  EXPECT_EQ(
      charged(kOfAny, replied({R"({"jsonrpc":"2.0","error":{"code":-32000,"message":"No"}})"})),
      Charges{"err-code-method: fail"});
}

}  // namespace left_out_id_test
}  // namespace jrpcheck::judge
