#include "reference-impl/ethereum_server.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "reference-impl/batch.hpp"
#include "reference-impl/error.hpp"
#include "reference-impl/request.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;
using EthMethod = json (*)(const json& params);

constexpr int kReverted = 3;
constexpr std::size_t kBlocks = 3;
// The one transaction of the chain stands there, where everybody looks.
constexpr std::size_t kNewest = kBlocks - 1;
constexpr const char* kHello = "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8";

std::string hexadecimal(std::size_t value) {
  std::array<char, 16> digits;
  constexpr int kBase = 16;
  const auto end = std::to_chars(digits.begin(), digits.end(), value, kBase).ptr;
  return {digits.begin(), end};
}

std::string quantity(std::size_t value) { return "0x" + hexadecimal(value); }

std::string hash_numbered(std::size_t value) {
  constexpr std::size_t kDigits = 64;
  const std::string digits = hexadecimal(value);
  return "0x" + std::string(kDigits - digits.size(), '0') + digits;
}

std::string repeated(char digit, std::size_t bytes) { return "0x" + std::string(2 * bytes, digit); }

std::string hash_of_block(std::size_t number) { return hash_numbered(0xb10c0 + number); }
std::string hash_of_transaction() { return hash_numbered(0x7a); }

bool is_hex(const json& value, std::size_t digits) {
  if (!value.is_string()) return false;
  const std::string text = value.get<std::string>();
  return text.starts_with("0x") && text.size() == digits + 2 &&
         text.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string::npos;
}

const json& param(const json& params, std::size_t place) {
  if (params.size() <= place) throw invalid_params("missing value for required argument");
  return params[place];
}

std::string address(const json& params, std::size_t place) {
  constexpr std::size_t kDigits = 40;
  if (!is_hex(param(params, place), kDigits)) throw invalid_params("an address has 20 bytes");
  return params[place];
}

std::string hash(const json& value) {
  constexpr std::size_t kDigits = 64;
  if (!is_hex(value, kDigits)) throw invalid_params("a hash has 32 bytes");
  return value;
}

/// The number that a quantity means, however large; none other than the canonical one.
std::size_t number(const json& value) {
  if (!value.is_string()) throw invalid_params("a quantity is a string");
  const std::string text = value;
  const bool is_canonical = text == "0x0" || (text.starts_with("0x") && text.size() > 2 &&
                                              text[2] != '0' && is_hex(value, text.size() - 2));
  constexpr std::size_t kMostDigits = 15;
  if (!is_canonical || text.size() > kMostDigits) throw invalid_params("that is no quantity");
  return std::stoull(text.substr(2), nullptr, 16);
}

/// The block that a tag, a quantity or an object names; nothing where there is none.
std::optional<std::size_t> block_named(const json& value) {
  static const std::map<std::string, std::size_t> tags = {{"earliest", 0},
                                                          {"finalized", kNewest},
                                                          {"safe", kNewest},
                                                          {"latest", kNewest},
                                                          {"pending", kNewest}};
  if (value.is_object() && value.contains("blockNumber")) return block_named(value["blockNumber"]);
  if (value.is_string()) {
    const auto tag = tags.find(value.get<std::string>());
    if (tag != tags.end()) return tag->second;
  }
  const std::size_t wanted = number(value);
  return wanted < kBlocks ? std::optional(wanted) : std::nullopt;
}

json transaction() {
  return {{"hash", hash_of_transaction()},
          {"blockHash", hash_of_block(kNewest)},
          {"blockNumber", quantity(kNewest)},
          {"transactionIndex", "0x0"},
          {"nonce", "0x0"},
          {"gas", "0x5208"},
          {"gasPrice", "0x1"},
          {"value", "0x2"},
          {"input", "0x"},
          {"from", repeated('1', 20)},
          {"to", repeated('2', 20)},
          {"type", "0x0"},
          {"v", "0x1b"},
          {"r", "0x1"},
          {"s", "0x1"}};
}

json block(std::size_t place, bool is_full) {
  json transactions = json::array();
  if (place == kNewest)
    transactions.push_back(is_full ? transaction() : json(hash_of_transaction()));
  return {{"number", quantity(place)},
          {"hash", hash_of_block(place)},
          {"parentHash", place == 0 ? repeated('0', 32) : hash_of_block(place - 1)},
          {"nonce", repeated('0', 8)},
          {"sha3Uncles", repeated('1', 32)},
          {"logsBloom", repeated('0', 256)},
          {"transactionsRoot", repeated('2', 32)},
          {"stateRoot", repeated('3', 32)},
          {"receiptsRoot", repeated('4', 32)},
          {"miner", repeated('5', 20)},
          {"difficulty", "0x0"},
          {"extraData", "0x"},
          {"size", "0x220"},
          {"gasLimit", "0x1c9c380"},
          {"gasUsed", place == kNewest ? "0x5208" : "0x0"},
          {"timestamp", quantity(1700000000 + place)},
          {"baseFeePerGas", "0x7"},
          {"uncles", json::array()},
          {"transactions", transactions}};
}

json block_by_number(const json& params) {
  const auto found = block_named(param(params, 0));
  if (!param(params, 1).is_boolean()) throw invalid_params("the second param is a Boolean");
  return found ? block(*found, params[1]) : json();
}

json block_by_hash(const json& params) {
  const std::string wanted = hash(param(params, 0));
  for (std::size_t place = 0; place < kBlocks; ++place) {
    if (hash_of_block(place) == wanted) return block(place, param(params, 1) == true);
  }
  return nullptr;
}

json transaction_by_hash(const json& params) {
  return hash(param(params, 0)) == hash_of_transaction() ? transaction() : json();
}

json receipt(const json& params) {
  if (hash(param(params, 0)) != hash_of_transaction()) return nullptr;
  return {{"transactionHash", hash_of_transaction()},
          {"blockHash", hash_of_block(kNewest)},
          {"blockNumber", quantity(kNewest)},
          {"transactionIndex", "0x0"},
          {"gasUsed", "0x5208"},
          {"cumulativeGasUsed", "0x5208"},
          {"logsBloom", repeated('0', 256)},
          {"logs", json::array()},
          {"contractAddress", nullptr},
          {"from", repeated('1', 20)},
          {"to", repeated('2', 20)},
          {"status", "0x1"}};
}

/// One log, which every filter that is right finds.
json logs(const json& params) {
  const json filter = param(params, 0);
  if (!filter.is_object()) throw invalid_params("a filter is an object");
  const bool has_range = filter.contains("fromBlock") || filter.contains("toBlock");
  if (filter.contains("blockHash") && has_range) {
    throw invalid_params("blockHash and a range exclude each other");
  }
  const json topics = filter.value("topics", json::array());
  for (const auto& topic : topics) {
    const bool is_deep = topic.is_array() && !topic.empty() && topic[0].is_array();
    if (is_deep) throw invalid_params("topics are nested too deep");
  }
  if (filter.contains("fromBlock") && filter.contains("toBlock")) {
    const auto from = block_named(filter["fromBlock"]);
    const auto to = block_named(filter["toBlock"]);
    if (from.value_or(kBlocks) > to.value_or(kBlocks)) throw invalid_params("invalid block range");
  }
  return json::array({{{"address", repeated('2', 20)},
                       {"topics", {repeated('6', 32)}},
                       {"data", "0x00ff"},
                       {"blockNumber", quantity(kNewest)},
                       {"blockHash", hash_of_block(kNewest)},
                       {"transactionHash", hash_of_transaction()},
                       {"transactionIndex", "0x0"},
                       {"logIndex", "0x0"},
                       {"removed", false}}});
}

json storage(const json& params) {
  address(params, 0);
  const json key = param(params, 1);
  constexpr std::size_t kMostDigits = 64;
  const std::size_t digits = key.is_string() ? key.get<std::string>().size() - 2 : 0;
  if (digits == 0 || digits > kMostDigits || !is_hex(key, digits)) {
    throw invalid_params("a storage key has up to 32 bytes");
  }
  return repeated('0', 32);
}

/// Runs the programs that it knows: one reverts with 32 bytes, one returns 20 zeros.
json run_program(const json& params) {
  const json call = param(params, 0);
  if (!call.is_object()) throw invalid_params("a call is an object");
  const json data = call.value("data", call.value("input", json("0x")));
  const std::string text = data.is_string() ? data.get<std::string>() : "";
  if (text.size() % 2 != 0 || text.size() < 2 || !is_hex(data, text.size() - 2)) {
    throw invalid_params("data has an even number of digits");
  }
  if (!call.contains("to") && text == "0x600160005260206000fd") {
    throw RpcError(kReverted, "execution reverted", "0x" + std::string(63, '0') + "1");
  }
  if (!call.contains("to") && text == "0x60146000f3") return repeated('0', 20);
  return "0x";
}

json estimate(const json& params) {
  run_program(params);
  return "0x5208";
}

json fee_history(const json& params) {
  const std::size_t blocks = std::min(number(param(params, 0)), kBlocks);
  const json percentiles = params.size() > 2 ? params[2] : json::array();
  json fees = {{"oldestBlock", quantity(kBlocks - blocks)},
               {"baseFeePerGas", json(std::vector<std::string>(blocks + 1, "0x7"))},
               {"gasUsedRatio", json(std::vector<double>(blocks, 0.5))}};
  const json reward(std::vector<std::string>(percentiles.size(), "0x1"));
  if (!percentiles.empty()) fees["reward"] = json(std::vector<json>(blocks, reward));
  return fees;
}

json state_of(const json& params, const char* value) {
  address(params, 0);
  block_named(param(params, 1));
  return value;
}

json nothing_left(const json& params, const std::string& value) {
  if (!params.empty()) throw invalid_params("too many arguments");
  return value;
}

json raw_transaction(const json&) { throw invalid_params("the transaction cannot be decoded"); }

const std::map<std::string, EthMethod>& methods_of_ethereum() {
  static const std::map<std::string, EthMethod> by_name = {
      {"eth_chainId", [](const json& params) { return nothing_left(params, "0x539"); }},
      {"eth_blockNumber",
       [](const json& params) { return nothing_left(params, quantity(kNewest)); }},
      {"eth_gasPrice", [](const json& params) { return nothing_left(params, "0x7"); }},
      {"eth_maxPriorityFeePerGas", [](const json& params) { return nothing_left(params, "0x1"); }},
      {"net_version", [](const json&) { return json("1337"); }},
      {"net_listening", [](const json&) { return json(true); }},
      {"net_peerCount", [](const json&) { return json("0x0"); }},
      {"web3_clientVersion", [](const json&) { return json("jrpcheck-reference/1"); }},
      {"web3_sha3", [](const json&) { return json(kHello); }},
      {"eth_syncing", [](const json&) { return json(false); }},
      {"eth_accounts", [](const json&) { return json::array({repeated('1', 20)}); }},
      {"eth_feeHistory", &fee_history},
      {"eth_getBalance", [](const json& params) { return state_of(params, "0x0"); }},
      {"eth_getCode", [](const json& params) { return state_of(params, "0x"); }},
      {"eth_getTransactionCount", [](const json& params) { return state_of(params, "0x0"); }},
      {"eth_getStorageAt", &storage},
      {"eth_getBlockByNumber", &block_by_number},
      {"eth_getBlockByHash", &block_by_hash},
      {"eth_getBlockTransactionCountByNumber",
       [](const json& params) {
         return json(block_named(param(params, 0)) == kNewest ? "0x1" : "0x0");
       }},
      {"eth_getTransactionByHash", &transaction_by_hash},
      {"eth_getTransactionReceipt", &receipt},
      {"eth_getLogs", &logs},
      {"eth_call", &run_program},
      {"eth_estimateGas", &estimate},
      {"eth_sendRawTransaction", &raw_transaction}};
  return by_name;
}

/// Filters belong to the node and not to a connection.
class Filters {
 public:
  std::string make() {
    const std::lock_guard lock(mutex_);
    return *ids_.insert(quantity(++last_)).first;
  }
  json changes(const std::string& id) {
    const std::lock_guard lock(mutex_);
    if (ids_.count(id) == 0) throw RpcError(-32000, "filter not found");
    return json::array();
  }
  bool remove(const std::string& id) {
    const std::lock_guard lock(mutex_);
    return ids_.erase(id) != 0;
  }

 private:
  std::mutex mutex_;
  std::set<std::string> ids_;
  std::size_t last_ = 0;
};

Filters& filters() {
  static Filters all;
  return all;
}

std::string id_of(const json& params) {
  if (!param(params, 0).is_string()) throw invalid_params("an id is a string");
  return params[0];
}

}  // namespace

EthereumServer::EthereumServer(bool has_subscriptions, Limits limits)
    : has_subscriptions_(has_subscriptions), limits_(limits) {}

std::optional<std::string> EthereumServer::handle(std::string_view message) const {
  return answer_requests(message, limits_, "",
                         [this](const Request& request) { return carry_out(request); });
}

nlohmann::json EthereumServer::carry_out(const Request& request) const {
  if (!request.params_obstacle.empty()) throw invalid_params(request.params_obstacle);
  const auto found = methods_of_ethereum().find(request.method);
  const bool is_own = request.method == "eth_subscribe" || request.method == "eth_unsubscribe" ||
                      request.method.ends_with("Filter") ||
                      request.method == "eth_getFilterChanges";
  if (found == methods_of_ethereum().end() && !is_own) {
    throw RpcError(kMethodNotFound, "the method does not exist");
  }
  if (request.params.is_object()) throw invalid_params("params are given by position");
  const json params = request.params.is_null() ? json::array() : request.params;
  if (found != methods_of_ethereum().end()) return found->second(params);
  if (request.method == "eth_subscribe") return subscribe(params);
  if (request.method == "eth_unsubscribe") return unsubscribe(params);
  if (request.method == "eth_newBlockFilter") return filters().make();
  if (request.method == "eth_getFilterChanges") return filters().changes(id_of(params));
  if (request.method == "eth_uninstallFilter") return filters().remove(id_of(params));
  throw RpcError(kMethodNotFound, "the method does not exist");
}

nlohmann::json EthereumServer::subscribe(const nlohmann::json& params) const {
  if (!has_subscriptions_) throw RpcError(kMethodNotFound, "notifications not supported");
  if (id_of(params) != "newHeads") throw invalid_params("there is no such subscription");
  static std::atomic<std::size_t> last = 0xabc0;
  const std::lock_guard lock(mutex_);
  return *subscriptions_.insert(quantity(++last)).first;
}

nlohmann::json EthereumServer::unsubscribe(const nlohmann::json& params) const {
  if (!has_subscriptions_) throw RpcError(kMethodNotFound, "notifications not supported");
  const std::lock_guard lock(mutex_);
  return subscriptions_.erase(id_of(params)) != 0;
}

}  // namespace jrpcheck::reference
