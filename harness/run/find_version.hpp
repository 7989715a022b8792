// Which version of its protocol a server speaks.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/profile.hpp"
#include "run/options.hpp"
#include "run/prober.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// What was found out about the versions of a server.
struct FoundVersion {
  std::string version;     ///< the newest that both know; empty: the server names none
  std::string note;        ///< in a sentence, where that needs one
  bool is_spoken = false;  ///< the protocol, which has no versions
  /// Where a protocol is looked for: its handshake has a result that does not show it.
  bool is_taken_otherwise = false;
  /// Not empty: the answer by which it refuses the handshake, whichever version is asked for; where
  /// a protocol is looked for, of a server that knows the call.
  std::string refusal = {};
};

/// Of whom it is asked: who says so is believed less where nobody has named the protocol.
enum class VersionOf { anybody, one_that_speaks_it };

/// Sends the probes of the profile, the first to a server that was just started (or on a new
/// connection), until one names a version. A further one goes to the same program where that has
/// answered, and to another one where it makes nothing of it. The error says why the server was not
/// reached.
Result<FoundVersion> ask_for_version(const corpus::Profile& profile, Prober& prober,
                                     VersionOf whose);

/// The same of a server that is said to speak the protocol.
Result<FoundVersion> find_version(const corpus::Profile& profile, const Options& options,
                                  transport::Guardian& guardian);

}  // namespace jrpcheck::run
