// The rules for what a client answers to the requests of its server.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "base/kept.hpp"
#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// What a server asks of a client: what has to be known of it when the answer comes.
struct AskedOfClient {
  std::string method;
  std::string requested = {};  ///< the schema of the input that is elicited, in JSON
  bool names_form = false;     ///< input, and by which mode
  bool names_no_mode = false;

  std::size_t kept() const { return kept_by(method) + kept_by(requested); }
};
AskedOfClient asked_of_client(const json::Value& request);

/// What a client answers to a request of its server that asks for roots, a sample or input,
/// wherever that answer stands.
void judge_result_of(const AskedOfClient& asked, const json::Value& message,
                     const json::Value& result, std::string_view at, ClientCharges& charges);

/// Of one session.
class ClientAnswers {
 public:
  explicit ClientAnswers(ClientCharges& charges) : charges_(charges) {}

  /// Nobody else asks the client for anything.
  void know_all_that_was_told() { knows_all_ = true; }
  /// The server asks.
  void take_request(const std::string& id_key, const json::Value& message);
  /// The client says what it can do.
  void declare(json::Value capabilities) { capabilities_ = std::move(capabilities); }
  /// A Response of the client; a task that it makes is not yet what was asked for.
  void hear(const json::Value& message, bool is_task_made = false);
  /// Another session begins.
  void forget() {
    asked_.clear();
    was_form_served_ = false;
  }
  std::size_t kept() const;

 private:
  // A request that the server sends; `to_refuse`: the requirement by which it has to be, if any.
  struct Asked {
    AskedOfClient what;
    std::string_view to_refuse = {};
  };

  std::string_view reason_to_refuse(std::string_view method, const json::Value& message) const;
  void judge_refusal(std::string_view requirement, const json::Value& message);
  void judge_absent_mode(const AskedOfClient& asked, const json::Value& message);
  bool declares(std::string_view method) const;
  void judge_declared(const json::Value& message, const std::string& method, bool is_unknown);

  ClientCharges& charges_;
  std::map<std::string, Asked> asked_;  // by id
  json::Value capabilities_ = json::Value::object();
  bool knows_all_ = false;
  bool was_form_served_ = false;  // that was asked for by its mode
};

}  // namespace jrpcheck::judge
