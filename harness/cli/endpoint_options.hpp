// The options that name an endpoint and how to talk to it, shared by the commands that talk to one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/commands.hpp"
#include "run/options.hpp"

namespace jrpcheck::cli {

/// The options as they are typed, before anything is looked up or read.
struct EndpointWords {
  std::string target;
  std::string framing;
  std::string opening;
  std::string methods;
  std::vector<std::string> headers;
  std::string cookie_file;
  std::vector<std::string> subprotocols;
  transport::TlsOptions tls;
  double timeout_seconds = 5;
  std::optional<double> start_timeout_seconds = {};
};

/// Declares --max-time with what it bounds; `seconds` is its default.
void declare_max_time(CLI::App& app, const std::string& what, double& seconds);

/// The moment at which all waiting ends, so many seconds after the program began; 0: never.
Result<Clock::time_point> end_of_work(const CommandLine& line, double seconds);

/// The value of an option that takes seconds up to an hour. The error says which are right.
Result<microseconds> seconds_of(const std::string& option, double seconds, double least = 0.001);

/// Declares TARGET alone.
void declare_target(CLI::App& app, std::string& target);

/// Declares --framing alone.
void declare_framing(CLI::App& app, std::string& framing);

/// Declares TARGET, --framing, --timeout, --start-timeout, --methods, --opening,
/// --header, --cookie-file and what concerns TLS.
void declare_endpoint(CLI::App& app, EndpointWords& words);

/// Declares what concerns TLS alone.
void declare_tls(CLI::App& app, transport::TlsOptions& tls);

/// Whether one of these was given.
bool speaks_of_tls(const transport::TlsOptions& tls);

/// Puts into `options` what the words and the command say, and keeps what is secret in that. The
/// error says which word is wrong and what is right.
Result<bool> interpret_endpoint(const CommandLine& line, const EndpointWords& words,
                                run::Options& options);

}  // namespace jrpcheck::cli
