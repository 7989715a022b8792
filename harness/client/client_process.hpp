// The process of a client that is tried: started, watched until it ends or nothing moves any more.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "client/premises.hpp"
#include "client/scripted_server.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::client {

/// How a client is started.
struct ClientStart {
  std::vector<std::string> command;  ///< see filled_command
  /// The program that a client on stdio starts as its server; the path of a socket follows.
  std::vector<std::string> relay = {};
  std::string path = "/";              ///< of its URL, where there is one
  std::vector<std::string> more = {};  ///< of its environment, as NAME=VALUE
  std::string calls = "1,2,3";         ///< as JRPCHECK_CALLS says
  std::string order = "in-turn";       ///< of them, as JRPCHECK_ORDER says
  microseconds patience{1'500'000};    ///< nothing moves for so long: the client waits for ever
  /// Whether it is the server that is waited for; null: never.
  std::function<bool()> awaits_server = {};
  /// Whether it has said enough, and is to be ended; null: it never has.
  std::function<bool(const std::string& printed, const std::string& standard_error)> is_enough = {};
  bool relay_writes_errors = false;  ///< to its standard error, beside what it carries
};

/// What became of it.
struct ClientEnd {
  std::string printed;
  std::optional<transport::ExitStatus> status;  ///< nothing: it had to be ended
  bool is_restless = false;                     ///< it was ended while something still moved
  bool was_cut_off = false;  ///< the run ended before it did, so that it tells nothing
  std::string standard_error;
  /// How the programs that it started as its servers were ended, in their order, as the relay says.
  std::vector<std::string> servers_ended = {};
  std::vector<dialogue::TrafficEvent> traffic;
};

/// Whether it has ended as Node does where nothing is left that a top-level await could wait for:
/// its call waits for ever.
bool is_left_awaiting(const ClientEnd& end);
/// Whether it has ended by a signal or with a failure, and not so.
bool has_died(const ClientEnd& end);

/// Starts it to meet that server, which is stopped when it has ended. An Error where it cannot be
/// started.
Result<ClientEnd> run_to_end(const ClientStart& start, ScriptedServer& server, const Door& door,
                             const Premises& premises, transport::Guardian& guardian);

/// The command with what stands in it for the trial: {url}, {cacert}, and {server}, the words of
/// `server`, several where it is a word of its own.
std::vector<std::string> filled_command(const std::vector<std::string>& command,
                                        const std::string& url, const std::string& authority_file,
                                        const std::vector<std::string>& server);

}  // namespace jrpcheck::client
