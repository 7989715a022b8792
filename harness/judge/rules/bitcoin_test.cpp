// The rules of Bitcoin Core, on what passed over HTTP.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "judge/rules/rule_for_testing.hpp"

namespace jrpcheck::judge {
namespace bitcoin_rules_test {

using dialogue::Direction;
using dialogue::Event;

std::vector<Event> answered(const std::string& call, const std::string& answer) {
  const std::string head = "HTTP/1.1 200 OK\r\n\r\n";
  Event response{Direction::received, {}, head + answer};
  response.http = dialogue::HttpHead{200, "HTTP/1.1", "application/json", head.size()};
  return {{Direction::sent, {}, "POST / HTTP/1.1\r\n\r\n" + call}, response};
}

constexpr const char* kNew = R"({"jsonrpc":"2.0","id":7,"method":"uptime"})";
constexpr const char* kOld = R"({"id":7,"method":"uptime"})";

TEST(BitcoinShapes, AreAlsoMissedByWhatHasNeitherResultNorError) {
  const std::string nothing = R"({"jsonrpc":"2.0","id":7,"data":5})";
  EXPECT_EQ(times_broken("btc-new-shape", answered(kNew, nothing)), 1U);
  EXPECT_EQ(times_broken("btc-old-shape", answered(kOld, R"({"id":7,"data":5})")), 1U);
  const std::string batch = "[" + std::string(kNew) + "]";
  EXPECT_EQ(times_broken("btc-new-shape", answered(batch, "[" + nothing + "]")), 1U);
  EXPECT_EQ(times_broken("btc-new-shape", answered(kNew, R"({"detail":"busy"})")), 0U);
  EXPECT_EQ(times_broken("btc-new-shape", answered(kNew, R"({"jsonrpc":"2.0","id":7,"result":5})")),
            0U);
}

constexpr const char* kBatch =
    R"([{"jsonrpc":"2.0","id":7,"method":"uptime"},{"id":8,"method":"uptime"}])";

TEST(BitcoinBatches, AreJudgedByIdsOnlyWhereEachIsThatOfACall) {
  const auto of = [](const std::string& first, const std::string& second) {
    return answered(kBatch, R"([{"jsonrpc":"2.0","result":5,"id":)" + first +
                                R"(},{"result":5,"error":null,"id":)" + second + "}]");
  };
  for (const char* rule : {"btc-batch-order", "btc-old-shape", "btc-new-shape"}) {
    EXPECT_EQ(times_broken(rule, of("7", "8")), 0U) << rule;
    EXPECT_EQ(times_broken(rule, of("8", "9")), 0U) << rule << ": each has the id behind its own";
    EXPECT_EQ(times_broken(rule, of("\"7\"", "\"8\"")), 0U) << rule;
    EXPECT_EQ(times_broken(rule, of("8", "7")), 1U) << rule;
  }
}

}  // namespace bitcoin_rules_test
}  // namespace jrpcheck::judge
