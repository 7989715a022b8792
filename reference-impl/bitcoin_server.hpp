// A stand-in for a node of Bitcoin Core, made from its documentation (doc/JSON-RPC-interface.md)
// and what its tests and threads tell: both dialects of its messages, a chain of three blocks that
// never grows, and no wallet. It is no node.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

struct Element;

class BitcoinServer final : public Handler {
 public:
  /// Without `knows_2_0` it is one of before v28, to which the member jsonrpc says nothing.
  explicit BitcoinServer(bool knows_2_0 = true, Limits limits = {})
      : knows_2_0_(knows_2_0), limits_(limits) {}

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return limits_; }

 private:
  std::optional<std::string> answer(Element element, bool is_in_batch) const;

  bool knows_2_0_;
  Limits limits_;
};

}  // namespace jrpcheck::reference
