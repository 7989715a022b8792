// Bent trials: a client meets a real server, of whose answers one is that of a scenario. Nothing is
// known of what it calls, and nothing is asked of it but to run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "client/bend.hpp"
#include "client/client_process.hpp"
#include "corpus/ledger.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

struct BentTrial {
  ClientEnd end;
  BendNotes notes;
};

/// What the client does where nothing is bent, of two runs.
struct Control {
  std::size_t answers = 0;
  std::size_t answer = 0;  ///< which one is bent
  bool ends = true;        ///< by itself: else it is not seen to wait
  bool is_steady = true;   ///< it makes the same calls each time
  std::vector<std::string> methods = {};
  std::string printed = {};  ///< empty: nothing, or not the same each time
  std::vector<CarriedCall> calls = {};
  /// Of a driver: by the place of a call the number under which it tells of it.
  std::map<std::size_t, std::size_t> lines = {};
  std::size_t rounds = 0;  ///< as in BendNotes
};

/// Judges by what can be seen: that it does not die, does not wait for ever where every call must
/// end, and is not disturbed by an answer that is right, or by what is no answer to it.
result::CaseResult judge_bent(const corpus::Scenario& scenario, const BentTrial& trial,
                              const Control& control, const corpus::Ledger& ledger);

/// Whether nothing moves any more where the client always ends, and it is nobody else that is
/// waited for: not the server, nor an event stream that has broken off, and that others could
/// resume.
bool is_left_waiting(const corpus::Scenario& scenario, const BentTrial& trial,
                     const Control& control);

/// The answer that is bent where nobody says which: after it the client shows whether it goes on.
std::size_t usual_answer(std::size_t answers);

}  // namespace jrpcheck::client
