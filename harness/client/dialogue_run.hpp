// The run of a client of a protocol on top: every dialogue for its door, and the verdicts.
#pragma once

#include "client/client_run.hpp"
#include "corpus/client_dialogue.hpp"

namespace jrpcheck::client {

/// Comes first: what the client does where the server says nothing by itself.
/// `unreached` of the run says why nothing is judged.
result::Run run_dialogues(const corpus::Corpus& corpus, const corpus::Dialogues& dialogues,
                          const ClientRunOptions& options, transport::Guardian& guardian);

}  // namespace jrpcheck::client
