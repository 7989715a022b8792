// Which version of its protocol a server speaks.
#pragma once

#include <string>

#include "base/result.hpp"
#include "corpus/profile.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

/// What was found out about the versions of a server.
struct FoundVersion {
  std::string version;     ///< the newest that both know; empty: the server names none
  std::string note;        ///< in a sentence, where that needs one
  bool is_spoken = false;  ///< the protocol, which has no versions
  /// Not empty: the answer by which it refuses the handshake, whichever version is asked for; where
  /// a protocol is looked for, of a server that knows the call.
  std::string refusal = {};
};

/// Sends the probes of the profile, the first to a server that was just started (or on a new
/// connection), until one names a version. A further one goes to the same program where that has
/// answered, and to another one where it makes nothing of it. The error says why the server was not
/// reached.
Result<FoundVersion> find_version(const corpus::Profile& profile, const Options& options,
                                  transport::Guardian& guardian);

struct Recognition {
  std::string profile = {};  ///< of the protocol that it speaks, with its version; empty: of none
  std::string unreached =
      {};  ///< not empty: why it was not reached, which a run would find likewise
  result::RunVerdict ending = result::RunVerdict::unreachable;  ///< then
  /// So long no answer to any call has come; none: one has.
  microseconds waited{0};
  FirstCalls first_calls = {};  ///< of one that speaks none of them
  std::string hint = {};        ///< of one that knows the handshake of a protocol and refuses it
};

struct SpokenProtocol {
  std::string profile = {};  ///< its name, with the version; empty: another protocol, or none
  std::string hint = {};     ///< what a user may do where the handshake is known and refused
};

/// Whether a server on this binding is asked whether it speaks the protocol of the profile.
bool is_looked_for_on(const wire::Binding& binding, const corpus::Profile& profile);

/// Whether the server speaks the protocol of this profile. One that gives the same answer to a
/// method that nobody has is not believed.
SpokenProtocol protocol_spoken(const corpus::Profile& profile, Endpoint& endpoint,
                               session::Patience& patience, transport::Guardian& guardian);

/// Which of the protocols whose profiles can be found out a server speaks.
Recognition recognise_protocol(const Options& options, transport::Guardian& guardian);

}  // namespace jrpcheck::run
