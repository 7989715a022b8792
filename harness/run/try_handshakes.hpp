// A server that wants a handshake first, where the user has not named one: which it takes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "run/options.hpp"

namespace jrpcheck::run {

struct TriedHandshakes {
  std::string note = {};  ///< not empty: one was taken, and which
  std::string hint = {};  ///< else: why none was, and what may help

  bool was_taken() const { return !note.empty(); }
};

/// Goes through the handshakes, by the names of their profiles (`wanted_handshakes`), until the
/// server takes one. `attempt` gets `options` with it, and gives why it was not taken, or nothing.
TriedHandshakes try_handshakes(const std::vector<std::string>& handshakes, const Options& options,
                               const std::function<std::string(const Options&)>& attempt);

}  // namespace jrpcheck::run
