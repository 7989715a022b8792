// What is known about a server before the corpus runs, and what the calibration cases tell of it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "run/case_runner.hpp"
#include "run/constant_answer.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::run {

/// The case of the calibration that tells whether batches are served.
inline constexpr std::string_view kBatchOfCalibration = "calibration/batch";

/// What is known about a server before the corpus runs.
struct Traits {
  /// Empty when the server answers calls in JSON-RPC; else one clear statement why nothing more can
  /// be judged.
  std::string unjudgeable;
  /// Not empty: nothing has ever come from the server that can be read, and why that is all that
  /// can be said.
  std::string silent;
  /// Not empty: it has answered all the same, as in result::Run, and nothing of that can be judged.
  std::string answered;
  /// An answer came after its message had been taken for unanswered: nothing else is known then.
  bool has_come_late = false;
  /// Empty when batches are served; else why the cases that need them do not run.
  std::string no_batches;
  /// Each batch is refused by one Response of -32600: cases of Arrays that are answered by one
  /// error wherever batches are served run all the same.
  bool refuses_batches = false;
  /// Empty where a batch whose calls all fail is answered like others. Else why the cases do not
  /// run that are about something else and rest on one.
  std::string no_failing_batches;
  /// Longer batches than of so many are refused, whatever is in them: why the cases that need one
  /// do not run. Nothing where no limit as low as that was found.
  std::optional<std::size_t> longest_batch = {};
  /// Empty when HTTP/1.1 is spoken; else why the cases that need it do not run.
  std::string no_http_1_1;
  /// Empty when a call of an unknown method is answered. Else the server answers others, and the
  /// calibration has charged what becomes of that one: why the cases that make one do not run.
  std::string no_unknown_methods;
  /// The params that every call of ours gets which has none, as in corpus::Bindings: this server
  /// refuses or ignores calls without, which the cases about that charge.
  std::string omitted_params;
  /// The server refuses a call whose id it has seen before in the session, as some protocols ask.
  bool refuses_used_ids = false;
  /// It closes each connection once it has answered a call on it.
  bool one_call_a_connection = false;
  /// On sockets: while one connection is open it keeps others waiting.
  bool one_connection_at_a_time = false;
  /// Or it closes or refuses further ones at once (RFC 6455 §4.2.2, RFC 9110 §15.6.4).
  bool turns_others_away = false;
  /// What comes together with another message is lost or kept back (joined_calls.hpp).
  bool loses_joined_calls = false;
  /// In what one wrong way every call of an unknown method is answered.
  std::optional<ConstantAnswer> constant;
  /// Not empty: it has gone on saying that it still starts, and is judged by that.
  std::string still_starts;
  /// Those that the server may want before it serves, by the names of their profiles.
  std::vector<std::string> handshakes;
  /// The server keeps the user from methods, as the protocol lets it.
  bool is_user_limited = false;
  /// Requirements violated in every reply: charged once.
  std::set<std::string> systematic;
  /// Results of the calibration cases by their ordinal in the corpus.
  std::map<std::size_t, result::CaseResult> results;
};

/// Why a case that needs batches, or a longer one than is served, does not run; empty where it
/// does.
std::string lacks_batches(const corpus::Case& one, const Traits& traits);

/// What users are told of a server whose first answers have neither jsonrpc nor id; empty of
/// others.
std::string note_of_other_protocol(const Traits& traits);

/// How a server is asked.
struct Asked {
  corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0;
  const wire::Binding* binding = nullptr;
  bool batches_optional = false;  ///< the protocol has none
  bool limits_users = false;      ///< its servers may keep a user from methods
};

/// What the calibration cases tell by what was said in them, one after the other: the same whether
/// they have just run or were stored.
class Lessons {
 public:
  Lessons(Asked asked, Traits& traits) : asked_(asked), traits_(traits) {}

  /// Fills in the traits, and takes back what the case shows where the protocol has no batches.
  void take(const corpus::Case& one, CaseRun& run);
  void end();

 private:
  Asked asked_;
  Traits& traits_;
  bool is_first_ = true;
  int replies_ = 0;
};

}  // namespace jrpcheck::run
