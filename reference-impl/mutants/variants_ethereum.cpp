// Odd behaviours of an Ethereum node that no rule forbids.
#include <algorithm>

#include "reference-impl/mutants/ethereum_edits.hpp"

namespace jrpcheck::reference {

namespace {

/// What geth answers while its index of transactions is not complete.
Behaviour indexing() {
  using namespace ethereum;
  constexpr int kNotIndexed = -32000;
  const json state = {{"startingBlock", "0x0"},
                      {"currentBlock", "0x2"},
                      {"highestBlock", "0x2"},
                      {"txIndexRemainingBlocks", "0x1"}};
  return nested(serve_call("eth_syncing", state),
                nested(refuse_call("eth_getTransactionByHash", kNotIndexed),
                       refuse_call("eth_getTransactionReceipt", kNotIndexed)));
}

}  // namespace

std::span<const Mutant> ethereum_variants() {
  using namespace ethereum;
  static const Mutant all[] = {
      {"eth-more-members", kLegal, kHttpAndWs, "Blocks have members of the node's own.",
       editing("eth_getBlockByNumber", "totalDifficulty", "0x0")},
      {"eth-checksummed", kLegal, kHttpAndWs, "Addresses have letters of either case.",
       serve_call("eth_accounts", json::array({"0xAbCdEf" + std::string(34, '1')}))},
      {"eth-pending-null", kLegal, kHttpAndWs, "There is no pending block.",
       serve_call(
           "eth_getBlockByNumber",
           [](const json& call) { return at(call, "/params/0") == "pending"; }, nullptr)},
      {"eth-not-finalized", kLegal, kHttpAndWs, "Nothing is finalized yet.",
       refuse_call(
           "eth_getBlockByNumber",
           [](const json& call) {
             const json tag = at(call, "/params/0");
             return tag == "finalized" || tag == "safe";
           },
           -39001)},
      {"eth-syncing-object", kLegal, kHttpAndWs, "The node is behind.",
       serve_call("eth_syncing",
                  {{"startingBlock", "0x0"}, {"currentBlock", "0x1"}, {"highestBlock", "0x2"}})},
      {"eth-no-accounts", kLegal, kHttpAndWs, "The node has no accounts, and no such method.",
       refuse_call("eth_accounts", -32601)},
      {"eth-no-filters", kLegal, kHttp, "The node has no filters.",
       refuse_call("eth_newBlockFilter", -32601)},
      {"eth-indexing", kLegal, kHttpAndWs,
       "The node still indexes its chain, says so, and does not know what is unknown.", indexing},
      {"eth-no-subscriptions", kLegal, kWs, "The node has no subscriptions.",
       refuse_call("eth_subscribe", -32601)},
      {"eth-code-of-a-range", kLegal, kHttpAndWs,
       "A transaction is refused with a code that its group has not given out yet.",
       edit_error("eth_sendRawTransaction", setting("code", -32010))},
      {"eth-batch-reordered", kLegal, kHttpAndWs, "The answers to a batch come in another order.",
       batch_edited([](json batch) -> Reply {
         std::reverse(batch.begin(), batch.end());
         return batch.dump();
       })},
      {"eth-heads", kLegal, kWs, "New heads are told of.", heads("\"0x99\"", "")},
      {"eth-method-not-supported", kLegal, kHttpAndWs,
       "A method that nobody has is refused with -32004, as not supported (EIP-1474).",
       unknown_methods_coded(-32004)},
      {"eth-names-refused", kLegal, kHttpAndWs,
       "A call with params by name is refused as none, with a null id.", names_refused(-32600)},
      {"eth-surplus-ignored", kLegal, kHttpAndWs, "Params that nobody takes are ignored.",
       serve_call(
           "eth_chainId", [](const json& call) { return !at(call, "/params").empty(); }, "0x539")},
  };
  return all;
}

}  // namespace jrpcheck::reference
