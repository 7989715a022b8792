#include "judge/observe.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace jrpcheck::judge {
namespace observe_test {

using Pairs = std::vector<std::pair<std::string, std::string>>;

Pairs observed(const corpus::Step& step, const dialogue::Exchange& exchange) {
  Judgement judgement;
  observe_exchange(step, exchange, judgement);
  Pairs pairs;
  for (const auto& each : judgement.observations) pairs.emplace_back(each.name, each.value);
  return pairs;
}

corpus::Step step_of(const std::string& message) {
  corpus::Step step;
  step.messages = {message};
  return step;
}

dialogue::Exchange exchange_of(int status, const std::string& reply) {
  dialogue::Exchange exchange;
  exchange.http_status = status;
  if (!reply.empty()) exchange.replies.push_back({reply, status});
  return exchange;
}

Pairs status_of(const std::string& reply, int status) {
  return observed(step_of("{}"), exchange_of(status, reply));
}

TEST(Observe, HttpStatusByKindOfAnswer) {
  EXPECT_EQ(status_of(R"({"result":null})", 200), (Pairs{{"HTTP status of a result", "200"}}));
  EXPECT_EQ(status_of(R"({"error":{"code":-32601}})", 404),
            (Pairs{{"HTTP status of error -32601", "404"}}));
  EXPECT_EQ(status_of(R"({"error":"no"})", 500),
            (Pairs{{"HTTP status of an error without a code", "500"}}));
  EXPECT_EQ(status_of("[]", 200), (Pairs{{"HTTP status of a batch", "200"}}));
  EXPECT_EQ(status_of("<html>", 400), (Pairs{{"HTTP status of a reply that is not JSON", "400"}}));
  EXPECT_EQ(status_of("", 204), (Pairs{{"HTTP status of no answer", "204"}}));
}

TEST(Observe, NoHttpStatusOnAStream) { EXPECT_EQ(status_of(R"({"result":1})", 0), Pairs{}); }

TEST(Observe, NoHttpStatusOfWhatIsOddAsHttp) {
  auto step = step_of("{}");
  step.http.method = "GET";
  EXPECT_EQ(observed(step, exchange_of(405, "")), Pairs{});
}

constexpr const char* kBatch = R"([{"id":1},{"method":"m"},{"id":"1"},{"id":2.0}])";

Pairs order_of(const std::string& reply) {
  return observed(step_of(kBatch), exchange_of(0, reply));
}

TEST(Observe, OrderOfResponsesInABatch) {
  EXPECT_EQ(order_of(R"([{"id":1},{"id":"1"},{"id":2}])"),
            (Pairs{{"order of Responses in a batch", "in order"}}));
  EXPECT_EQ(order_of(R"([{"id":1},{"id":null},{"id":2}])"),
            (Pairs{{"order of Responses in a batch", "in order"}}));
  EXPECT_EQ(order_of(R"([{"id":"1"},{"id":1},{"id":2}])"),
            (Pairs{{"order of Responses in a batch", "reordered"}}));
}

TEST(Observe, NoOrderWhereItCannotBeTold) {
  EXPECT_EQ(order_of(R"([{"id":1}])"), Pairs{});
  EXPECT_EQ(order_of(R"([{"id":1},{"id":7}])"), Pairs{});
  EXPECT_EQ(order_of(R"({"id":1})"), Pairs{});
  EXPECT_EQ(observed(step_of(R"([{"id":1},{"id":1}])"), exchange_of(0, R"([{"id":1},{"id":1}])")),
            Pairs{});
}

}  // namespace observe_test
}  // namespace jrpcheck::judge
