// JSON-RPC 1.0: the methods of the reference server for clients of the dialect before 2.0.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

/// Speaks 1.0 and nothing else: a member named jsonrpc is a member like any other. Where 1.0 leaves
/// it open: what is no request is answered by an error with id null, and params that are no Array
/// are refused.
class HandlerOf10 final : public Handler {
 public:
  /// `methods` answers calls of 2.0, and must outlive this.
  explicit HandlerOf10(const Handler& methods) : methods_(methods) {}

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return methods_.limits(); }

 private:
  std::string carry_out(const std::string& method, const std::string& params,
                        const std::string& id) const;

  const Handler& methods_;
};

}  // namespace jrpcheck::reference
