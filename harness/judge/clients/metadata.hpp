// The rules for the _meta of a client's messages in every version of MCP.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "base/kept.hpp"
#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of one session.
class ClientMetadata {
 public:
  explicit ClientMetadata(ClientCharges& charges) : charges_(charges) {}

  /// A message with a method. `key`: of its id; `shares_ids`: others may use the same ones.
  void hear(const json::Value& message, const std::optional<std::string>& key, bool shares_ids);
  /// Nothing waits for that call any more.
  void settle(const std::string& key) { tokens_.erase(key); }
  void forget() { tokens_.clear(); }
  std::size_t kept() const { return kept_in(tokens_); }

 private:
  void judge_token(const json::Value& message, const json::Value& token,
                   const std::optional<std::string>& key, bool shares_ids);

  ClientCharges& charges_;
  std::map<std::string, std::string> tokens_;  // of progress, by call
};

/// By its value, as the schemas have it: 1.0 is one.
bool is_integer(const json::Value& value);

}  // namespace jrpcheck::judge
