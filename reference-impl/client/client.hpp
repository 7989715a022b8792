// The reference client: it calls echo [n] and tells what has become of that.
#pragma once

#include <iosfwd>
#include <vector>

#include "reference-impl/client/link.hpp"

namespace jrpcheck::reference {

enum class CallsAre {
  in_turn,   ///< each once the one before has ended
  together,  ///< all before the first is answered
  batch,     ///< all in one Array
};

/// Calls echo [n] for each number and writes a line of JSON for each: {"n":2,"ok":102} or
/// {"n":2,"err":"..."}. Whether all have succeeded.
struct CallManner {
  CallsAre order = CallsAre::in_turn;
  std::vector<int> notify = {};  ///< before the calls with these numbers it sends a Notification
};
bool call_echo(const ServerPlace& place, const std::vector<int>& numbers, const CallManner& manner,
               const ClientHooks& hooks, std::ostream& out);

}  // namespace jrpcheck::reference
