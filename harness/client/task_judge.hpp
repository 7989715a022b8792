// Judges what a client did with tasks, subscriptions and a withheld answer that jrpcheck has
// played.
#pragma once

#include "client/client_process.hpp"
#include "client/dialogue_script.hpp"
#include "corpus/client_dialogue.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// `other`: what it did in the dialogue that this one is compared with; null where there is none.
void judge_tasks(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
                 const DialogueNotes* other, const corpus::Ledger& ledger,
                 result::CaseResult& result);
void judge_subscriptions(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
                         const corpus::Ledger& ledger, result::CaseResult& result);
void judge_giving_up(const corpus::Dialogue& dialogue, const DialogueNotes& notes,
                     const ClientEnd& end, const corpus::Ledger& ledger,
                     result::CaseResult& result);

}  // namespace jrpcheck::client
