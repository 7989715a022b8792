// Rules of Ethereum JSON-RPC: what they hold an answer to, and what they leave to the node.
#include <gtest/gtest.h>

#include "judge/rules/rule_for_testing.hpp"

namespace jrpcheck::judge {
namespace ethereum_rules_test {

using dialogue::Direction;
using dialogue::Event;

Event said(Direction direction, const std::string& text) { return {direction, {}, text}; }

/// The call of a method with these params, and what answers it.
std::vector<Event> answered(const std::string& id, const std::string& method,
                            const std::string& params, const std::string& outcome) {
  return {said(Direction::sent, R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method +
                                    R"(","params":)" + params + "}"),
          said(Direction::received, R"({"jsonrpc":"2.0","id":)" + id + "," + outcome + "}")};
}

std::vector<Event> one_after_another(const std::vector<std::vector<Event>>& parts) {
  std::vector<Event> all;
  for (const auto& each : parts) all.insert(all.end(), each.begin(), each.end());
  return all;
}

bool is_code_charged(const std::string& code) {
  return times_broken("eth-codes-of-groups",
                      answered("7", "eth_sendRawTransaction", R"(["0x"])",
                               R"("error":{"message":"No","code":)" + code + "}")) == 1;
}

TEST(EthereumCodes, AnyCodeInTheRangeOfAGroupIsOfThatGroup) {
  for (const auto* code : {"-32010", "-32015", "-32099", "5", "199", "810", "1199", "2199"}) {
    EXPECT_FALSE(is_code_charged(code)) << code;
  }
  for (const auto* code : {"-32100", "-1", "0", "200", "799", "1200", "2200", "4445"}) {
    EXPECT_TRUE(is_code_charged(code)) << code;
  }
}

std::vector<Event> reverted(const std::string& error) {
  return answered("7", "eth_call", R"([{"data":"0x600160005260206000fd"},"latest"])",
                  R"("error":)" + error);
}

std::vector<Event> plain_call(const std::string& outcome) {
  return answered("6", "eth_call", R"([{"data":"0x60146000f3"},"latest"])", outcome);
}

bool is_revert_charged(const std::string& error) {
  return times_broken("eth-revert-data",
                      one_after_another({plain_call(R"("result":"0x")"), reverted(error)})) == 1;
}

TEST(EthereumReverts, TheDataAreTheBytesThatTheProgramReturns) {
  const std::string bytes = "0x" + std::string(63, '0') + "1";
  const auto with_data = [](const std::string& data) {
    return R"({"code":3,"message":"reverted","data":")" + data + R"("})";
  };
  EXPECT_FALSE(is_revert_charged(with_data(bytes)));
  EXPECT_TRUE(is_revert_charged(with_data("0x")));
  EXPECT_TRUE(is_revert_charged(with_data("0xdeadbeef")));
  EXPECT_TRUE(is_revert_charged(with_data("Reverted " + bytes)));
  EXPECT_TRUE(is_revert_charged(R"({"code":-32603,"message":"reverted"})"));
}

TEST(EthereumReverts, ACallThatWasNotRunHasNoBytesToGive) {
  for (const auto* code : {"-32601", "-32004", "-32602", "-32005"}) {
    const std::string error = R"({"message":"No","code":)" + std::string(code) + "}";
    EXPECT_FALSE(is_revert_charged(error)) << code;
  }
}

TEST(EthereumReverts, WhereNoCallRunsNothingHasRevertedUnlessTheCodeSaysSo) {
  const std::string unable = R"({"code":-32603,"message":"Must include cliqueSigner function"})";
  const auto refused = plain_call(R"("error":)" + unable);
  const auto times = [&](const std::string& error) {
    return times_broken("eth-revert-data", one_after_another({refused, reverted(error)}));
  };
  EXPECT_EQ(times(unable), 0);
  EXPECT_EQ(times_broken("eth-revert-data", reverted(unable)), 0);
  EXPECT_EQ(times(R"({"code":3,"message":"reverted","data":"0x"})"), 1);
}

bool is_history_charged(const std::string& params, const std::string& result) {
  return times_broken("eth-fee-history-counts",
                      answered("7", "eth_feeHistory", params, R"("result":)" + result)) == 1;
}

TEST(EthereumFeeHistory, ItsListsBelongTogetherAndToTheCall) {
  const std::string asked = R"(["0x2","latest",[25,75]])";
  const std::string two =
      R"("oldestBlock":"0x1","baseFeePerGas":["0x7","0x7","0x7"],"gasUsedRatio":[0.5,0.5])";
  EXPECT_FALSE(
      is_history_charged(asked, "{" + two + R"(,"reward":[["0x0","0x1"],["0x0","0x1"]]})"));
  EXPECT_FALSE(is_history_charged(asked, "{" + two + "}"));
  EXPECT_FALSE(is_history_charged(R"(["0x2","latest",[]])", "{" + two + R"(,"reward":null})"));
  EXPECT_TRUE(is_history_charged(asked, "{" + two + R"(,"reward":[["0x0","0x1"]]})"));
  EXPECT_TRUE(is_history_charged(asked, "{" + two + R"(,"reward":[["0x1"],["0x1"]]})"));
  EXPECT_TRUE(is_history_charged(R"(["0x1","latest",[]])", "{" + two + "}"));
}

TEST(EthereumFeeHistory, FewerBlocksThanWereAskedForAreFine) {
  EXPECT_FALSE(is_history_charged(
      R"(["0x400","latest",[]])",
      R"({"oldestBlock":"0x0","baseFeePerGas":["0x7","0x7"],"gasUsedRatio":[0.5]})"));
}

TEST(EthereumFeeHistory, OfNoBlockNothingIsDueAndNoBlockIsGiven) {
  const std::string none = R"(["0x0","latest",[]])";
  EXPECT_FALSE(is_history_charged(none, R"({"oldestBlock":"0x0","gasUsedRatio":null})"));
  EXPECT_TRUE(is_history_charged(
      none, R"({"oldestBlock":"0x0","baseFeePerGas":["0x7","0x7"],"gasUsedRatio":[0.5]})"));
}

bool is_storage_charged(const std::string& value) {
  return times_broken("eth-storage-of-32-bytes",
                      answered("7", "eth_getStorageAt", R"(["0x5a","0x0","latest"])",
                               R"("result":)" + value)) == 1;
}

TEST(EthereumStorage, AValueThatIsDataHas32Bytes) {
  EXPECT_FALSE(is_storage_charged("\"0x" + std::string(64, '0') + "\""));
  EXPECT_TRUE(is_storage_charged(R"("0x")"));
  EXPECT_TRUE(is_storage_charged(R"("0x2a")"));
  EXPECT_TRUE(is_storage_charged("\"0x" + std::string(66, '0') + "\""));
}

TEST(EthereumStorage, WhatIsNoDataIsForTheSchema) {
  EXPECT_FALSE(is_storage_charged(R"("0x0")"));
  EXPECT_FALSE(is_storage_charged("0"));
  EXPECT_FALSE(is_storage_charged("null"));
}

/// Whether a transaction that is unknown may be answered with this error behind that of
/// eth_syncing.
bool is_error_charged(const std::string& syncing, int code) {
  const std::string hash = "0x" + std::string(64, '1');
  return times_broken(
             "eth-unknown-is-null",
             one_after_another({answered("1", "eth_syncing", "[]", syncing),
                                answered("2", "eth_getTransactionReceipt", "[\"" + hash + "\"]",
                                         R"("error":{"message":"No","code":)" +
                                             std::to_string(code) + "}")})) == 1;
}

TEST(EthereumTransactions, WhileANodeIsBehindItNeedNotKnowWhatIsUnknown) {
  EXPECT_FALSE(is_error_charged(R"("result":{"txIndexRemainingBlocks":"0x1"})", -32000));
  EXPECT_TRUE(is_error_charged(R"("result":false)", -32000));
  EXPECT_TRUE(is_error_charged(R"("error":{"code":-32601,"message":"No"})", -32000));
  EXPECT_FALSE(is_error_charged(R"("result":false)", 4444));
}

TEST(EthereumTransactions, AnErrorThatDoesNotFollowOnTheStateOfTheNodeIsNotCharged) {
  const std::string hash = "0x" + std::string(64, '1');
  const auto search = answered("2", "eth_getTransactionByHash", "[\"" + hash + "\"]",
                               R"("error":{"message":"No","code":-32000})");
  EXPECT_EQ(times_broken("eth-unknown-is-null", search), 0U);
  EXPECT_EQ(times_broken("eth-unknown-is-null",
                         one_after_another({answered("1", "eth_syncing", "[]", R"("result":false)"),
                                            answered("3", "eth_chainId", "[]", R"("result":"0x1")"),
                                            search})),
            0U);
}

std::vector<Event> subscribed(const std::string& id, const std::string& name) {
  return answered(id, "eth_subscribe", R"(["newHeads"])", R"("result":")" + name + "\"");
}

std::vector<Event> ended(const std::string& id, const std::string& name,
                         const std::string& result) {
  return answered(id, "eth_unsubscribe", R"([")" + name + R"("])", R"("result":)" + result);
}

std::vector<Event> told_of(const std::string& name) {
  return {said(Direction::unasked,
               R"({"jsonrpc":"2.0","method":"eth_subscription","params":{"subscription":")" + name +
                   R"(","result":{}}})")};
}

TEST(EthereumSubscriptions, TheNameOfOneThatIsOverMayBeGivenAgain) {
  const auto again = one_after_another(
      {subscribed("1", "0x1"), told_of("0x1"), ended("2", "0x1", "true"), subscribed("3", "0x1")});
  EXPECT_EQ(times_broken("eth-subscription-ids-differ", again), 0U);
  EXPECT_EQ(times_broken("eth-notifications-after-names", again), 0U);
}

TEST(EthereumSubscriptions, TheNameOfOneThatGoesOnIsItsOwn) {
  const auto twice = one_after_another({subscribed("1", "0x1"), subscribed("2", "0x1")});
  EXPECT_EQ(times_broken("eth-subscription-ids-differ", twice), 1U);
  const auto not_over = one_after_another(
      {subscribed("1", "0x1"), ended("2", "0x1", "false"), subscribed("3", "0x1")});
  EXPECT_EQ(times_broken("eth-subscription-ids-differ", not_over), 1U);
  const auto early = one_after_another({told_of("0x1"), subscribed("1", "0x1")});
  EXPECT_EQ(times_broken("eth-notifications-after-names", early), 1U);
}

}  // namespace ethereum_rules_test
}  // namespace jrpcheck::judge
