// The rule for the cursors of lists, in every version of MCP: they are opaque, and go back as they
// came.
#pragma once

#include <set>
#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of one session of which all answers are known.
class ClientPages {
 public:
  explicit ClientPages(ClientCharges& charges) : charges_(charges) {}

  /// A request for a list.
  void hear(const json::Value& message);
  /// A Response of the server, to whatever.
  void tell(const json::Value& message);

 private:
  ClientCharges& charges_;
  std::set<std::string> cursors_;
  bool is_full_ = false;
};

}  // namespace jrpcheck::judge
