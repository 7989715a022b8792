// Judges one dialogue with a client of a protocol on top.
#pragma once

#include "client/client_process.hpp"
#include "client/dialogue_script.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

struct DialogueTrial {
  ClientEnd end;
  DialogueNotes notes;
};

/// What the client does in the control, of two runs.
struct DialogueControl {
  DialogueTrial trial;
  bool is_steady = false;  ///< both times the same
};

/// `control`: null for the control itself.
result::CaseResult judge_dialogue(const corpus::Dialogue& dialogue, const DialogueTrial& trial,
                                  const DialogueControl* control, const corpus::Ledger& ledger);

}  // namespace jrpcheck::client
