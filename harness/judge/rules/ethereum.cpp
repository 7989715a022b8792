// The rules of Ethereum JSON-RPC that no schema can say.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// A program that reverts with these 32 bytes, whatever the chain.
constexpr std::string_view kRevertingProgram = "0x600160005260206000fd";
constexpr std::string_view kReverted =
    "0x0000000000000000000000000000000000000000000000000000000000000001";

// The answers of the node to calls of one method.
template <typename Judge>
void for_each_answer(const RuleCall& call, std::string_view method, std::string_view part,
                     Judge judge) {
  for (const auto& each : call.heard.all()) {
    const json::Value* value = each.by_server && each.called() == method ? each.at(part) : nullptr;
    if (value != nullptr) judge(each, *value);
  }
}

void eth_chain_id_same(const RuleCall& call) {
  std::string first;
  for_each_answer(call, "eth_chainId", "/result", [&](const Spoken& each, const json::Value& id) {
    call.exercise();
    const std::string text = json::write(id);
    if (first.empty()) first = text;
    if (text != first) {
      call.charge(each, "/result", "The chain has another id than a moment before.", first);
    }
  });
}

// With true the transactions of a block are Objects, with false hashes.
void eth_transactions_as_asked(const RuleCall& call) {
  for (const std::string_view method : {"eth_getBlockByNumber", "eth_getBlockByHash"}) {
    for_each_answer(call, method, "/result", [&](const Spoken& each, const json::Value& block) {
      const json::Value* full = json::at(*each.call, "/params/1");
      const json::Value* all = block.is(Kind::object) ? block.find("transactions") : nullptr;
      if (full == nullptr || !full->is(Kind::boolean) || all == nullptr) return;
      call.exercise();
      const Kind due = full->as_boolean() ? Kind::object : Kind::string;
      const bool fits =
          std::ranges::all_of(all->children(), [due](const auto& one) { return one.is(due); });
      if (!fits) {
        call.charge(each, "/result/transactions",
                    "The transactions of the block are not given as was asked.",
                    due == Kind::object ? "Objects" : "hashes");
      }
    });
  }
}

std::size_t length_at(const json::Value& value, std::string_view name) {
  const json::Value* list = value.is(Kind::object) ? value.find(name) : nullptr;
  return list != nullptr && list->is(Kind::array) ? list->size() : 0;
}

/// So many blocks were asked for; nothing where that is not said by a quantity.
std::optional<std::size_t> blocks_asked_for(const json::Value& call) {
  const std::string& text = json::text_of(json::at(call, "/params/0"));
  constexpr int kBase = 16;
  std::size_t blocks = 0;
  const char* end = text.data() + text.size();
  if (!text.starts_with("0x")) return std::nullopt;
  const auto [rest, error] = std::from_chars(text.data() + 2, end, blocks, kBase);
  return error == std::errc() && rest == end ? std::optional(blocks) : std::nullopt;
}

// Of each block there is a reward for each percentile, zeros where it is empty (execution-apis,
// eth/fee_market). That there are rewards at all its schema does not require.
bool has_reward_for_each(const json::Value& fees, const json::Value& call) {
  const json::Value* percentiles = json::at(call, "/params/2");
  const json::Value* rewards = fees.is(Kind::object) ? fees.find("reward") : nullptr;
  const bool is_asked = percentiles != nullptr && percentiles->is(Kind::array);
  if (!is_asked || rewards == nullptr || !rewards->is(Kind::array)) return true;
  return std::ranges::all_of(rewards->children(), [&](const json::Value& of_block) {
    return of_block.is(Kind::array) && of_block.size() == percentiles->size();
  });
}

// Of n blocks there are n ratios and n + 1 base fees, and n rewards where they were asked for; and
// no more blocks than were asked for, but perhaps fewer.
void eth_fee_history_counts(const RuleCall& call) {
  for_each_answer(
      call, "eth_feeHistory", "/result", [&](const Spoken& each, const json::Value& fees) {
        const std::size_t blocks = length_at(fees, "gasUsedRatio");
        // Of no block nobody says which base fee is one more.
        if (blocks == 0 && blocks_asked_for(*each.call) == std::size_t{0}) return;
        call.exercise();
        const bool has_rewards = fees.is(Kind::object) && length_at(fees, "reward") > 0;
        const bool fits = length_at(fees, "baseFeePerGas") == blocks + 1 &&
                          (!has_rewards || length_at(fees, "reward") == blocks) &&
                          has_reward_for_each(fees, *each.call) &&
                          blocks <= blocks_asked_for(*each.call).value_or(blocks);
        if (!fits) {
          call.charge(each, "/result",
                      "The lists of a history of fees do not belong together, or to the call.",
                      "at most as many blocks as were asked for, one base fee more than ratios, "
                      "and a reward for each block and percentile");
        }
      });
}

/// The call was not run at all: it is refused, unknown, or one too many.
bool is_not_run(const json::Value& error) {
  constexpr std::array<long long, 6> kNotRun = {-32700, -32600, -32601, -32602, -32004, -32005};
  const auto code = code_of(error);
  return code && std::ranges::find(kNotRun, *code) != kNotRun.end();
}

// Only a node that runs what reverts nothing has run what is refused by another code than that of a
// revert.
void eth_revert_data(const RuleCall& call) {
  constexpr long long kRevertCode = 3;
  bool runs_calls = false;
  for_each_answer(call, "eth_call", "/result",
                  [&](const Spoken&, const json::Value&) { runs_calls = true; });
  for_each_answer(call, "eth_call", "/error", [&](const Spoken& each, const json::Value& error) {
    const json::Value* program = json::at(*each.call, "/params/0/data");
    const bool has_run = code_of(error) == kRevertCode || (runs_calls && !is_not_run(error));
    if (json::text_of(program) != kRevertingProgram || !has_run) return;
    call.exercise();
    const json::Value* data = error.is(Kind::object) ? error.find("data") : nullptr;
    if (json::text_of(data) == kReverted) return;
    call.charge(each, "/error/data", "The bytes that a call reverts with are not given as data.",
                std::string(kReverted));
  });
}

// The schema has bytes of any length, the fixtures of execution-apis 32. What is no data is charged
// by the schema.
void eth_storage_of_32_bytes(const RuleCall& call) {
  constexpr std::size_t kLength = 66;
  for_each_answer(call, "eth_getStorageAt", "/result",
                  [&](const Spoken& each, const json::Value& value) {
                    call.exercise();
                    const std::string& text = json::text_of(&value);
                    const bool is_data = text.starts_with("0x") && text.size() % 2 == 0;
                    if (!is_data || text.size() == kLength) return;
                    call.charge(each, "/result", "A storage value is not padded to 32 bytes.",
                                "0x and 64 digits");
                  });
}

/// Looks for one transaction, or its receipt, by what has the form of a hash.
bool is_search(const Spoken& spoken) {
  constexpr std::size_t kHashLength = 66;
  const bool is_it = spoken.by_server && (spoken.called() == "eth_getTransactionByHash" ||
                                          spoken.called() == "eth_getTransactionReceipt");
  return is_it && json::text_of(json::at(*spoken.call, "/params/0")).size() == kHashLength;
}

// While geth indexes its chain it cannot know what is there, and answers -32000 in place of null;
// eth_syncing is an object as long (internal/ethapi, TxIndexingError). It is asked just before.
void eth_unknown_is_null(const RuleCall& call) {
  constexpr long long kNotIndexed = -32000;
  const Spoken* before = nullptr;
  for (const auto& each : call.heard.all()) {
    if (!each.by_server || each.call == nullptr) continue;
    if (is_search(each)) {
      call.exercise();
      const json::Value* syncing =
          before != nullptr && before->called() == "eth_syncing" ? before->value : nullptr;
      const json::Value* state = syncing != nullptr ? syncing->find("result") : nullptr;
      const bool is_behind = state != nullptr && state->is(Kind::object);
      if (syncing != nullptr && !is_behind && error_code_of(*each.value) == kNotIndexed) {
        call.charge(each, "/error",
                    "What is unknown is an error, and the node does not say that it is behind.",
                    "null");
      }
    }
    before = &each;
  }
}

// The ranges that the documentation of execution-apis (src/error-groups) reserves for its groups: a
// group may grow within its own. 4444 and those of the Engine API have none.
bool is_of_group(long long code) {
  const auto is_within = [code](long long from, long long to) {
    return code >= from && code <= to;
  };
  return code == -32700 || is_within(-32603, -32600) || is_within(-32099, -32000) ||
         is_within(1, 199) || is_within(800, 999) || is_within(1000, 1199) ||
         is_within(2000, 2199) || code == 4444 || is_within(-39999, -38000);
}

void eth_codes_of_groups(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const auto code = each.by_server ? error_code_of(*each.value) : std::nullopt;
    if (!code) continue;
    call.exercise();
    if (is_of_group(*code)) continue;
    call.charge(each, "/error/code", "The code is of no group that the documentation knows.",
                "a code of one of the groups");
  }
}

void eth_no_method_in_responses(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    const bool is_response =
        each.by_server && (each.at("/result") != nullptr || each.at("/error") != nullptr);
    if (!is_response) continue;
    call.exercise();
    if (each.value->find("method") != nullptr) {
      call.charge(each, "/method", "A Response has a method.", "no method");
    }
  }
}

bool is_subscription(const Spoken& spoken) {
  return spoken.by_server && spoken.method() == "eth_subscription";
}

std::string subscription_of(const Spoken& spoken) {
  const json::Value* id = spoken.at("/params/subscription");
  return id != nullptr ? json::write(*id) : std::string();
}

/// The subscription that this answer says to be over: its name may be given again.
std::string ended_by(const Spoken& spoken) {
  if (!spoken.by_server || spoken.called() != "eth_unsubscribe") return {};
  const json::Value* result = spoken.at("/result");
  const json::Value* id = json::at(*spoken.call, "/params/0");
  const bool is_over = result != nullptr && result->is(Kind::boolean) && result->as_boolean();
  return is_over && id != nullptr ? json::write(*id) : std::string();
}

/// The subscription that this answer names.
std::string named_by(const Spoken& spoken) {
  const bool is_it = spoken.by_server && spoken.called() == "eth_subscribe";
  const json::Value* id = is_it ? spoken.at("/result") : nullptr;
  return id != nullptr ? json::write(*id) : std::string();
}

// No notification of a subscription comes before the answer that names it.
void eth_notifications_after_names(const RuleCall& call) {
  std::set<std::string> told_of;
  for (const auto& each : call.heard.all()) {
    if (is_subscription(each)) told_of.insert(subscription_of(each));
    told_of.erase(ended_by(each));
    const std::string name = named_by(each);
    if (name.empty()) continue;
    call.exercise();
    if (told_of.count(name) != 0) {
      call.charge(each, "/result", "The subscription was told of before it was named.",
                  "the answer first");
    }
  }
}

void eth_subscription_ids_differ(const RuleCall& call) {
  std::set<std::string> named;
  for (const auto& each : call.heard.all()) {
    named.erase(ended_by(each));
    const std::string name = named_by(each);
    if (name.empty()) continue;
    call.exercise();
    if (!named.insert(name).second) {
      call.charge(each, "/result", "Two subscriptions have one name.", "another name");
    }
  }
}

void eth_notifications_have_no_id(const RuleCall& call) {
  for (const auto& each : call.heard.all()) {
    if (!is_subscription(each)) continue;
    call.exercise();
    if (each.value->find("id") != nullptr) {
      call.charge(each, "/id", "What tells of a subscription has an id.", "no id");
    }
  }
}

constexpr std::array kEthereumRows = {
    RuleRow{"eth-chain-id-same", &eth_chain_id_same},
    RuleRow{"eth-transactions-as-asked", &eth_transactions_as_asked, Needs::message},
    RuleRow{"eth-fee-history-counts", &eth_fee_history_counts, Needs::message},
    RuleRow{"eth-storage-of-32-bytes", &eth_storage_of_32_bytes, Needs::message},
    RuleRow{"eth-unknown-is-null", &eth_unknown_is_null},
    RuleRow{"eth-revert-data", &eth_revert_data, Needs::message},
    RuleRow{"eth-codes-of-groups", &eth_codes_of_groups, Needs::message},
    RuleRow{"eth-no-method-in-responses", &eth_no_method_in_responses, Needs::message},
    RuleRow{"eth-notifications-after-names", &eth_notifications_after_names, Needs::session},
    RuleRow{"eth-subscription-ids-differ", &eth_subscription_ids_differ, Needs::session},
    RuleRow{"eth-notifications-have-no-id", &eth_notifications_have_no_id, Needs::message},
};

}  // namespace

std::span<const RuleRow> ethereum_rules() { return kEthereumRows; }

}  // namespace jrpcheck::judge
