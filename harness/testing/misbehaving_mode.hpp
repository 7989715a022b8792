// The modes of misbehaving-server: each breaks one thing, or does something unusual that is legal.
#pragma once

#include <string>
#include <string_view>

#include "testing/misbehaving_rpc.hpp"

namespace misbehaving {

/// What a mode does on the stream or the connection; what it does to replies is in Flaws.
enum class Habit {
  ordinary,
  exits_at_once,     ///< with a message on standard error
  never_answers,     ///< and outlives the end of its input
  prompts,           ///< speaks no JSON
  prints_banner,     ///< on standard output, once
  prints_log,        ///< on standard output, at every message
  dies_on_not_json,  ///< exit code 3
  dies_on_fault,     ///< exit code 3, on anything that is not a Request through and through
  aborts_on_empty_batch,
  deaf_after_not_json,
  answers_twice,
  half_a_line,  ///< then exits
  floods_output,
  floods_errors,   ///< 20 MiB on standard error, answering right
  speaks_unasked,  ///< notifications and requests of its own in between
  slow,            ///< 20 ms for every answer
  ends_lines_with_crlf,
  writes_in_pieces,
  server_error,           ///< HTTP: 500 text/plain, whatever comes
  closes_on_not_json,     ///< HTTP: without a response
  ignores_notifications,  ///< HTTP: no response to them
  closes_after_each,      ///< HTTP/1.0, one connection at a time
  one_at_a_time,          ///< keeps connections alive, and serves one of them
  wrong_type,             ///< HTTP: Content-Type text/plain
  repeats_secrets,        ///< says its arguments, its environment and heads of requests
  keeps_what_is_broken,   ///< 64 KiB for each message that is not JSON, for good
  fills_a_cache,          ///< the same for the first few hundred
  fails_at_times,         ///< where a message says so: swaps codes in every second answer to such
};

/// The arguments and the environment of this process, as a careless server prints them.
std::string what_it_was_given();

struct Mode {
  std::string_view name;
  Habit habit = Habit::ordinary;
  Flaws flaws = {};
};

/// Serves on standard input and output, one message a line; gives the exit code.
int serve_lines(const Mode& mode);

/// Serves HTTP on 127.0.0.1, with port 0 on any, and says where on standard error; gives the exit
/// code.
int serve_http(const Mode& mode, int port);

}  // namespace misbehaving
