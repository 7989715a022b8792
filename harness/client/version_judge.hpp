// What is asked of a client about the version in which it speaks.
#pragma once

#include "client/dialogue_charges.hpp"
#include "client/dialogue_judge.hpp"

namespace jrpcheck::client {

/// Whether it leaves in a version that it does not have, asks for its newest, and goes from one era
/// to the other where it is to. `other`: what it does in the dialogue that is compared with, or
/// null.
void judge_versions(const DialogueNotes& notes, const DialogueControl* control,
                    const DialogueTrial* other, DialogueCharges& charges);

}  // namespace jrpcheck::client
