// Defects of an Ethereum node.
#include <atomic>
#include <memory>

#include "reference-impl/mutants/ethereum_edits.hpp"

namespace jrpcheck::reference {

namespace {

using namespace ethereum;

/// Errors of the method get this code.
Behaviour coding(std::string method, int code) {
  return edit_error(std::move(method), setting("code", code));
}

/// A null result becomes an error.
Behaviour failing_for_null(std::string method) {
  return on_call(std::move(method), [](const json& call, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    const json response = reply ? json::parse(*reply) : json();
    const bool is_null = response.contains("result") && response["result"].is_null();
    return is_null ? Reply(failure_for(call, -32000)) : reply;
  });
}

std::string some_hash() { return "0x" + std::string(64, '1'); }

bool has_no_params(const json& call) { return at(call, "/params").empty(); }

Behaviour chain_changing() {
  const auto calls = std::make_shared<std::atomic<int>>(0);
  return edit_result("eth_chainId", [calls](json& result) {
    if (++*calls % 2 == 0) result = "0x1";
  });
}

Behaviour methods_in_answers() {
  return edit_response(
      [](const json& call, json& response) { response["method"] = call["method"]; });
}

/// Texts as ids come back as numbers.
Behaviour texts_turned() {
  return edit_response("eth_chainId", [](const json& call, json& response) {
    if (call.value("id", json()) == "7") response["id"] = 7;
  });
}

/// Tells of a subscription before it names it.
Behaviour telling_early() {
  return on_call("eth_subscribe", [](const json&, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    const json response = reply ? json::parse(*reply) : json();
    if (!response.contains("result")) return reply;
    const json params = {{"subscription", response["result"]}, {"result", json::object()}};
    const json early = {{"jsonrpc", "2.0"}, {"method", "eth_subscription"}, {"params", params}};
    return Reply::several({early.dump(), *reply});
  });
}

}  // namespace

std::span<const Mutant> ethereum_faults() {
  static const Mutant all[] = {
      {"eth-hexless-balance", breaks("eth-quantity").perhaps("eth-balance-unknown"), kHttpAndWs,
       "A balance is 0x.", edit_result("eth_getBalance", [](json& each) { each = "0x"; })},
      {"eth-zeros-ahead", breaks("eth-quantity").perhaps("eth-block-object"), kHttpAndWs,
       "The number of a block has zeros ahead.", serve_call("eth_blockNumber", "0x02")},
      {"eth-capital-quantity", breaks("eth-quantity"), kHttpAndWs,
       "A gas price has capital digits.", serve_call("eth_gasPrice", "0xAB")},
      {"eth-quantity-number", breaks("eth-quantity"), kHttpAndWs, "A number of peers is a Number.",
       serve_call("net_peerCount", 3)},
      {"eth-fee-of-decimals", breaks("eth-quantity"), kHttpAndWs, "A fee is given in decimals.",
       serve_call("eth_maxPriorityFeePerGas", "1000")},
      {"eth-block-number-padded", breaks("eth-quantity"), kHttpAndWs,
       "The timestamp of a block has zeros ahead.",
       editing("eth_getBlockByNumber", "timestamp", "0x0065")},
      {"eth-nonce-number", breaks("eth-quantity"), kHttpAndWs,
       "A count of transactions is a Number.",
       edit_result("eth_getTransactionCount", [](json& each) { each = 0; })},
      {"eth-count-of-nothing", breaks("eth-quantity"), kHttpAndWs,
       "A count of a block's transactions is empty.",
       serve_call("eth_getBlockTransactionCountByNumber", "")},
      {"eth-odd-code", breaks("eth-data"), kHttpAndWs, "Code has an odd number of digits.",
       edit_result("eth_getCode", [](json& each) { each = "0x0"; })},
      {"eth-short-hash", breaks("eth-hash32"), kHttpAndWs, "A hash has 31 bytes.",
       serve_call("web3_sha3", "0x" + std::string(62, '1'))},
      {"eth-short-address", breaks("eth-address"), kHttpAndWs, "An account has 19 bytes.",
       serve_call("eth_accounts", json::array({"0x" + std::string(38, '1')}))},
      {"eth-short-bloom", breaks("eth-bloom"), kHttpAndWs, "A bloom has one byte.",
       editing("eth_getBlockByNumber", "logsBloom", "0x00")},
      {"eth-short-nonce", breaks("eth-block-nonce"), kHttpAndWs, "The nonce of a block is 0x0.",
       editing("eth_getBlockByNumber", "nonce", "0x0")},
      {"eth-short-storage", breaks("eth-storage-value"), kHttpAndWs, "An empty slot is 0x.",
       edit_result("eth_getStorageAt", [](json& each) { each = "0x"; })},
      {"eth-storage-key-long", breaks("eth-storage-key"), kHttpAndWs, "Any storage key is taken.",
       forgive_call("eth_getStorageAt", "0x" + std::string(64, '0'))},
      {"eth-storage-key-code", breaks("eth-storage-key"), kHttpAndWs,
       "A storage key that is none is refused with -32000.", coding("eth_getStorageAt", -32000)},
      {"eth-storage-long-key-refused", breaks("eth-schema"), kHttpAndWs,
       "A storage key with zeros ahead is refused.",
       refuse_call(
           "eth_getStorageAt",
           [](const json& call) {
             return at(call, "/params/1") == "0x" + std::string(63, '0') + "1";
           },
           -32602)},
      {"eth-chain-changes", breaks("eth-chain-id"), kHttp, "The id of the chain changes.",
       chain_changing},
      {"eth-net-version-hex", breaks("eth-net-version"), kHttpAndWs, "net_version is hexadecimal.",
       serve_call("net_version", "0x539")},
      {"eth-syncing-text", breaks("eth-syncing"), kHttpAndWs, "eth_syncing is a text.",
       serve_call("eth_syncing", "no")},
      {"eth-accounts-null", breaks("eth-accounts"), kHttpAndWs, "eth_accounts is null.",
       serve_call("eth_accounts", nullptr)},
      {"eth-version-number", breaks("eth-schema"), kHttpAndWs,
       "The version of the client is a Number.", serve_call("web3_clientVersion", 1)},
      {"eth-listening-text", breaks("eth-schema"), kHttpAndWs, "net_listening is a text.",
       serve_call("net_listening", "yes")},
      {"eth-fee-history-short", breaks("eth-fee-history"), kHttpAndWs,
       "A history of fees lacks the fee that comes next.",
       edit_result("eth_feeHistory", [](json& each) { each["baseFeePerGas"].erase(0); })},
      {"eth-rewards-short", breaks("eth-fee-history"), kHttpAndWs,
       "A history of fees has one reward of each block, whatever was asked for.",
       edit_result("eth_feeHistory",
                   [](json& each) {
                     for (auto& of_block : each["reward"]) of_block = json::array({"0x1"});
                   })},
      {"eth-fees-of-more", breaks("eth-fee-history"), kHttpAndWs,
       "A history of fees has a block more than was asked for.",
       edit_result("eth_feeHistory",
                   [](json& each) {
                     for (const auto* list : {"baseFeePerGas", "gasUsedRatio", "reward"}) {
                       const json blocks = each.value(list, json::array());
                       if (!blocks.empty()) each[list].push_back(blocks.back());
                     }
                   })},
      {"eth-block-unnamed", breaks("eth-schema"), kHttpAndWs, "A block has no parent.",
       edit_result("eth_getBlockByNumber",
                   [](json& each) {
                     if (each.is_object()) each.erase("parentHash");
                   })},
      {"eth-short-transaction-hash", breaks("eth-schema"), kHttpAndWs,
       "The hash of a transaction in a block has one byte.",
       edit_result("eth_getBlockByNumber",
                   [](json& each) {
                     if (!each.is_object()) return;
                     for (auto& one : each["transactions"]) {
                       if (one.is_string()) one = "0x01";
                     }
                   })},
      {"eth-transaction-unnamed", breaks("eth-schema"), kHttpAndWs,
       "A transaction in a block has no hash.",
       edit_result("eth_getBlockByNumber",
                   [](json& each) {
                     if (!each.is_object()) return;
                     for (auto& one : each["transactions"]) {
                       if (one.is_object()) one.erase("hash");
                     }
                   })},
      {"eth-syncing-number", breaks("eth-quantity"), kHttpAndWs,
       "A block that the node has come to is a Number.",
       serve_call("eth_syncing", {{"currentBlock", 5}, {"highestBlock", "0x6"}})},
      {"eth-full-always", breaks("eth-block-full"), kHttpAndWs,
       "The transactions of a block are always Objects.",
       editing("eth_getBlockByNumber", "transactions", json::array({{{"hash", some_hash()}}}))},
      {"eth-hashes-always", breaks("eth-block-full"), kHttpAndWs,
       "The transactions of a block are always hashes.",
       editing("eth_getBlockByNumber", "transactions", json::array({some_hash()}))},
      {"eth-tags-unknown", breaks("eth-tags").perhaps("eth-schema"), kHttpAndWs,
       "No tag but latest is known.",
       refuse_call(
           "eth_getBlockByNumber",
           [](const json& call) {
             const json tag = at(call, "/params/0");
             const bool is_word = tag.is_string() && !tag.get<std::string>().starts_with("0x");
             return is_word && tag != "latest";
           },
           -32602)},
      {"eth-latest-unknown", breaks("eth-tags").perhaps("eth-schema", "eth-block-full"), kHttpAndWs,
       "The tag latest is not known.",
       refuse_call(
           "eth_getBlockByNumber",
           [](const json& call) { return at(call, "/params/0") == "latest"; }, -32602)},
      {"eth-latest-null", breaks("eth-tags"), kHttpAndWs, "There is no latest block.",
       serve_call(
           "eth_getBlockByNumber",
           [](const json& call) { return at(call, "/params/0") == "latest"; }, nullptr)},
      {"eth-any-tag", breaks("eth-tags", "eth-quantity-read"), kHttpAndWs, "Any word is a tag.",
       forgive_call("eth_getBlockByNumber", nullptr)},
      {"eth-quantity-code", breaks("eth-quantity-read").perhaps("eth-tags"), kHttpAndWs,
       "A quantity that is none is refused with -32000.", coding("eth_getBlockByNumber", -32000)},
      {"eth-any-hash", breaks("eth-data-read"), kHttpAndWs, "A hash of any length is looked for.",
       forgive_call("eth_getBlockByHash", nullptr)},
      {"eth-any-data", breaks("eth-data-read").perhaps("eth-call-params", "eth-error-revert"),
       kHttpAndWs, "A call of any data succeeds.", forgive_call("eth_call", "0x")},
      {"eth-object-refused", breaks("eth-block-object"), kHttpAndWs,
       "A block that is named by an object is not found.",
       refuse_call(
           "eth_getBalance", [](const json& call) { return at(call, "/params/1").is_object(); },
           -32602)},
      {"eth-balance-null", breaks("eth-balance-unknown").perhaps("eth-quantity"), kHttpAndWs,
       "The balance of nobody is null.",
       edit_result("eth_getBalance", [](json& each) { each = nullptr; })},
      {"eth-block-error", breaks("eth-block-missing"), kHttpAndWs, "An unknown block is an error.",
       failing_for_null("eth_getBlockByNumber")},
      {"eth-block-by-hash-error", breaks("eth-block-missing"), kHttpAndWs,
       "A block of an unknown hash is an error.", failing_for_null("eth_getBlockByHash")},
      {"eth-transaction-error", breaks("eth-block-missing"), kHttpAndWs,
       "An unknown transaction is an error.", failing_for_null("eth_getTransactionByHash")},
      {"eth-receipt-error", breaks("eth-block-missing"), kHttpAndWs,
       "An unknown receipt is an error.", failing_for_null("eth_getTransactionReceipt")},
      {"eth-logs-of-anything", breaks("eth-logs-range"), kHttpAndWs,
       "A range that is none has no logs.", forgive_call("eth_getLogs", json::array())},
      {"eth-logs-code", breaks("eth-logs-range"), kHttpAndWs,
       "A range that is none is refused with -32000.", coding("eth_getLogs", -32000)},
      {"eth-log-without-data", breaks("eth-logs-shape"), kHttpAndWs, "A log has no data.",
       edit_result("eth_getLogs", [](json& each) { each[0].erase("data"); })},
      {"eth-log-of-five-topics", breaks("eth-logs-shape"), kHttpAndWs, "A log has five topics.",
       edit_result("eth_getLogs",
                   [](json& each) {
                     each[0]["topics"] = std::vector<std::string>(5, "0x" + std::string(64, '1'));
                   })},
      {"eth-call-without-params", breaks("eth-call-params"), kHttpAndWs,
       "A call without params succeeds.", serve_call("eth_call", has_no_params, "0x")},
      {"eth-balance-without-params", breaks("eth-params-missing"), kHttpAndWs,
       "A balance of nobody in particular is 0x0.",
       serve_call("eth_getBalance", has_no_params, "0x0")},
      {"eth-params-code", breaks("eth-params-missing").perhaps("eth-live"), kHttpAndWs,
       "Missing params are refused with -32000.", coding("eth_getBalance", -32000)},
      {"eth-unknown-method-code", breaks("eth-error-unknown-method").perhaps_any_of("err-", "eth-"),
       kHttpAndWs, "An unknown method is refused with -32000.",
       refuse_call(
           "",
           [](const json&
                  call) { return call["method"].get<std::string>().starts_with("eth_jrpcheck"); },
           -32000)},
      {"eth-unknown-method-served",
       breaks("err-code-method").perhaps("eth-error-unknown-method", "eth-sub-http", "eth-sub-id"),
       kHttpAndWs, "A method that nobody has gives null.", unknown_methods_served()},
      {"eth-unknown-method-not-found",
       breaks("err-code-method").perhaps("eth-error-unknown-method", "eth-sub-http", "eth-sub-id"),
       kHttpAndWs, "A method that nobody has is refused with -32001.",
       unknown_methods_coded(-32001)},
      {"eth-names-refused-otherwise",
       breaks("err-code-method").perhaps_any_of("id-", "json-", "err-", "eth-", "rob-prototype-"),
       kHttpAndWs, "Params by name are refused with -32000 and a null id.", names_refused(-32000)},
      {"eth-revert-code", breaks("eth-error-revert").perhaps("eth-data-read", "eth-call-params"),
       kHttpAndWs, "A revert is refused with -32000.", coding("eth_call", -32000)},
      {"eth-revert-succeeds", breaks("eth-error-revert"), kHttpAndWs, "A revert succeeds.",
       edit_response("eth_call",
                     [](const json&, json& response) {
                       if (at(response, "/error/code") != 3) return;
                       response.erase("error");
                       response["result"] = "0x";
                     })},
      {"eth-revert-object", breaks("eth-error-revert-data"), kHttpAndWs,
       "The data of a revert are an Object.",
       edit_error("eth_call",
                  [](json& error) {
                    if (error["code"] == 3) error["data"] = json::object();
                  })},
      {"eth-revert-empty", breaks("eth-error-revert-data"), kHttpAndWs,
       "The data of a revert are empty.",
       edit_error("eth_call",
                  [](json& error) {
                    if (error["code"] == 3) error["data"] = "0x";
                  })},
      {"eth-estimate-code", breaks("eth-error-estimate"), kHttpAndWs,
       "An estimate of what reverts is refused with -32000.", coding("eth_estimateGas", -32000)},
      {"eth-rubbish-sent", breaks("eth-error-tx"), kHttpAndWs,
       "A transaction that cannot be decoded is taken.",
       forgive_call("eth_sendRawTransaction", "0x" + std::string(64, '1'))},
      {"eth-code-of-no-group", breaks("eth-error-group-codes"), kHttpAndWs,
       "An error has a code of no group.", coding("eth_sendRawTransaction", -1)},
      {"eth-error-text", breaks("eth-error-code-integer").perhaps_any_of("err-", "eth-"),
       kHttpAndWs, "The code of an error is a text.",
       edit_error("eth_sendRawTransaction", setting("code", "-32602"))},
      {"eth-batch-cut", breaks("eth-batch").perhaps("eth-batch-element"), kHttpAndWs,
       "A batch loses its last answer.", batch_edited([](json batch) -> Reply {
         if (batch.size() > 1) batch.erase(batch.size() - 1);
         return batch.dump();
       })},
      {"eth-batch-element-dropped", breaks("eth-batch-element"), kHttpAndWs,
       "An element that is no Object has no answer.", batch_edited([](json batch) -> Reply {
         for (std::size_t i = batch.size(); i-- > 0;) {
           if (batch[i]["id"].is_null()) batch.erase(i);
         }
         return batch.dump();
       })},
      {"eth-batch-empty-answered",
       breaks("eth-batch-empty"),
       kHttpAndWs,
       "An empty batch gives [].",
       {Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         return message == "[]" ? Reply("[]") : proper(message);
       }}}},
      {"eth-batch-of-notifications-answered",
       breaks("eth-batch-notification"),
       kHttpAndWs,
       "A batch of notifications gives [].",
       {Behaviour{.reply = [](std::string_view message, const ProperReply& proper) -> Reply {
         Reply reply = proper(message);
         return message.starts_with("[") && !reply ? Reply("[]") : reply;
       }}}},
      {"eth-method-in-answers", breaks("eth-response-members"), kHttpAndWs,
       "Answers have the method of their call.", methods_in_answers()},
      {"eth-digits-turned", breaks("eth-id-kinds"), kHttpAndWs,
       "An id that is a text of digits comes back as a Number.", texts_turned()},
      {"eth-filter-lost", breaks("eth-filters"), kHttpAndWs, "A filter that was made is unknown.",
       refuse_call("eth_getFilterChanges", -32000)},
      {"eth-filter-stays", breaks("eth-filters"), kHttpAndWs, "A filter can be taken away twice.",
       serve_call("eth_uninstallFilter", true)},
      {"eth-dies-of-deep-topics", breaks("eth-live").perhaps_any_of("rob-"), kHttp,
       "A filter with topics ends the node.",
       dying_of_call("eth_getLogs",
                     [](const json& call) { return at(call, "/params/0").contains("topics"); })},
      {"eth-dies-of-long-address", breaks("eth-live").perhaps_any_of("rob-"), kHttp,
       "A long address ends the node.",
       dying_of_call("eth_getBalance",
                     [](const json& call) {
                       const json first = at(call, "/params/0");
                       return first.is_string() && first.get<std::string>().size() > 1000;
                     })},
      {"eth-subscribes-over-http", breaks("eth-sub-http"), kHttp,
       "A subscription is given over plain HTTP.", serve_call("eth_subscribe", "0x1")},
      {"eth-subscription-number", breaks("eth-sub-id").perhaps_any_of("eth-sub-"), kWs,
       "A subscription is named by a Number.",
       edit_result("eth_subscribe", [](json& each) { each = 5; })},
      {"eth-subscription-plain", breaks("eth-sub-id").perhaps_any_of("eth-sub-"), kWs,
       "A subscription is named without 0x.",
       edit_result("eth_subscribe", [](json& each) { each = "abc"; })},
      {"eth-subscription-same", breaks("eth-sub-independent").perhaps_any_of("eth-sub-"), kWs,
       "All subscriptions have one name.",
       edit_result("eth_subscribe", [](json& each) { each = "0x1"; })},
      {"eth-unsubscribe-false", breaks("eth-sub-unsubscribe"), kWs,
       "What is ended is said not to be.", serve_call("eth_unsubscribe", false)},
      {"eth-unsubscribe-always", breaks("eth-sub-unsubscribe-unknown"), kWs,
       "What nobody has is ended.", serve_call("eth_unsubscribe", true)},
      {"eth-subscribes-anything", breaks("eth-sub-unknown").perhaps("eth-sub-id"), kWs,
       "Any kind of subscription is given.", forgive_call("eth_subscribe", "0xabcdef")},
      {"eth-tells-early", breaks("eth-sub-order"), kWs,
       "A subscription is told of before it is named.", telling_early()},
      {"eth-tells-with-id", breaks("eth-sub-notification"), kWs,
       "What tells of a subscription has an id.", heads("\"0x7\"", "\"id\":\"n\",")},
      {"eth-tells-shapelessly", breaks("eth-sub-notification"), kWs,
       "What tells of a subscription does not name it.", heads("null", "")},
  };
  return all;
}

}  // namespace jrpcheck::reference
