// Ethereum JSON-RPC, small and exemplary, as a Handler: a chain of three blocks that never grows.
#pragma once

#include <atomic>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

struct Request;

class EthereumServer final : public Handler {
 public:
  /// `has_subscriptions`: the connection is one on which something can be told.
  explicit EthereumServer(bool has_subscriptions, Limits limits = {});

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return limits_; }

 private:
  nlohmann::json carry_out(const Request& request) const;
  nlohmann::json subscribe(const nlohmann::json& params) const;
  nlohmann::json unsubscribe(const nlohmann::json& params) const;

  bool has_subscriptions_;
  Limits limits_;
  mutable std::mutex mutex_;  // guards what follows
  mutable std::set<std::string> subscriptions_;
};

}  // namespace jrpcheck::reference
