// A server that has no Array for a batch whose calls all fail is told from one without batches, and
// one that limits their length from one that fails of some.
#include "run/served_batches.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "run/calibration_for_testing.hpp"

namespace jrpcheck::run {
namespace served_batches_test {

using result::Verdict;

const std::string kRefusal =
    R"({"jsonrpc":"2.0","error":{"code":-32600,"message":"No"},"id":null})";

// A right server whose only method is `ping`.
FakeServer server_with_ping() {
  return answering([](const json::Value& request) {
    const json::Value* method = request.find("method");
    const bool is_ping = method != nullptr && method->text() == "ping";
    return is_ping ? std::string(R"("result":"pong")") : error_member(-32601);
  });
}

bool holds_result(const std::string& reply) { return reply.find("\"result\"") != reply.npos; }

// Answers a batch whose calls all fail by one error.
FakeServer refusing_failing_batches() {
  return [](const std::string& message) -> std::optional<std::string> {
    auto reply = server_with_ping()(message);
    const bool is_refused = message.front() == '[' && reply && !holds_result(*reply);
    return is_refused ? std::optional(kRefusal) : std::move(reply);
  };
}

// What is known when the roles are known, too.
Traits traits_with_roles(FakeServer server, corpus::RoleBindings methods,
                         bool batches_optional = false) {
  Options options;
  options.batches_optional = batches_optional;
  FakeEndpoint endpoint("lines");
  CaseRunner runner(real_corpus(), endpoint, 0);
  FakeConversation conversation(std::move(server));
  session::Patience patience(milliseconds(50));
  auto traits = calibrate(real_corpus(), options, endpoint, runner, conversation, patience);
  const Roles roles{std::move(methods), {}, {}};
  find_served_batches(real_corpus(), roles, 0, runner, conversation, traits);
  find_longest_batch(real_corpus(), roles, 0, conversation, traits);
  return traits;
}

TEST(ServedBatches, AreThoseOfCallsThatSucceedThoughOthersAreRefusedAsOne) {
  const auto traits = traits_with_roles(refusing_failing_batches(), {{"no-params", "ping"}});
  EXPECT_EQ(traits.no_batches, "");
  EXPECT_FALSE(traits.refuses_batches);
  const auto& batch = result_of(traits, "calibration/batch");
  EXPECT_EQ(batch.verdict, Verdict::fail);
  EXPECT_EQ(charged(batch), std::set<std::string>{"bat-array"});
  ASSERT_FALSE(batch.observations.empty());
  EXPECT_EQ(batch.observations.front().value, "served");
}

// That it leaves them out is charged once, and says nothing about ids or white space.
TEST(ServedBatches, OfCallsThatFailShowNothingElseWhereTheyHaveNoArray) {
  const auto traits = traits_with_roles(refusing_failing_batches(), {{"no-params", "ping"}});
  const auto why_not = [&](std::string_view id) {
    return lacks_batches(*real_corpus().find(id), traits);
  };
  EXPECT_EQ(why_not("batch/white-space"), "the server answers no batch whose calls all fail");
  EXPECT_EQ(why_not("batch/two-calls"), "");
  EXPECT_EQ(why_not("batch/three-known-calls"), "");
}

TEST(ServedBatches, AreThoseOfCallsThatSucceedThoughOthersAreLeftWaiting) {
  const auto refusing = refusing_failing_batches();
  const auto silent = [refusing](const std::string& message) {
    auto reply = refusing(message);
    return reply == kRefusal ? std::optional<std::string>() : reply;
  };
  const auto traits = traits_with_roles(silent, {{"no-params", "ping"}});
  EXPECT_EQ(traits.no_batches, "");
  EXPECT_EQ(charged(result_of(traits, "calibration/batch")), std::set<std::string>{"bat-array"});
}

TEST(ServedBatches, AreNoneWhereNoMethodIsKnownOrEachBatchIsRefused) {
  const auto unknown = traits_with_roles(refusing_failing_batches(), {});
  EXPECT_EQ(unknown.no_batches, "batches are declared unsupported (calibration/batch)");
  const auto refusing = [](const std::string& message) {
    return message.front() == '[' ? std::optional(kRefusal) : server_with_ping()(message);
  };
  const auto without = traits_with_roles(refusing, {{"no-params", "ping"}});
  EXPECT_EQ(without.no_batches, "batches are declared unsupported (calibration/batch)");
  EXPECT_TRUE(without.refuses_batches);
  EXPECT_EQ(result_of(without, "calibration/batch").verdict, Verdict::warn);
}

// What is refused for a time says nothing of batches.
TEST(ServedBatches, AreAskedForOnceMoreBeforeOneIsCharged) {
  const auto busy = [refused = false](const std::string& message) mutable {
    const bool is_first_batch = message.front() == '[' && !std::exchange(refused, true);
    return is_first_batch ? std::optional(kRefusal) : server_with_ping()(message);
  };
  const auto traits = traits_with_roles(busy, {{"no-params", "ping"}});
  EXPECT_EQ(traits.no_batches, "");
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::pass);
}

TEST(ServedBatches, AreNotAskedForWhereTheProtocolHasNone) {
  const auto traits = traits_with_roles(refusing_failing_batches(), {{"no-params", "ping"}}, true);
  EXPECT_NE(traits.no_batches, "");
  EXPECT_EQ(result_of(traits, "calibration/batch").verdict, Verdict::not_exercised);
}

// Refuses with that code the batches for which `refuses`.
FakeServer refusing_batches(int code, std::function<bool(const json::Value& batch)> refuses) {
  return [=](const std::string& message) -> std::optional<std::string> {
    const auto parsed = json::parse(message);
    const bool is_refused = parsed && parsed.value->is(json::Kind::array) && refuses(*parsed.value);
    if (!is_refused) return server_with_ping()(message);
    return R"({"jsonrpc":"2.0",)" + error_member(code) + R"(,"id":null})";
  };
}

bool is_longer_than_two(const json::Value& batch) { return batch.children().size() > 2; }

std::optional<std::size_t> longest_of(FakeServer server) {
  return traits_with_roles(std::move(server), {{"no-params", "ping"}}).longest_batch;
}

TEST(LongestBatch, IsTwoWhereEachOfMoreIsRefusedInPlainWords) {
  EXPECT_EQ(longest_of(refusing_batches(-32600, is_longer_than_two)), 2U);
  EXPECT_EQ(longest_of(refusing_batches(-32005, is_longer_than_two)), 2U);
  EXPECT_EQ(longest_of(server_with_ping()), std::nullopt);
}

TEST(LongestBatch, IsNoLimitWhereSomeOfThreeAreServedOrTheServerFails) {
  const auto is_three = [](const json::Value& batch) { return batch.children().size() == 3; };
  EXPECT_EQ(longest_of(refusing_batches(-32600, is_three)), std::nullopt);
  const auto is_three_that_fail = [](const json::Value& batch) {
    return is_longer_than_two(batch) && json::write(batch).find("ping") == std::string::npos;
  };
  EXPECT_EQ(longest_of(refusing_batches(-32600, is_three_that_fail)), std::nullopt);
  const auto is_three_that_succeed = [](const json::Value& batch) {
    return is_longer_than_two(batch) && json::write(batch).find("ping") != std::string::npos;
  };
  EXPECT_EQ(longest_of(refusing_batches(-32600, is_three_that_succeed)), std::nullopt);
  EXPECT_EQ(longest_of(refusing_batches(-32603, is_longer_than_two)), std::nullopt);
  EXPECT_EQ(longest_of(refusing_batches(-32700, is_longer_than_two)), std::nullopt);
}

TEST(LongestBatch, LeavesOutTheCasesThatAskForTheAnswersToALongerOne) {
  Traits traits;
  const auto why_not = [&](std::string_view id) {
    return lacks_batches(*real_corpus().find(id), traits);
  };
  EXPECT_EQ(why_not("batch/three-known-calls"), "");
  traits.longest_batch = 2;
  EXPECT_EQ(why_not("batch/three-known-calls"),
            "the server refuses batches of more than 2 elements, and says so");
  EXPECT_NE(why_not("batch/three-notifications"), "");
  EXPECT_EQ(why_not("batch/two-calls"), "");
  EXPECT_EQ(why_not("batch/five-calls"), "");
  EXPECT_EQ(why_not("robust/thousand-calls-in-a-batch"), "");
}

}  // namespace served_batches_test
}  // namespace jrpcheck::run
