// The rules for the ids of a client's requests, and for cancelling them.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/kept.hpp"
#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of one session.
class ClientIds {
 public:
  explicit ClientIds(ClientCharges& charges) : charges_(charges) {}

  /// The id of a request. `is_stateless`: no session tells when it may come again.
  void judge(const json::Value& message, const json::Value& id, bool is_stateless);
  /// The key of the call that is cancelled.
  std::optional<std::string> judge_cancelling(const json::Value& message);

  /// From here on an answer to that call is due.
  void open(const std::string& key, const std::string& method);
  /// Its method; none where no answer was due.
  std::optional<std::string> answer(const std::string& key);

  void forget();
  /// Ids are new in a session, and this is another; what was asked before may still be cancelled.
  void begin_session();
  std::size_t kept() const { return kept_in(ids_) + kept_in(in_flight_) + kept_in(answered_); }

 private:
  void judge_in_lsp(const json::Value& message, const json::Value& id,
                    const std::optional<std::string>& key);
  bool is_open(const std::optional<std::string>& key) const {
    return key && in_flight_.contains(*key);
  }
  // No answer is due to what was cancelled; one may come.
  void give_up(const std::string& key);
  void keep_answered(const std::string& key);

  ClientCharges& charges_;
  std::set<std::string> ids_;
  std::map<std::string, std::string> in_flight_;  // by key the method
  std::set<std::string> answered_;                // that are not among the ids
  bool is_full_ = false;                          // some ids are not known
};

}  // namespace jrpcheck::judge
