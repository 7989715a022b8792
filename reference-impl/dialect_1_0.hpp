// JSON-RPC 1.0: the methods of the reference server for clients of the dialect before 2.0.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include "reference-impl/handler.hpp"

namespace jrpcheck::reference {

/// A seeded defect of the 1.0 dialect.
struct FaultOf10 {
  std::string_view name;
  std::string_view requirement;                               ///< id of cases/ledger.json
  std::string_view about;                                     ///< one sentence
  std::string_view transports = "http,lines,content-length";  ///< where it shows
};

std::span<const FaultOf10> faults_of_1_0();
const FaultOf10* find_fault_of_1_0(std::string_view name);
/// As the list of other faults: kind, name, requirement, transports and a sentence.
void write_faults_of_1_0(std::ostream& out);

/// Speaks 1.0 and nothing else: a member named jsonrpc is a member like any other. Where 1.0 leaves
/// it open: what is no request is answered by an error with id null, and params that are no Array
/// are refused.
class HandlerOf10 final : public Handler {
 public:
  /// `methods` answers calls of 2.0, and must outlive this.
  explicit HandlerOf10(const Handler& methods, const FaultOf10* fault = nullptr)
      : methods_(methods), fault_(fault == nullptr ? "" : fault->name) {}

  std::optional<std::string> handle(std::string_view message) const override;
  const Limits& limits() const override { return methods_.limits(); }

 private:
  bool has(std::string_view fault) const { return fault_ == fault; }
  bool dropped(const nlohmann::json& params) const;
  /// The members `result` and `error` as JSON texts, joined to a Response.
  std::string response(std::string result, const std::string& error, std::string id) const;
  std::string carry_out(const std::string& method, const std::string& params,
                        const std::string& id) const;

  const Handler& methods_;
  std::string_view fault_;
};

}  // namespace jrpcheck::reference
