// Servers that serve batches, though not the one that calibration sends, or no long ones.
#pragma once

#include "corpus/corpus.hpp"
#include "run/case_runner.hpp"
#include "run/lessons.hpp"
#include "run/roles.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Calibration knows no method that succeeds: whoever answers a batch whose calls all fail by one
/// error looks like a server without batches. Where a batch of calls that succeed has an Array, and
/// the other still none, batches are served, and it is the other that lacks its own (JSON-RPC 2.0
/// §6). Before the roles are known, and where nothing speaks against batches, nothing is asked.
void find_served_batches(const corpus::Corpus& corpus, const Roles& roles, unsigned long long seed,
                         const CaseRunner& runner, session::Conversation& conversation,
                         Traits& traits);

/// A server may limit how long batches are, however low, if it says so (JSON-RPC 2.0 names no
/// length): of one that serves two calls, and refuses three and five of the same with one code, be
/// they calls that succeed or fail, Traits::longest_batch is two. Who refuses a batch for what is
/// in it, or fails of it, has no limit. Where no method is known that succeeds nothing is asked.
void find_longest_batch(const corpus::Corpus& corpus, const Roles& roles, unsigned long long seed,
                        session::Conversation& conversation, Traits& traits);

}  // namespace jrpcheck::run
