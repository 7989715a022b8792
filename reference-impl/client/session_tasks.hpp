// Tasks of the reference client (MCP 2025-11-25): tools that it calls as tasks, and what it makes a
// task of where its server asks for one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reference-impl/client/protocol_client.hpp"
#include "reference-impl/client/session_carrier.hpp"

namespace jrpcheck::reference {

std::vector<ClientMutant> task_mutants();

/// What it takes to ask the server for something: the answer comes back.
using AskServer = std::function<SessionJson(const std::string& method, const SessionJson& params)>;

/// Of one session.
class SessionTasks {
 public:
  explicit SessionTasks(std::string_view oddity) : oddity_(oddity) {}

  /// Whether it declares that it makes tasks of what the server asks.
  bool serves_tasks() const;
  static SessionJson capability();

  /// Whether a tool is called as a task; `support`: of the tool, empty where it says nothing.
  bool calls_as_task(const SessionJson& server, const std::string& support) const;
  /// The result of a call that the server has made a task of. `cancel`: the call itself.
  SessionJson finish(const SessionJson& created, const AskServer& ask,
                     const std::function<void()>& cancel);
  /// A notification of the server.
  void take_word(const SessionJson& message);

  /// What is answered to a request of the server about tasks, or that is to be one: the members of
  /// the Response. `result`: what the request itself comes to.
  std::optional<SessionJson> serve(const std::string& method, const SessionJson& params,
                                   const std::optional<SessionJson>& result);
  /// Names the task that the request belongs to.
  void name_task(const SessionJson& params, SessionJson& result) const;

 private:
  struct Own {
    SessionJson result;
    std::string status = "working";
  };

  bool is(std::string_view name) const { return oddity_ == name; }
  bool looks_further(const SessionJson& task, int looks) const;
  SessionJson written(const std::string& id, const std::string& status) const;
  SessionJson begin(const SessionJson& result);
  SessionJson answer_about(const std::string& method, const std::string& id);
  SessionJson cancel(const std::string& id, Own& task);

  std::string_view oddity_;
  std::map<std::string, Own> own_;  // by id
  std::string last_word_;           // of the status of a task
};

}  // namespace jrpcheck::reference
