// Which protocol a server speaks, where the user has not said.
#pragma once

#include <optional>
#include <string>

#include "corpus/profile.hpp"
#include "result/run.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::run {

struct Recognition {
  std::string profile = {};  ///< of the protocol that it speaks, with its version; empty: of none
  std::string unreached =
      {};  ///< not empty: why it was not reached, which a run would find likewise
  result::RunVerdict ending = result::RunVerdict::unreachable;  ///< then
  /// So long no answer to any call has come; none: one has.
  microseconds waited{0};
  FoundFraming heard_in = {};   ///< where it was looked for
  FirstCalls first_calls = {};  ///< of one that speaks none of them, and what it was asked for that
  /// Of one that knows the handshake of a protocol and refuses it, or names a version that is not
  /// known here.
  std::string hint = {};
};

struct SpokenProtocol {
  std::string profile = {};  ///< its name, with the version; empty: another protocol, or none
  /// What a user may do where the handshake is known and refused, or the version is not known.
  std::string hint = {};
  /// What came of the calls by which that was found out.
  FirstCalls first_calls = {};
  /// Not empty: that by which the protocol begins, where it has had no answer yet.
  std::string left_out = {};
  /// Not empty: the call at which the server has ended.
  std::string ended_by = {};
};

/// Whether a server on this binding is asked whether it speaks the protocol of the profile.
bool is_looked_for_on(const wire::Binding& binding, const corpus::Profile& profile);

/// Whether the server speaks the protocol of this profile. One that gives the same answer to a
/// method that nobody has is not believed.
SpokenProtocol protocol_spoken(const corpus::Profile& profile, Endpoint& endpoint,
                               session::Patience& patience, transport::Guardian& guardian);

/// What comes of a call that was left out when it is waited for as long as for any handshake.
struct LongWait {
  bool was_answered = false;
  std::optional<FirstCall> left_out = {};  ///< it was not, by a server that answers others
};

LongWait wait_longer_for(const std::string& call, Endpoint& endpoint);

/// What shows that this call ends the server: a method that it does not know is no reason to
/// (JSON-RPC 2.0 §5.1), and no case of JSON-RPC alone calls it. Nothing where it does not end.
std::optional<FirstCall> ends_of(const std::string& call, Endpoint& endpoint);

/// Which of the protocols whose profiles can be found out a server speaks.
Recognition recognise_protocol(const Options& options, transport::Guardian& guardian);

}  // namespace jrpcheck::run
