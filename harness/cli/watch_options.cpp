#include "cli/watch_options.hpp"

#include <CLI/CLI.hpp>
#include <memory>

#include "base/ascii.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kWatchNotes =
    "  jrpcheck watch -- node server.js                       in the place of a program on stdio\n"
    "  jrpcheck watch --record traffic.jsonl -- clangd        and keep what was said\n"
    "  jrpcheck watch --listen 127.0.0.1:9000 http://127.0.0.1:8545/\n"
    "  jrpcheck watch --listen unix:/run/watched.sock unix:/run/server.sock\n"
    "\n"
    "Bytes pass unchanged, also half-closes and resets; what passes is noted before it is passed "
    "on,\n"
    "and judged by a process of its own, so that nothing that goes wrong there stops the traffic.\n"
    "Both sides are judged by the rules that need no cause. What is wrong is printed to standard\n"
    "error as it happens, one line each, each thing three times; a summary follows at the end.\n"
    "Exit codes: with --listen as those of run, or 0 where --fail-on says so; in the place of a\n"
    "program that of the program, unless --fail-on is given and something is found (1).";

struct WatchWords : VerdictWords {
  EndpointWords endpoint;
  std::string listen;
  std::string record;
  std::string fail_on;
  double max_seconds = 0;
  std::string profile = std::string(corpus::kDefaultProfile);
  std::string cases_folder;
};

Result<ListenAddress> parse_listen(const std::string& word) {
  constexpr std::string_view kUnix = "unix:";
  ListenAddress listen;
  if (word.starts_with(kUnix) && word.size() > kUnix.size()) {
    listen.path = word.substr(kUnix.size());
    return listen;
  }
  const auto colon = word.rfind(':');
  listen.address.port = colon == std::string::npos ? word : word.substr(colon + 1);
  listen.address.host = colon == std::string::npos ? "127.0.0.1" : word.substr(0, colon);
  if (listen.address.host.starts_with('[') && listen.address.host.ends_with(']')) {
    listen.address.host = listen.address.host.substr(1, listen.address.host.size() - 2);
  }
  const auto& port = listen.address.port;
  const bool is_url = word.find("://") != std::string::npos;  // the server's, with its scheme
  if (!are_digits(port) || is_url || listen.address.host.empty()) {
    return Error{"--listen takes HOST:PORT, PORT or unix:/PATH, not '" + word + "'"};
  }
  constexpr int kMostPort = 65535;
  if (port.size() > 5 || std::stoi(port) > kMostPort) {
    return Error{"--listen: a PORT is a number from 0 to 65535 (0: any that is free), not " + port};
  }
  return listen;
}

Result<FailOn> parse_fail_on(const std::string& word, bool is_program) {
  if (word.empty()) return is_program ? FailOn::never : FailOn::fail;
  if (word == "fail") return FailOn::fail;
  if (word == "warn") return FailOn::warn;
  if (word == "never") return FailOn::never;
  return Error{"--fail-on: '" + word + "' is none of fail, warn, never"};
}

Result<bool> interpret_place(const CommandLine& line, const WatchWords& words,
                             WatchOptions& options) {
  if (auto ok = interpret_endpoint(line, words.endpoint, options.endpoint); !ok) return ok;
  if (!words.listen.empty()) {
    if (!options.endpoint.target) return Error{"--listen needs a TARGET to which it leads"};
    if (line.has_command) return Error{"--listen leads to a TARGET; a program is watched without"};
    auto listen = parse_listen(words.listen);
    if (!listen) return listen.error();
    options.listen = *std::move(listen);
    return true;
  }
  if (options.endpoint.target) {
    return Error{
        "where is to be listened? Say --listen 127.0.0.1:PORT, and let the client connect "
        "there"};
  }
  // Standard output is the server's.
  if (takes_standard_output(options.reports)) {
    return Error{"--report: standard output belongs to the traffic; name a file"};
  }
  return true;
}

Result<WatchOptions> interpret(const CommandLine& line, const WatchWords& words,
                               WatchOptions options) {
  if (auto ok = interpret_verdict(words, options); !ok) return ok.error();
  if (auto ok = interpret_place(line, words, options); !ok) return ok.error();
  const auto fail_on = parse_fail_on(words.fail_on, !options.listen);
  if (!fail_on) return fail_on.error();
  options.fail_on = *fail_on;
  const auto end = end_of_work(line, words.max_seconds);
  if (!end) return end.error();
  options.end = *end;
  options.record = words.record;
  options.cases_folder = words.cases_folder;
  auto corpus = load_corpus(words.cases_folder);
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), words.profile);
  if (!corpus) return corpus.error();
  options.corpus = *std::move(corpus);
  return options;
}

}  // namespace

ReadWatchOptions declare_watch_options(CLI::App& app) {
  auto words = std::make_shared<WatchWords>();
  auto options = std::make_shared<WatchOptions>();
  app.description(
      "Stands between a client and a server and judges both by what passes.\n"
      "jrpcheck watch [OPTIONS] -- COMMAND [ARG...]\n"
      "jrpcheck watch --listen ADDRESS [OPTIONS] TARGET");
  app.footer(std::string(kWatchNotes));
  declare_target(app, words->endpoint.target);
  app.add_option("--listen", words->listen, "where the client is to connect to")
      ->type_name("ADDRESS");
  app.add_option("--record", words->record,
                 "write what passes, as JSON lines that jrpcheck judge reads")
      ->type_name("FILE");
  app.add_option("--fail-on", words->fail_on,
                 "what exit code 1 takes (default: fail with --listen, else never)")
      ->type_name("fail|warn|never");
  declare_max_time(app, "seconds until connections are closed, and a watched program is ended",
                   words->max_seconds);
  declare_framing(app, words->endpoint.framing);
  app.add_option("--profile", words->profile, "the rules to judge by")
      ->type_name("PROFILE")
      ->capture_default_str();
  declare_tls(app, words->endpoint.tls);
  declare_reports(app, words->reports);
  declare_cases(app, words->cases_folder);
  declare_screen(app, *words, *options);
  return [words, options](const CommandLine& line) {
    return interpret(line, *words, std::move(*options));
  };
}

}  // namespace jrpcheck::cli
