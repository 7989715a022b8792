// The protocol itself: a message's bytes in, the reply's bytes out. No I/O, no threads, no state.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/handler.hpp"
#include "reference-impl/limits.hpp"

namespace jrpcheck::reference {

struct Request;

/// What a method does with its arguments. It throws RpcError (error.hpp) to fail; anything else
/// that it throws becomes -32603 without a word of detail. Several threads may call it at once.
using Method = std::function<nlohmann::json(const nlohmann::json& arguments)>;

class Dispatcher final : public Handler {
 public:
  explicit Dispatcher(Limits limits = {}) : limits_(limits) {}

  /// Registers a method with the parameters it takes, all of them required. However the caller
  /// passes them, by position or by name (JSON-RPC 2.0 §4.2), they arrive as an Array in the order
  /// declared here; params that do not match are refused with -32602.
  void add(std::string name, std::vector<std::string> parameters, Method method);

  /// Registers a method that takes any params, as they come: an Array, an Object, or null when
  /// they were left out.
  void add_variadic(std::string name, Method method);

  /// The reply to one message, or nothing where silence is due. Never throws for anything in
  /// `bytes` or in a method, and the reply is always one JSON text in UTF-8.
  std::optional<std::string> handle(std::string_view bytes) const override;

  const Limits& limits() const override { return limits_; }

 private:
  struct Entry {
    std::optional<std::vector<std::string>> parameters;  // nothing: variadic
    Method method;
  };

  nlohmann::json call(const Request& request) const;

  Limits limits_;
  std::map<std::string, Entry> methods_;
};

}  // namespace jrpcheck::reference
