// The rules for how a client begins a session and how it leaves.
#pragma once

#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of one session.
class ClientLifecycle {
 public:
  explicit ClientLifecycle(ClientCharges& charges) : charges_(charges) {}

  void hear(const json::Value& message, const std::string& method, bool is_request);
  /// Initialize is answered, by a result or by an error.
  void take_answer(bool is_result);
  /// Another session begins.
  void forget() { has_begun_ = is_answered_ = is_initialized_ = is_refused_ = false; }

  bool has_begun() const { return has_begun_; }
  bool is_answered() const { return is_answered_; }
  bool is_initialized() const { return is_initialized_; }

 private:
  void begin(const json::Value& message);
  void take_initialized(const json::Value& message);
  bool judge_leaving(const json::Value& message, const std::string& method);

  ClientCharges& charges_;
  bool has_begun_ = false;
  bool is_answered_ = false;
  bool is_initialized_ = false;
  bool is_refused_ = false;
  bool asks_to_shut_down_ = false;
};

}  // namespace jrpcheck::judge
