// Judges what a client did with tasks, subscriptions and a withheld answer that jrpcheck has
// played.
#pragma once

#include "client/client_process.hpp"
#include "client/dialogue_charges.hpp"
#include "client/dialogue_script.hpp"

namespace jrpcheck::client {

/// `other`: what it did in the dialogue that this one is compared with; null where there is none.
void judge_tasks(const DialogueNotes& notes, const DialogueNotes* other, DialogueCharges& charges);
void judge_subscriptions(const DialogueNotes& notes, DialogueCharges& charges);
void judge_giving_up(const DialogueNotes& notes, const ClientEnd& end, DialogueCharges& charges);

}  // namespace jrpcheck::client
