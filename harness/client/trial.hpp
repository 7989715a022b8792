// Trial: a client is started once, meets the server of one scenario, and tells what it made of it.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "client/client_process.hpp"
#include "client/door.hpp"
#include "client/premises.hpp"
#include "client/script.hpp"
#include "dialogue/traffic.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::client {

struct ClientOptions {
  std::vector<std::string> command;  ///< see filled_command
  /// The program that a client on stdio starts as its server; the path of a socket follows.
  std::vector<std::string> relay = {};
  const Door* door = nullptr;
  bool has_driver = false;  ///< it prints a line of JSON for each call; else its exit code tells
  microseconds patience{1'500'000};  ///< nothing moves for so long: the client waits for ever
};

/// What became of the calls.
struct Trial {
  std::array<corpus::CallOutcome, kCalls + 1> outcomes{};  ///< by number; [0] is unused
  /// What the client printed of each, or how it ended.
  std::array<std::string, kCalls + 1> shown{};
  std::string ending;  ///< "exited with code 1"; empty: it had to be ended
  std::string standard_error;
  std::string hindrance;    ///< as in Script
  bool was_killed = false;  ///< by a signal that nobody sent: it has died
  bool was_played = false;
  std::size_t batch_of_subject = 0;  ///< as in Script
  bool was_cut_off = false;          ///< the run ended before it did, so that it tells nothing
  bool ends_no_line = false;         ///< on a stream of lines, though it has said something
  std::optional<std::string> own_answer = {};  ///< as in Script
  bool are_pings_answered = true;
  bool is_close_answered = false;
  bool has_notification_an_id = false;
  bool has_notification_failed = false;  ///< as the client says
  bool has_limit = false;                ///< calls end by a time limit, as the client says
  std::vector<std::string> told;         ///< the odd messages
  std::vector<dialogue::TrafficEvent> traffic;
};

/// An Error where the client cannot be started.
Result<Trial> try_client(const corpus::Scenario& scenario, const ClientOptions& options,
                         Premises& premises, transport::Guardian& guardian);

/// What a driver printed of its calls, by their numbers: the first line of each.
std::map<std::size_t, std::string> printed_calls(const std::string& printed);

/// Whether a driver says that its Notification has failed: {"note":2,"err":"..."}.
bool tells_of_failed_note(const std::string& printed);

/// Whether it says that its calls have the time limit that it was given: {"limit":0.5}.
bool tells_of_limit(const std::string& printed);

/// What such a line says of a call whose result is that, in JSON.
corpus::CallOutcome outcome_of(const std::string& line, const std::string& result);

/// What a driver printed of its calls, each on a line: {"n":2,"ok":102}. Without a line a call is
/// `otherwise`. `results` are those that belong to the calls, in JSON.
std::array<corpus::CallOutcome, kCalls + 1> outcomes_of(
    const std::string& printed, const std::array<std::string, kCalls + 1>& results,
    corpus::CallOutcome otherwise);

}  // namespace jrpcheck::client
