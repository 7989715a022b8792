// Judges one dialogue with a client of a protocol on top.
#pragma once

#include "client/client_process.hpp"
#include "client/dialogue_script.hpp"
#include "client/trial_judge.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

struct DialogueTrial {
  ClientEnd end;
  DialogueNotes notes;
};

/// What the client does in the control, of two runs.
struct DialogueControl {
  DialogueTrial trial;
  bool is_steady = false;     ///< both times the same
  std::string difference;     ///< where it is not: what differs, as difference_between says
  result::CaseResult result;  ///< what both show
};

/// `control`: null for the control itself; `other`: the trial of the dialogue that it is compared
/// with, where it names one.
result::CaseResult judge_dialogue(const corpus::Dialogue& dialogue, const DialogueTrial& trial,
                                  const DialogueControl* control, const corpus::Ledger& ledger,
                                  const DialogueTrial* other = nullptr);

/// What a client does otherwise in the second of two runs where nothing is odd; empty: nothing. The
/// first has less time: who had to be ended there tells nothing by when it ends.
std::string difference_between(const DialogueTrial& first, const DialogueTrial& second);

bool holds_finding(const std::vector<judge::Finding>& known, const judge::Finding& one);

/// Of two runs of one dialogue: charged is what both have shown. What only one has shown is not
/// charged, and does not pass either. The rest is that of the second.
result::CaseResult seen_twice(const result::CaseResult& first, result::CaseResult again);

/// The messages of both sides, as a finding is shown with them; of an answer, how long it was held.
std::vector<dialogue::Event> session_of(const std::vector<dialogue::TrafficEvent>& traffic);

/// The verdict that findings and what was exercised allow: it passes where the subject was.
void conclude_dialogue(result::CaseResult& result);

}  // namespace jrpcheck::client
