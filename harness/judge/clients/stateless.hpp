// The rules for clients of MCP from 2026-07-28 on, where no handshake comes first and each request
// says by itself all that its server has to know.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/kept.hpp"
#include "json/value.hpp"
#include "judge/clients/answers.hpp"
#include "judge/clients/charges.hpp"
#include "judge/clients/listed_tools.hpp"
#include "judge/mirrored_arguments.hpp"
#include "wire/http_fields.hpp"

namespace jrpcheck::judge {

/// Empty where nothing says that the message is of such a version.
std::string version_without_handshake(const json::Value& message, const wire::HttpFields* fields);

/// Of one connection, or of all that is asked over HTTP.
class StatelessClient {
 public:
  explicit StatelessClient(ClientCharges& charges) : charges_(charges) {}

  /// Nobody but the one who tells this has told the client anything: what comes back is from here.
  void know_all_that_was_told() { knows_all_ = true; }

  /// A message with a method; the fields of the request in which it came, where there was one.
  void hear(const json::Value& message, const wire::HttpFields* fields);
  void hear_response(const json::Value& message);
  /// That call is cancelled.
  void give_up(const std::string& key) { open_.erase(key); }
  /// A Response of the server.
  void tell(const json::Value& message);
  std::size_t kept() const;

 private:
  struct Call {
    std::string method;
    std::string target;     // the name or the URI
    std::string arguments;  // in JSON, where all is known that was told
    std::size_t count = 1;  // that wait with that id: of several clients

    std::size_t kept() const { return kept_by(method) + kept_by(target) + kept_by(arguments); }
  };
  // What the server wants to know before it goes on (basic/patterns/mrtr).
  struct Input {
    Call of;
    std::string id_key;
    std::vector<std::pair<std::string, AskedOfClient>> wanted;  // by key
    std::optional<std::string> state;
    bool is_unique = true;  // the state was given once

    std::size_t kept() const;
  };

  Call call_in(const json::Value& message) const;
  void judge_metadata(const json::Value& message);
  void judge_retry(const json::Value& message, const Call& call);
  void judge_known_retry(const json::Value& message, const Call& call, const Input& input);
  void judge_unknown_retry(const json::Value& message, const Call& call);
  void judge_input(const json::Value& message, const Input& input);
  void take_result(const std::string& key, const Call& call, const json::Value& result);

  ClientCharges& charges_;
  std::map<std::string, Call> open_;  // by id
  std::deque<Input> inputs_;
  std::map<std::string, MirroredArguments> tools_;  // by name
  ListedTools listed_;
  bool knows_all_ = false;
};

}  // namespace jrpcheck::judge
