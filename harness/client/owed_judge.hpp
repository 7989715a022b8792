// Judges the answers of a client to what the server itself asks in a dialogue.
#pragma once

#include "client/dialogue_charges.hpp"
#include "client/dialogue_script.hpp"

namespace jrpcheck::client {

/// `failure`: how the program fails once it was told so much, where it does not fail otherwise;
/// empty: it does not, or nobody can tell.
void judge_owed(const DialogueNotes& notes, const std::string& failure, DialogueCharges& charges);

/// Where all else has been judged: a client whose answers leave the subject open is told why.
void say_why_nothing_is_shown(const DialogueNotes& notes, DialogueCharges& charges);

}  // namespace jrpcheck::client
