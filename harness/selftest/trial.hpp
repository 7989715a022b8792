// Trial: the whole corpus against the reference server with one mutant, over one transport.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "corpus/client_dialogue.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"
#include "selftest/mutant_list.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::selftest {

/// What the cases charged: for each requirement, the cases, and whether it was a warning.
struct Charge {
  std::set<std::string> cases;
  bool fails = false;  ///< one of the findings is a failure and no warning
};

/// Which cases that do not claim the mutant its trial leaves out.
enum class Spared { none, most_large, most };

struct Trial {
  std::optional<std::size_t> mutant;  ///< by its place in the list; none: the server as it is
  std::string profile = std::string(corpus::kDefaultProfile);
  std::string transport;  ///< http, lines, content-length; tcp (lines), tcp-length32
  /// Of a fault that shows anywhere, through a door that else its own cases are tried through.
  bool is_drawn = false;
  /// By who knows nothing of the server: neither its framing nor its methods.
  bool is_unaided = false;
  Spared spared = Spared::none;
  std::set<std::string> left_out = {};
  std::map<std::string, Charge> charges;  ///< by requirement
  /// Cases that failed or warned, with the requirements they charged.
  std::map<std::string, std::set<std::string>> caught_by;
  std::set<std::string> judged;   ///< cases that were exercised
  bool tells_of_methods = false;  ///< that some do not what their names promise
  /// What the server said in each case, so that one that behaves as ever can be told.
  std::map<std::string, std::size_t> said;
  /// What the stored run says otherwise when it is judged again.
  std::vector<std::string> judged_otherwise;
  std::string error;  ///< not empty: why there was no run
};

/// Notes what the cases of a run have charged, and what was said in them.
void take_in(const result::Run& run, Trial& trial);

struct TrialPlan {
  std::string reference_program;
  std::vector<std::string> relay;  ///< what clients on stdio start as their server
  /// By profile what clients of protocols on top meet.
  std::map<std::string, corpus::Dialogues> dialogues = {};
  std::size_t workers = 4;
  /// Each mutant over each transport it shows on, with every case, and a few of the faults that
  /// show anywhere through doors that have cases of their own. Else of those that show on lines and
  /// on content-length every other one is tried over the one, and the rest over the other; and a
  /// fault meets the cases that claim it and a fifth of the others, and a variant all of them over
  /// one of its transports and a fifth over the rest. Each fault of plain JSON-RPC once unaided;
  /// else one in ten of them.
  bool thorough = false;
  /// Told of each trial as it ends; calls come from several threads, one at a time.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

/// The cases of each profile that mutants are of.
using Corpora = std::map<std::string, corpus::Corpus>;

/// Runs the server as it is over each transport, and with each mutant over each transport it
/// shows on; several at a time. The order of the trials is that of the list.
std::vector<Trial> run_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                              const TrialPlan& plan, transport::Guardian& guardian);

/// Runs those again, with every case: what a few of them could not show is no fault of anybody, nor
/// what an overloaded machine did.
void repeat_trials(const Corpora& corpora, const std::vector<Mutant>& mutants,
                   const TrialPlan& plan, transport::Guardian& guardian,
                   const std::vector<std::size_t>& which, std::vector<Trial>& trials);

}  // namespace jrpcheck::selftest
