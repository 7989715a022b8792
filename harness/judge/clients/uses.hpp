// The rules for what a client asks its server for: only what that has declared, and in the way it
// has declared it.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"
#include "judge/clients/listed_tools.hpp"

namespace jrpcheck::judge {

/// Of one session.
class ClientUses {
 public:
  explicit ClientUses(ClientCharges& charges) : charges_(charges) {}

  /// Nobody else tells the client anything, and what it does not wait with is seen before.
  void know_all_that_was_told() { knows_all_ = true; }
  /// What the server has declared.
  void declare(json::Value capabilities) { server_ = std::move(capabilities); }
  /// The server may register what it has not declared (LSP).
  void allow_registered() { may_be_registered_ = true; }
  /// The result of a list of tools.
  void take_tools(const json::Value& result);
  /// A request of the client, once it knows what was declared.
  void hear(const json::Value& message, const std::string& method);
  /// Another session begins.
  void forget() {
    tools_.clear();
    listed_.forget();
  }
  /// Beside tools, which are known where all is that was told.
  std::size_t kept() const { return server_.memory(); }

 private:
  void judge_declared(const json::Value& message, const std::string& method);
  void judge_level(const json::Value& message);
  void judge_task(const json::Value& message);

  ClientCharges& charges_;
  json::Value server_ = json::Value::object();
  std::map<std::string, std::string> tools_;  // how each supports tasks; empty: in two ways
  ListedTools listed_;
  bool may_be_registered_ = false;
  bool knows_all_ = false;
};

}  // namespace jrpcheck::judge
