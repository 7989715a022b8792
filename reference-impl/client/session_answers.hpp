// What the reference client of a protocol with a handshake declares and gives where its server asks
// for something.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reference-impl/client/session_carrier.hpp"
#include "reference-impl/client/session_tasks.hpp"

namespace jrpcheck::reference {

/// Of one session, whose carrier and tasks must outlive it.
class SessionAnswers {
 public:
  SessionAnswers(Carrier& carrier, bool is_mcp, const SessionTasks& tasks, std::string_view oddity)
      : carrier_(carrier), is_mcp_(is_mcp), tasks_(tasks), oddity_(oddity) {}

  /// The capabilities that it declares, of MCP.
  SessionJson capabilities() const;
  /// The result of a request of the server; nothing: it is refused.
  std::optional<SessionJson> result_of(const std::string& method, const SessionJson& params) const;
  /// Whether that is of a method that it has, and asks for what it has not declared.
  bool refuses_a_part(const std::string& method, const SessionJson& params) const;

 private:
  bool is(std::string_view name) const { return oddity_ == name; }
  bool elicits_and_samples() const;
  bool samples_with_declared_tools() const;
  SessionJson elicited(const SessionJson& params) const;
  std::optional<SessionJson> result_of_mcp(const std::string& method,
                                           const SessionJson& params) const;

  Carrier& carrier_;
  bool is_mcp_;
  const SessionTasks& tasks_;
  std::string_view oddity_;
};

}  // namespace jrpcheck::reference
