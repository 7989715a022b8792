#include "reference-impl/bitcoin_calls.hpp"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "reference-impl/error.hpp"
#include "reference-impl/response.hpp"

namespace jrpcheck::reference {

namespace {

using nlohmann::json;

// Of protocol.h.
enum BitcoinCode : int {
  kMisc = -1,
  kWrongType = -3,
  kNotFound = -5,
  kInvalidParameter = -8,
  kWalletNotFound = -18,
  kDeserialization = -22,
};

constexpr std::size_t kHeight = 2;
constexpr std::size_t kHashDigits = 64;

/// What a method takes, by position, and gives as JSON text.
struct BitcoinMethod {
  std::vector<std::string> names;
  std::size_t needed;  ///< so many of them
  std::string (*carry_out)(const json& params);
};

std::string hash_at(std::size_t height) {
  const std::string digits = "b10c" + std::to_string(height);
  return std::string(kHashDigits - digits.size(), '0') + digits;
}

std::string hash_in(const json& value, const std::string& name) {
  if (!value.is_string()) throw RpcError(kWrongType, "JSON value is not of expected type string");
  std::string text = value;
  const bool is_hash = text.size() == kHashDigits &&
                       text.find_first_not_of("0123456789abcdefABCDEF") == std::string::npos;
  if (!is_hash) throw RpcError(kInvalidParameter, name + " must be of length 64");
  return text;
}

std::string block_hash(const json& params) {
  const json& height = params[0];
  if (!height.is_number()) throw RpcError(kWrongType, "JSON value is not of expected type number");
  const bool is_there = height.is_number_unsigned() && height.get<std::size_t>() <= kHeight;
  if (!is_there) throw RpcError(kInvalidParameter, "Block height out of range");
  return json_text(hash_at(height));
}

std::string block(const json& params) {
  const std::string wanted = hash_in(params[0], "blockhash");
  for (std::size_t height = 0; height <= kHeight; ++height) {
    if (hash_at(height) != wanted) continue;
    return json_text({{"hash", wanted},
                      {"confirmations", kHeight - height + 1},
                      {"height", height},
                      {"merkleroot", std::string(kHashDigits, '1')},
                      {"time", 1700000000 + height},
                      {"nTx", 1},
                      {"tx", {std::string(kHashDigits, '2')}}});
  }
  throw RpcError(kNotFound, "Block not found");
}

std::string chain_info(const json&) {
  return json_text({{"chain", "regtest"},
                    {"blocks", kHeight},
                    {"headers", kHeight},
                    {"bestblockhash", hash_at(kHeight)},
                    {"difficulty", 4.5e-10},
                    {"verificationprogress", 1},
                    {"initialblockdownload", false},
                    {"pruned", false}});
}

std::string network_info(const json&) {
  return R"({"version":300000,"subversion":"/Satoshi:30.0.0(jrpcheck stand-in)/","protocolversion":70016,)"
         R"("connections":0,"networkactive":true,"networks":[],"relayfee":0.00001000,)"
         R"("incrementalfee":0.00001000,"localaddresses":[],"warnings":[]})";
}

std::string mempool_info(const json&) {
  return R"({"loaded":true,"size":0,"bytes":0,"usage":0,"total_fee":0.00000000,)"
         R"("maxmempool":300000000,"mempoolminfee":0.00001000,"minrelaytxfee":0.00001000})";
}

std::string rpc_info(const json&) {
  return json_text({{"active_commands", {{{"method", "getrpcinfo"}, {"duration", 42}}}},
                    {"logpath", "/nowhere/debug.log"}});
}

std::string uptime(const json&) {
  static const auto begin = std::chrono::steady_clock::now();
  const auto up = std::chrono::steady_clock::now() - begin;
  return std::to_string(std::chrono::duration_cast<std::chrono::seconds>(up).count());
}

std::string decoded(const json& params) {
  if (!params[0].is_string()) throw RpcError(kWrongType, "JSON value is not of expected type");
  throw RpcError(kDeserialization, "TX decode failed. Make sure the tx has at least one input.");
}

/// No output of the three blocks is unspent.
std::string output(const json& params) {
  hash_in(params[0], "txid");
  if (!params[1].is_number()) throw RpcError(kWrongType, "JSON value is not of expected type");
  return "null";
}

std::string no_wallet(const json&) {
  throw RpcError(kWalletNotFound, "Requested wallet does not exist or is not loaded");
}

std::string help(const json&);

std::string echo(const json& params) { return json_text(params); }

const std::map<std::string, BitcoinMethod>& methods_of_bitcoin() {
  static const std::vector<std::string> echoed = {"arg0", "arg1", "arg2", "arg3", "arg4",
                                                  "arg5", "arg6", "arg7", "arg8", "arg9"};
  static const std::map<std::string, BitcoinMethod> by_name = {
      {"decoderawtransaction", {{"hexstring", "iswitness"}, 1, &decoded}},
      {"echo", {echoed, 0, &echo}},
      {"echojson", {echoed, 0, &echo}},
      {"getbestblockhash", {{}, 0, [](const json&) { return json_text(hash_at(kHeight)); }}},
      {"getblock", {{"blockhash", "verbosity"}, 1, &block}},
      {"getblockchaininfo", {{}, 0, &chain_info}},
      {"getblockcount", {{}, 0, [](const json&) { return std::to_string(kHeight); }}},
      {"getblockhash", {{"height"}, 1, &block_hash}},
      {"getmempoolinfo", {{}, 0, &mempool_info}},
      {"getnetworkinfo", {{}, 0, &network_info}},
      {"getrpcinfo", {{}, 0, &rpc_info}},
      {"gettxout", {{"txid", "n", "include_mempool"}, 2, &output}},
      {"getwalletinfo", {{}, 0, &no_wallet}},
      {"help", {{"command"}, 0, &help}},
      {"uptime", {{}, 0, &uptime}}};
  return by_name;
}

std::string help(const json& params) {
  std::string text = "== Control ==";
  for (const auto& [name, method] : methods_of_bitcoin()) {
    if (name.starts_with("echo")) continue;  // hidden
    text += "\n" + name;
    for (const auto& each : method.names) text += " " + each;
  }
  const json command = params.empty() ? json() : params[0];
  if (command.is_null()) return json_text(text);
  if (!command.is_string()) throw RpcError(kWrongType, "JSON value is not of expected type string");
  const std::string name = command;
  return json_text(methods_of_bitcoin().contains(name) ? name : "help: unknown command: " + name);
}

/// Params by name as those by position; `args` has those that come first.
json by_position(const BitcoinMethod& method, const json& named) {
  json params = named.value("args", json::array());
  if (!params.is_array()) throw RpcError(kInvalidParameter, "Parameter args must be an array");
  const std::size_t first = params.size();
  for (const auto& [name, value] : named.items()) {
    if (name == "args") continue;
    std::size_t place = 0;
    while (place < method.names.size() && method.names[place] != name) ++place;
    if (place == method.names.size()) {
      throw RpcError(kInvalidParameter, "Unknown named parameter " + name);
    }
    if (place < first) {
      throw RpcError(kInvalidParameter, "Parameter " + name + " specified twice");
    }
    while (params.size() <= place) params.push_back(nullptr);
    params[place] = value;
  }
  return params;
}

}  // namespace

std::string carry_out_for_bitcoin(const std::string& name, const json& params) {
  const auto found = methods_of_bitcoin().find(name);
  if (found == methods_of_bitcoin().end()) throw RpcError(kMethodNotFound, "Method not found");
  const BitcoinMethod& method = found->second;
  const json given = params.is_object() ? by_position(method, params) : params;
  const bool fits = given.size() >= method.needed && given.size() <= method.names.size();
  if (!fits) throw RpcError(kMisc, name + "\n\nArguments: see help");
  return method.carry_out(given);
}

}  // namespace jrpcheck::reference
