// The rules of Ethereum JSON-RPC that no schema can say.
#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "json/pointer.hpp"
#include "judge/code.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// A program that reverts with these 32 bytes, whatever the chain.
constexpr std::string_view kRevertingProgram = "0x600160005260206000fd";

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

// Of n blocks there are n ratios and n + 1 base fees, and n rewards where they were asked for.
void eth_fee_history_counts(const RuleCall& call) {
  for_each_answer(
      call, "eth_feeHistory", "/result", [&](const Spoken& each, const json::Value& fees) {
        call.exercise();
        const std::size_t blocks = length_at(fees, "gasUsedRatio");
        const bool has_rewards = fees.is(Kind::object) && length_at(fees, "reward") > 0;
        const bool fits = length_at(fees, "baseFeePerGas") == blocks + 1 &&
                          (!has_rewards || length_at(fees, "reward") == blocks);
        if (!fits) {
          call.charge(each, "/result", "The lists of a history of fees do not belong together.",
                      "one base fee more than ratios, and as many rewards");
        }
      });
}

bool is_hex_data(const json::Value& value) {
  if (!value.is(Kind::string)) return false;
  const std::string& text = value.text();
  return text.starts_with("0x") && text.size() % 2 == 0 &&
         text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
}

void eth_revert_data(const RuleCall& call) {
  for_each_answer(call, "eth_call", "/error", [&](const Spoken& each, const json::Value& error) {
    const json::Value* program = json::at(*each.call, "/params/0/data");
    if (program == nullptr || program->text() != kRevertingProgram) return;
    call.exercise();
    const json::Value* data = error.is(Kind::object) ? error.find("data") : nullptr;
    if (data == nullptr || !is_hex_data(*data)) {
      call.charge(each, "/error/data", "The bytes of a revert are not given as data.",
                  "a string of 0x and 64 digits");
    }
  });
}

// The groups that the documentation of execution-apis gives to codes.
bool is_of_group(long long code) {
  const auto is_within = [code](long long from, long long to) {
    return code >= from && code <= to;
  };
  return code == -32700 || is_within(-32603, -32600) || is_within(-32006, -32000) ||
         is_within(1, 4) || is_within(800, 809) || is_within(1000, 1001) || is_within(2000, 2199) ||
         code == 4444 || is_within(-39999, -38000);
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

// No notification of a subscription comes before the answer that names it.
void eth_notifications_after_names(const RuleCall& call) {
  std::set<std::string> told_of;
  for (const auto& each : call.heard.all()) {
    if (is_subscription(each)) told_of.insert(subscription_of(each));
    if (!each.by_server || each.called() != "eth_subscribe" || each.at("/result") == nullptr) {
      continue;
    }
    call.exercise();
    if (told_of.count(json::write(*each.at("/result"))) != 0) {
      call.charge(each, "/result", "The subscription was told of before it was named.",
                  "the answer first");
    }
  }
}

void eth_subscription_ids_differ(const RuleCall& call) {
  std::set<std::string> named;
  for_each_answer(call, "eth_subscribe", "/result", [&](const Spoken& each, const json::Value& id) {
    call.exercise();
    if (!named.insert(json::write(id)).second) {
      call.charge(each, "/result", "Two subscriptions have one name.", "another name");
    }
  });
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
    RuleRow{"eth-transactions-as-asked", &eth_transactions_as_asked},
    RuleRow{"eth-fee-history-counts", &eth_fee_history_counts},
    RuleRow{"eth-revert-data", &eth_revert_data},
    RuleRow{"eth-codes-of-groups", &eth_codes_of_groups},
    RuleRow{"eth-no-method-in-responses", &eth_no_method_in_responses},
    RuleRow{"eth-notifications-after-names", &eth_notifications_after_names},
    RuleRow{"eth-subscription-ids-differ", &eth_subscription_ids_differ},
    RuleRow{"eth-notifications-have-no-id", &eth_notifications_have_no_id},
};

}  // namespace

std::span<const RuleRow> ethereum_rules() { return kEthereumRows; }

}  // namespace jrpcheck::judge
