// SharedTrial: one process of a client takes several scenarios. What it tells is held for true only
// where nothing was odd from its start to its end: see SharedWay.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "client/trial.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

using Scenarios = std::vector<const corpus::Scenario*>;

/// Whether a scenario can be one of several: its calls come in turn, and what is odd about it is a
/// message that is whole and would be as odd to a client that has made other calls before.
bool can_be_shared(const corpus::Scenario& scenario, const Door& door);

struct SharedTrial {
  /// By place: the result of a scenario that has passed, with good calls before it and behind it.
  std::vector<std::optional<result::CaseResult>> passed;
  /// Where the process stopped telling of its calls in their order; nothing: it told of all.
  std::optional<std::size_t> stopped_at;
  bool has_ended = false;   ///< by itself
  bool was_killed = false;  ///< by a signal that nobody sent: it has died
  bool has_failed = false;  ///< as has_died says
  std::string broken_form;  ///< as the function of that name says
  /// As the function of that name says: by itself a scenario excuses none but its own.
  std::size_t answers_let_go = 0;
  bool was_cut_off = false;
  microseconds duration{0};
  std::vector<dialogue::TrafficEvent> traffic;

  bool is_clean() const;
};

/// In no more than that time. An Error where the client cannot be started.
Result<SharedTrial> try_together(const Scenarios& scenarios, microseconds most,
                                 const ClientOptions& options, const corpus::Corpus& corpus,
                                 Premises& premises, transport::Guardian& guardian);

/// How far a driver has told of its calls, each once and in their order, and when it said more on
/// standard error.
class Telling {
 public:
  /// All that it has said until now.
  void note(const std::string& printed, const std::string& standard_error);
  /// The line of a call; empty: there is none.
  std::string line_of(std::size_t call) const;
  /// Calls that are told of in their order, from the first one on.
  std::size_t told() const { return lines_.size(); }
  /// Whether something came on standard error between the ends of that call and of the next.
  bool has_complaint_after(std::size_t call) const;
  /// Something else followed: a call that was told of before, or was not due.
  bool is_out_of_order() const { return is_out_of_order_; }

 private:
  std::vector<std::string> lines_;
  std::vector<std::size_t> complaints_;  // by the calls that were told of when they were seen
  std::string standard_error_;
  std::size_t read_ = 0;  // bytes of what is printed
  bool is_out_of_order_ = false;
};

}  // namespace jrpcheck::client
