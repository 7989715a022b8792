// Judges one dialogue in which a client is asked for a token: what it asks beside the rules.
#pragma once

#include <string>

#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {

/// Why a client shows nothing in dialogues about authorization; empty: it takes part.
std::string why_it_takes_no_part(const DialogueNotes& notes);

/// Why that is not asked of a client of the version that it has named; empty: it is.
std::string why_it_is_not_asked(const std::string& requirement, const DialogueNotes& notes,
                                const corpus::Ledger& ledger);

/// `flow`: of the trial in which nothing is odd; null for itself. Adds to the result, and leaves
/// its verdict.
void judge_oauth(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
                 const DialogueNotes* flow, const corpus::Ledger& ledger,
                 result::CaseResult& result);

}  // namespace jrpcheck::client
