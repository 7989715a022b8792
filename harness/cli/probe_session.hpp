// What a server is like that is to be fuzzed, behind the handshake that it wants where it wants
// one.
#pragma once

#include <string>

#include "base/result.hpp"
#include "cli/endpoint_session.hpp"
#include "corpus/corpus.hpp"
#include "fuzz/probe_capabilities.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

/// Probes the server of a session that is open. What there is to say of its handshake is said, and
/// added to `note`.
Result<fuzz::Capabilities> probe_session(const corpus::Corpus& corpus, run::Options& options,
                                         EndpointSession& session, std::string& note);

/// Gives the server of an open session the handshake that it asks for, where it does and `options`
/// have none, and says so. The error says why it takes none.
Result<bool> give_wanted_handshake(const corpus::Profile& profile, run::Options& options,
                                   EndpointSession& session);

}  // namespace jrpcheck::cli
