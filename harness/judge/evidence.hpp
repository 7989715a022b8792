// Evidence: what one step of a case brought back, read once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"
#include "session/exchange.hpp"

namespace jrpcheck::judge {

struct Evidence {
  const session::Exchange& exchange;
  std::vector<const session::Reply*> replies = {};  ///< without what the HTTP layer said
  std::vector<json::Value> values = {};             ///< of those that are JSON
  bool unreadable = false;  ///< one of them was no JSON, which the envelope rules charge
  bool refused = false;     ///< nothing but an HTTP error status whose body is not JSON

  bool has_none() const { return replies.empty(); }
  /// In one word, when no Response came.
  std::string_view absence() const { return refused ? "refused" : "nothing"; }
};

/// The exchange must outlive what is read from it.
Evidence read(const session::Exchange& exchange);

/// What came back, for people.
std::string came_back(const Evidence& evidence);

}  // namespace jrpcheck::judge
