// What is found out about a server before it is fuzzed, and the messages to begin with.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "corpus/corpus.hpp"
#include "fuzz/expectation.hpp"
#include "fuzz/vocabulary.hpp"
#include "run/endpoint.hpp"
#include "run/options.hpp"
#include "session/patience.hpp"

namespace jrpcheck::fuzz {

struct Capabilities {
  Traits traits;
  corpus::RoleBindings roles;
  Vocabulary vocabulary;  ///< its methods, and what its replies to simple calls of them say
  /// What was sent to find all this out. Some of it may have been answered by a success that is so
  /// malformed that no method was found: it is to be sent again, and judged.
  std::vector<std::string> probes;
  /// Of these it is to be seen whether their answers come with nothing sent behind them.
  std::vector<std::string> to_ask_alone;
  /// Not empty: no call was answered, and why nothing can be tested.
  std::string unanswered;
  /// Not empty: it wants a handshake before it serves, one of these (`run::try_handshakes`), and
  /// nothing else is known of it.
  std::vector<std::string> handshakes;

  /// What a server of a protocol on top lists; null: it was not asked.
  const corpus::Catalogue* catalogue() const;
};

/// Asks a reached endpoint: does it answer calls and serve batches, which methods does it have?
/// Teaches `patience` the round trip. An Error means that it could not be talked to. Where it
/// `recognises_handshake`, a server that asks for one is asked nothing more.
Result<Capabilities> probe_capabilities(const corpus::Corpus& corpus, const run::Options& options,
                                        run::Endpoint& endpoint, session::Patience& patience,
                                        bool recognises_handshake);

/// Every message of the corpus that stands alone and calls no method but known ones.
std::vector<std::string> seeds_from(const corpus::Corpus& corpus, const Capabilities& capabilities,
                                    const wire::Binding& binding);

}  // namespace jrpcheck::fuzz
