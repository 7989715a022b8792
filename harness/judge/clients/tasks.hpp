// The rules for tasks of MCP 2025-11-25 (basic/utilities/tasks): of a client that calls a tool as
// one, and of a client that makes one of what its server asks.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of one session.
class ClientTasks {
 public:
  explicit ClientTasks(ClientCharges& charges) : charges_(charges) {}

  /// What the client has declared.
  void declare(json::Value capabilities) { capabilities_ = std::move(capabilities); }
  /// A request of the client, or a notification (then without a key).
  void hear(const json::Value& message, const std::string& method, const std::string& key);
  /// A Response of the client.
  void hear_response(const std::string& key, const json::Value& message);
  /// A request of the server.
  void take_request(const std::string& key, const std::string& method, const json::Value& message);
  /// A Response of the server.
  void tell_response(const std::string& key, const json::Value& message);
  /// Whether an answer of the client to that request makes a task of it, and has nothing else.
  bool is_task_made(const std::string& key, const json::Value& message) const;
  /// Another session begins.
  void forget();
  std::size_t kept() const;

 private:
  // What the server asks, until the client has answered it.
  struct Asked {
    std::string method;
    std::string task = {};     // which it is about, in the params of tasks/...
    std::string related = {};  // which it says that it belongs to
    bool is_task = false;      // it is to be one
  };
  // A task of the client, as it has said last.
  struct Own {
    std::string method;  // that it was made of
    std::string status;
  };
  // A call of the client as a task.
  struct Called {
    std::string task = {};  // as the server has named it
    bool is_known = false;  // the client has asked for it by that name
  };

  bool is_kind_declared(const std::string& method) const;
  void judge_augmenting(const json::Value& message, const std::string& method, bool is_to_be_task);
  void judge_related(const json::Value& message, const std::string& method);
  void judge_cancelling(const json::Value& message);
  void judge_belonging(const Asked& asked, const json::Value& message);
  void judge_making(const Asked& asked, const json::Value& message);
  void judge_task(const json::Value& task, const json::Value& message, std::string_view at,
                  bool is_new);
  void judge_unknown(const Asked& asked, const json::Value& message);
  void judge_told(const Asked& asked, Own& task, const json::Value& message);
  void judge_result(const Asked& asked, const Own& task, const json::Value& message);
  void judge_cancelled(Own& task, const json::Value& message);
  void judge_status(Own& task, const std::string& status, const json::Value& message);

  ClientCharges& charges_;
  json::Value capabilities_ = json::Value::object();
  std::map<std::string, Called> called_;  // by the id of the call
  std::map<std::string, Asked> asked_;    // by id
  std::map<std::string, Own> own_;        // by the id of the task
};

}  // namespace jrpcheck::judge
