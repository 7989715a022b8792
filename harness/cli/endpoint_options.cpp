#include "cli/endpoint_options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/bytes.hpp"
#include "base/letter_case.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/suggestions.hpp"
#include "corpus/read_file.hpp"
#include "run/roles.hpp"
#include "session/opening.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::cli {
namespace {

bool is_field_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](unsigned char c) {
    return c > ' ' && c < 0x7f && c != ':' && c != '"' && c != '(' && c != ')';
  });
}

Result<std::pair<std::string, std::string>> parse_header(const std::string& word) {
  const auto colon = word.find(':');
  const std::string name = word.substr(0, colon);
  if (colon == std::string::npos || !is_field_name(name) ||
      word.find_first_of("\r\n") != std::string::npos) {
    return Error{"--header takes 'Name: value', on one line"};
  }
  for (const std::string_view framing : {"content-length", "transfer-encoding"}) {
    if (!same_ignoring_case(name, framing)) continue;
    return Error{"--header: " + name +
                 " tells where a message ends (RFC 9112 §6), and is written with each request"};
  }
  const auto begin = std::min(word.find_first_not_of(" \t", colon + 1), word.size());
  return std::pair{name, word.substr(begin)};
}

// A node of Bitcoin Core writes USER:PASSWORD to a file that its owner alone can read.
Result<bool> log_in_by_file(const EndpointWords& words, run::Options& options) {
  if (words.cookie_file.empty()) return true;
  const bool has_login =
      !options.target->authorization.empty() ||
      std::any_of(options.headers.begin(), options.headers.end(), [](const auto& header) {
        return same_ignoring_case(header.first, "Authorization");
      });
  if (has_login) return Error{"--cookie-file: there is another login in the URL or in --header"};
  const auto text = corpus::read_file(words.cookie_file);
  if (!text) return Error{"--cookie-file: " + words.cookie_file + ": " + text.error().message};
  const std::string login = text->substr(0, text->find_first_of("\r\n"));
  if (login.find(':') == login.npos) {
    return Error{"--cookie-file: " + words.cookie_file + " does not hold USER:PASSWORD"};
  }
  options.target->authorization = "Basic " + to_base64(login);
  return true;
}

constexpr const char* kForTlsOnly =
    "--cacert, --cert, --key, --insecure and --servername are for https://, wss:// and tls:// "
    "targets";

Result<bool> interpret_tls(const transport::TlsOptions& tls, transport::Target& target) {
  if (!target.scheme->over_tls) {
    if (speaks_of_tls(tls)) return Error{kForTlsOnly};
    return true;
  }
  if (!tls.key.empty() && tls.certificate.empty()) return Error{"--key needs --cert"};
  for (const auto& [option, path] :
       {std::pair{"--cacert", tls.authorities}, {"--cert", tls.certificate}, {"--key", tls.key}}) {
    std::error_code unknown;
    if (!std::filesystem::is_directory(path, unknown)) continue;
    return Error{std::string(option) + ": '" + path + "' is a folder: name a file in PEM"};
  }
  target.tls = tls;
  return target.check_tls();
}

Result<bool> interpret_subprotocols(const EndpointWords& words, const wire::Binding* own,
                                    run::Options& options) {
  if (words.subprotocols.empty()) return true;
  if (own == nullptr || !own->is_upgrade) {
    return Error{"--subprotocol is for ws:// and wss:// targets"};
  }
  for (const auto& name : words.subprotocols) {
    if (!is_field_name(name) || name.find(',') != std::string::npos) {
      return Error{"--subprotocol takes one name, such as jsonrpc"};
    }
  }
  options.subprotocols = words.subprotocols;
  return true;
}

Result<bool> interpret_target(const CommandLine& line, const EndpointWords& words,
                              run::Options& options) {
  options.command = line.command;
  if (line.has_command && line.command.empty()) return Error{"there is no program after --"};
  if (words.target.empty() && !line.has_command) {
    return Error{
        "what is to be judged? Give a URL (http://127.0.0.1:8545/, ws://127.0.0.1:8546), a socket "
        "(unix:/run/server.sock) or a program after -- (-- node server.js)"};
  }
  if (!words.target.empty()) {
    auto target = transport::parse_target(words.target);
    if (!target) return Error{target.error().message + instead_of_target(words.target)};
    options.target = *std::move(target);
    options.target_text = words.target;
    if (auto ok = interpret_tls(words.tls, *options.target); !ok) return ok;
  } else if (speaks_of_tls(words.tls)) {
    return Error{kForTlsOnly};
  }
  // What is spoken with the target is not to be chosen.
  const auto* own = options.target ? wire::binding_named(options.target->scheme->binding) : nullptr;
  if (!words.framing.empty()) {
    options.framing = wire::binding_named(words.framing);
    if (options.framing == nullptr || !options.framing->is_framing()) {
      return Error{"--framing: '" + words.framing + "' is none of " + wire::framing_names(", ")};
    }
    if (own != nullptr) return Error{"--framing is for streams, not for HTTP and WebSocket"};
  }
  const bool begins_with_http = own != nullptr && (own->pairs_replies || own->is_upgrade);
  if (!words.cookie_file.empty() && !begins_with_http) {
    return Error{"--cookie-file is for HTTP and WebSocket targets, not for streams"};
  }
  if (!words.headers.empty() && !begins_with_http) {
    return Error{"--header is for HTTP and WebSocket targets, not for streams"};
  }
  if (auto ok = interpret_subprotocols(words, own, options); !ok) return ok;
  for (const auto& word : words.headers) {
    auto header = parse_header(word);
    if (!header) return header.error();
    options.headers.push_back(*std::move(header));
  }
  return log_in_by_file(words, options);
}

Result<bool> interpret_timeouts(const EndpointWords& words, run::Options& options) {
  const auto timeout = seconds_of("--timeout", words.timeout_seconds);
  if (!timeout) return timeout.error();
  options.timeout = *timeout;
  if (!words.start_timeout_seconds) return true;
  const auto start = seconds_of("--start-timeout", *words.start_timeout_seconds);
  if (!start) return start.error();
  options.start_timeout = *start;
  return true;
}

// The names that --opening takes: profiles that have one.
std::string opening_names(std::string_view separator) {
  std::string names;
  for (const auto& profile : corpus::embedded_profiles()) {
    if (!profile.opening.empty()) names.append(names.empty() ? "" : separator).append(profile.name);
  }
  return names;
}

Result<bool> interpret_opening(const std::string& word, run::Options& options) {
  if (word.empty() || run::adopt_opening(word, options)) return true;
  auto opening = session::load_opening(word);
  if (!opening) {
    return Error{"--opening takes " + opening_names(", ") + " or a file; " +
                 opening.error().message};
  }
  options.opening = *std::move(opening);
  return true;
}

Result<bool> interpret_files(const EndpointWords& words, run::Options& options) {
  if (auto ok = interpret_opening(words.opening, options); !ok) return ok.error();
  if (words.methods.empty()) return true;
  auto roles = run::load_methods_file(words.methods);
  if (!roles) return roles.error();
  options.roles = *std::move(roles);
  return true;
}

}  // namespace

bool speaks_of_tls(const transport::TlsOptions& tls) {
  return tls.is_insecure || !tls.authorities.empty() || !tls.certificate.empty() ||
         !tls.key.empty() || !tls.server_name.empty();
}

void declare_max_time(CLI::App& app, const std::string& what, double& seconds) {
  app.add_option("--max-time", seconds, what + "; 0: no limit")
      ->type_name("SECONDS")
      ->capture_default_str();
}

Result<Clock::time_point> end_of_work(const CommandLine& line, double seconds) {
  constexpr double kMostSeconds = 30.0 * 24 * 3600;
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kMostSeconds) {
    return Error{"--max-time takes seconds from 0 to 2592000"};
  }
  if (seconds == 0) return Clock::time_point::max();
  return line.begun + microseconds(static_cast<long long>(seconds * 1e6));
}

Result<microseconds> seconds_of(const std::string& option, double seconds, double least) {
  constexpr double kMostSeconds = 3600;
  if (!std::isfinite(seconds) || seconds < least || seconds > kMostSeconds) {
    return Error{fmt::format("{} takes seconds from {} to 3600", option, least)};
  }
  return microseconds(static_cast<long long>(seconds * 1e6));
}

void declare_tls(CLI::App& app, transport::TlsOptions& tls) {
  app.add_option(
         "--cacert", tls.authorities,
         "whom to trust on https://, wss:// and tls://, in place of the system's authorities")
      ->type_name("FILE");
  app.add_option("--cert", tls.certificate, "certificate to appear with, in PEM")
      ->type_name("FILE");
  app.add_option("--key", tls.key, "its key, where the file of --cert does not hold it")
      ->type_name("FILE");
  app.add_option("--servername", tls.server_name,
                 "name that the certificate is to have, in place of TARGET's host")
      ->type_name("NAME");
  app.add_flag("--insecure", tls.is_insecure, "believe any certificate");
}

void declare_target(CLI::App& app, std::string& target) {
  app.add_option("TARGET", target,
                 "where the server is: http://HOST:PORT/PATH, https://..., ws://HOST:PORT/PATH, "
                 "wss://..., tcp://HOST:PORT, tls://HOST:PORT or unix:/PATH");
}

void declare_framing(CLI::App& app, std::string& framing) {
  app.add_option("--framing", framing,
                 "how messages are separated on a stream; without it jrpcheck finds out")
      ->type_name(wire::framing_names("|"));
}

void declare_endpoint(CLI::App& app, EndpointWords& words) {
  declare_target(app, words.target);
  declare_framing(app, words.framing);
  app.add_option("--timeout", words.timeout_seconds, "seconds to wait for one answer")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option(
         "--start-timeout", words.start_timeout_seconds,
         "seconds to wait for a program to start (default 20, or 12 times --timeout if that "
         "is less)")
      ->type_name("SECONDS");
  app.add_option("--methods", words.methods,
                 "JSON file that names methods of known behaviour; see docs/judging.md")
      ->type_name("FILE");
  app.add_option(
         "--opening", words.opening,
         "handshake sent first: that of a protocol, or a file with a JSON Array of messages")
      ->type_name(opening_names("|") + "|FILE");
  app.add_option("--header", words.headers, "header field for every HTTP request, as 'Name: value'")
      ->type_name("HEADER")
      ->allow_extra_args(false);
  app.add_option("--cookie-file", words.cookie_file,
                 "file with USER:PASSWORD to log in with, such as ~/.bitcoin/.cookie")
      ->type_name("FILE");
  app.add_option("--subprotocol", words.subprotocols,
                 "subprotocol to offer on ws:// and wss://, such as jsonrpc")
      ->type_name("NAME")
      ->allow_extra_args(false);
  declare_tls(app, words.tls);
}

Result<bool> interpret_endpoint(const CommandLine& line, const EndpointWords& words,
                                run::Options& options) {
  if (auto ok = interpret_target(line, words, options); !ok) return ok.error();
  if (auto ok = interpret_timeouts(words, options); !ok) return ok.error();
  if (auto ok = interpret_files(words, options); !ok) return ok.error();
  keep_secret(secrets_of(options));
  options.tell_cookie = [](const std::string& set_cookie) {
    keep_secret(result::secrets_of_cookie(set_cookie));
  };
  return true;
}

}  // namespace jrpcheck::cli
