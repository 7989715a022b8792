#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <utility>

#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "cli/run_screen.hpp"
#include "cli/signals.hpp"
#include "cli/write_file.hpp"
#include "corpus/profile.hpp"
#include "run/http_triage.hpp"
#include "run/roles.hpp"
#include "run/runner.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kMethodsNotes =
    "The file is printed, and says of each role what a method must do to play it, which one does,\n"
    "and which were tried and refused. Fill in the names of yours and give it to the others:\n\n"
    "  jrpcheck methods http://127.0.0.1:8545/ > roles.json\n"
    "  jrpcheck run --methods roles.json http://127.0.0.1:8545/\n\n"
    "Nothing is called that could do more than read, and nothing that a role is not looked for "
    "in.\n\n"
    "Exit codes: 0 the file was printed, 1 the server cannot be judged, 2 wrong usage, 3 the "
    "target\n"
    "could not be started or reached, or speaks no JSON-RPC";

struct MethodsWords {
  EndpointWords endpoint;
  double max_seconds = 120;
  std::string profile = std::string(corpus::kDefaultProfile);
};

// Is what a run learns before its cases.
Result<result::RedactedRun> learn(run::Options options, const std::string& profile) {
  auto corpus = load_corpus({});
  if (!corpus) return corpus.error();
  corpus = corpus::with_profile(*std::move(corpus), profile);
  if (!corpus) return Error{"--profile: " + corpus.error().message};
  options.selection.select = {"calibration/*"};
  run::adopt(corpus->profile, options);
  const auto guardian = guard_what_is_started();
  RunScreen screen(::isatty(STDERR_FILENO) != 0 ? RunScreen::Kind::live : RunScreen::Kind::log);
  auto run = run::run_corpus(*corpus, options, *guardian, screen);
  screen.end();
  name_what_is_left(*guardian);
  return without_secrets(std::move(run));
}

ExitCode print_roles(const result::RedactedRun& run, const run::Options& options) {
  const auto& found = run->conditions->roles;
  if (const auto printed = print_text(run::roles_file(found, run->tried)); !printed) {
    return complain(ExitCode::internal, printed.error().message);
  }
  const std::string url = options.target ? options.target->redacted : "";
  const auto next = run::command_for(options, url, "run --methods roles.json");
  say(fmt::format(
      "methods for {} of {} roles were found. Fill in the names of others, and judge with\n  {}",
      found.size(), corpus::known_roles().size(), next));
  return ExitCode::ok;
}

ExitCode find_methods(const run::Options& options, const std::string& profile) {
  const auto learned = learn(options, profile);
  if (!learned) return complain(ExitCode::usage, learned.error().message);
  if (is_signalled()) return interrupted_code();
  const result::Run& run = *learned;
  if (!run.unreached.empty()) return complain(ExitCode::unreachable, run.unreached);
  if (!run.unjudgeable.empty()) return complain(ExitCode::failed, run.unjudgeable);
  if (!run.interrupted.empty()) complain(ExitCode::ok, run.interrupted);
  return print_roles(*learned, options);
}

}  // namespace

Action declare_methods(CLI::App& app) {
  app.description(
      "Finds the methods of a server whose behaviour is known, and prints the file for --methods.\n"
      "jrpcheck methods [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(std::string(kMethodsNotes));
  auto words = std::make_shared<MethodsWords>();
  declare_endpoint(app, words->endpoint);
  declare_max_time(app, "seconds until the whole ends; what has been found by then is printed",
                   words->max_seconds);
  app.add_option("--profile", words->profile,
                 "the rules to judge by; jrpcheck list profiles shows them all")
      ->type_name("PROFILE")
      ->capture_default_str();
  return [words](const CommandLine& line) {
    run::Options options;
    if (auto ok = interpret_endpoint(line, words->endpoint, options); !ok) {
      return complain(ExitCode::usage, ok.error().message);
    }
    const auto end = end_of_work(line, words->max_seconds);
    if (!end) return complain(ExitCode::usage, end.error().message);
    end_of_time = *end;
    return find_methods(options, words->profile);
  };
}

}  // namespace jrpcheck::cli
