// Servers that limit how often they are called, and say so in JSON-RPC.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "json/value.hpp"

namespace jrpcheck::run {

/// Whether an error says when the call may be made again: it is refused for how often calls come,
/// and not for what it says.
bool says_when_to_retry(const json::Value& reply);

/// The errors that a call which asks for nothing was refused with, of a server that had answered it
/// otherwise. Such an error says nothing of what it answers: the same is asked again, alone and
/// behind a pause. Safe to use from several threads.
class CallLimits {
 public:
  /// Takes in what came in place of the usual answer to a control call. Only an error with a code
  /// of the server's own is a refusal: the others say what is wrong with a call (JSON-RPC 2.0
  /// §5.1).
  void note(const std::string& answer);

  enum class Met { nowhere, at_first, later };
  /// Where in a case such an error came: what its first call is refused with may be for what it
  /// says.
  Met met_in(const std::vector<dialogue::Exchange>& exchanges) const;
  bool have_been_met() const;

  /// How long the server says that it is to be left alone; nothing where it does not.
  microseconds wait() const;

 private:
  bool holds_refusal(const json::Value& reply) const;  // with the mutex held

  mutable std::mutex mutex_;  // guards what follows
  std::set<std::string> refusals_;
  microseconds wait_{0};
};

}  // namespace jrpcheck::run
