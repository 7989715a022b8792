#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <utility>

#include "base/bytes.hpp"
#include "base/failure.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "cli/signals.hpp"
#include "cli/stdio_relay.hpp"
#include "cli/upstream_options.hpp"
#include "cli/verdict_options.hpp"
#include "client/client_run.hpp"
#include "client/dialogue_run.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::string_view kClientNotes =
    "  jrpcheck client --driver -- node driver.js {url}       judge it by the values that it "
    "prints\n"
    "  jrpcheck client --door ws --driver -- node driver.js   the URL is in JRPCHECK_URL as well\n"
    "  jrpcheck client -- ./client {url}                      judge it by its exit code\n"
    "  jrpcheck client --door stdio -- ./client {server}      it starts its server itself\n"
    "  jrpcheck client --door https -- ./client {url} {cacert}    and this is whom it is to "
    "believe\n"
    "  jrpcheck client --profile mcp -- ./client {server}     a client of MCP, mcp-2026-07-28, "
    "lsp\n"
    "  jrpcheck client --upstream http://127.0.0.1:8545/ -- ./client {url}\n"
    "                                                         any client, with a real server\n"
    "  jrpcheck client --upstream-command 'node server.js' -- ./client {server}    on stdio\n"
    "\n"
    "With --upstream a real server answers, the client does what it always does, and one of\n"
    "the answers is bent on the way, in each run another way. Judged are the form of all\n"
    "that it sends, whether it dies, waits for ever or is disturbed by what is no answer to\n"
    "it, and its answers to calls of the server; with --driver also the values that it\n"
    "prints, each with its whole result. First it runs twice with nothing bent; where it\n"
    "does not end with 0 then, nothing is judged (exit code 3).\n"
    "\n"
    "With --profile mcp or lsp jrpcheck is a server of that protocol, and the client does\n"
    "what it always does: judged are its lifecycle, ids, capabilities, HTTP heads and\n"
    "answers. A server of mcp-2026-07-28 has no handshake.\n"
    "\n"
    "Without either, jrpcheck is a plain server of JSON-RPC. For each scenario the client\n"
    "calls echo [n] for each n of JRPCHECK_CALLS (1,2,3): each once the one before has\n"
    "ended, or as JRPCHECK_ORDER says (in-turn, together, batch). The answer to call 2 is\n"
    "odd. With --driver it prints a line of JSON for each call, {\"n\":2,\"ok\":102} or\n"
    "{\"n\":2,\"err\":\"...\"}, and one process takes many scenarios and more calls, where all of\n"
    "them pass (--fresh: never); without, it exits with 0 where all calls have succeeded,\n"
    "and is started for each. A client that cannot take the good answer is not judged (exit\n"
    "code 3). examples/clients has drivers of ten lines.\n"
    "\n"
    "What a client sends is judged in every scenario. Exit codes as of run.";

struct ClientCommandOptions : VerdictOptions {
  VerdictWords words;
  std::string profile;
  std::string door;
  UpstreamWords upstream;
  bool has_driver = false;
  bool starts_anew = false;
  double patience = 1.5;
  double max_seconds = 300;
  std::size_t jobs = 2;
  corpus::Selection selection;
};

// `list`: what prints their ids.
template <typename Scenarios>
Result<bool> check_scenarios(const corpus::Selection& selection, const Scenarios& scenarios,
                             const std::string& list) {
  std::vector<corpus::Case> named;
  named.reserve(scenarios.size());
  for (const auto& each : scenarios) named.push_back(as_case(each));
  for (const auto* patterns : {&selection.select, &selection.skip}) {
    for (const auto& pattern : *patterns) {
      if (corpus::check_selection({{pattern}, {}}, named)) continue;
      return Error{
          fmt::format("the selector '{}' matches no scenario and no requirement; {} has the ids",
                      pattern, list)};
    }
  }
  return corpus::check_selection(selection, named);
}

// What the options say, looked up.
struct ClientPlan {
  client::ClientRunOptions run;
  std::optional<UpstreamOptions> upstream;
  corpus::Corpus corpus;
  std::optional<corpus::Dialogues> dialogues;  ///< of a protocol on top
  Clock::time_point end = Clock::time_point::max();
};

constexpr std::string_view kPlainProfile = corpus::kDefaultProfile;

// A protocol with classes about ways to carry it is spoken there alone, any other on any stream.
bool is_spoken_over(const corpus::Profile& profile, const client::Door& door) {
  const bool has_ways = std::ranges::any_of(
      profile.places, [](const auto& each) { return each.second != corpus::kPlaceOfClients; });
  if (!has_ways) return door.takes_framings();
  return profile.has_place(door.is_stdio() ? "stdio" : door.kind);
}

// Clients of a protocol on top are met by a server of it.
// `whole`: the ledger of all versions.
Result<bool> add_dialogues(const ClientCommandOptions& options, const corpus::Ledger& whole,
                           ClientPlan& plan) {
  if (plan.upstream || options.has_driver) {
    return Error{"--profile: jrpcheck is the server of that protocol, so that there is no " +
                 std::string(plan.upstream ? "--upstream; without --profile a real server's "
                                             "answers are bent, of whatever protocol"
                                           : "--driver; the client does what it always does")};
  }
  const auto files = files_before_built_in(options.cases_folder);
  if (!files) return files.error();
  auto dialogues = corpus::dialogues_for(plan.corpus, *files, whole);
  if (!dialogues) return Error{"--profile: " + dialogues.error().message};
  plan.corpus.ledger.set_tested(corpus::is_asked_by_dialogues);
  const std::string list = "jrpcheck list scenarios --profile " + options.profile;
  if (auto ok = check_scenarios(options.selection, dialogues->dialogues, list); !ok) return ok;
  plan.dialogues = *std::move(dialogues);
  return true;
}

Result<ClientPlan> interpret(const CommandLine& line, const ClientCommandOptions& options) {
  ClientPlan plan;
  const bool has_profile = !options.profile.empty() && options.profile != kPlainProfile;
  auto upstream = interpret_upstream(options.upstream, options.door);
  if (!upstream) return upstream.error();
  plan.upstream = *std::move(upstream);
  const auto* door = plan.upstream          ? plan.upstream->door
                     : options.door.empty() ? &client::usual_door(has_profile)
                                            : client::door_named(options.door);
  if (door == nullptr) return Error{"--door takes one of " + client::names_of_doors()};
  if (line.command.empty()) return Error{"name the client after --"};
  if (options.starts_anew && !options.has_driver) return Error{"--fresh is for --driver"};
  if (options.jobs < 1 || options.jobs > 64) return Error{"--jobs takes a number from 1 to 64"};
  const auto patience = seconds_of("--client-timeout", options.patience, kLeastPatience);
  if (!patience) return patience.error();
  const auto end = end_of_work(line, options.max_seconds);
  if (!end) return end.error();
  plan.end = *end;
  auto corpus = load_corpus(options.cases_folder);
  corpus::Ledger whole;
  if (corpus) {
    whole = corpus->ledger;
    corpus = corpus::with_profile(*std::move(corpus),
                                  has_profile ? options.profile : std::string(kPlainProfile));
  }
  if (!corpus) return corpus.error();
  plan.corpus = *std::move(corpus);
  if (has_profile) {
    if (auto ok = add_dialogues(options, whole, plan); !ok) return ok.error();
    if (!is_spoken_over(plan.corpus.profile, *door)) {
      return Error{"--door: " + options.profile + " is not spoken over " + std::string(door->name)};
    }
  } else if (auto ok =
                 check_scenarios(options.selection, plan.corpus.scenarios,
                                 "jrpcheck list scenarios --profile " + std::string(kPlainProfile));
             !ok) {
    return ok.error();
  }
  auto& client = plan.run.client;
  client.command = line.command;
  client.relay = stdio_relay();
  client.door = door;
  client.has_driver = options.has_driver;
  client.patience = *patience;
  plan.run.selection = options.selection;
  plan.run.jobs = options.jobs;
  plan.run.starts_anew = options.starts_anew;
  return plan;
}

result::Run tried(const ClientPlan& plan) {
  const auto guardian = guard_what_is_started();
  if (plan.dialogues)
    return client::run_dialogues(plan.corpus, *plan.dialogues, plan.run, *guardian);
  if (!plan.upstream) return client::run_client(plan.corpus, plan.run, *guardian);
  std::unique_ptr<transport::Peer> peer;
  const auto bend = bend_options(*plan.upstream, *guardian, peer);
  return client::run_client(plan.corpus, plan.run, bend, *guardian);
}

// A scenario of the user's own is found again with its folder alone.
void add_cases_folder(const std::string& folder, result::Run& run) {
  if (folder.empty()) return;
  for (auto& one : run.cases) {
    for (const std::string_view command : {"jrpcheck explain ", "jrpcheck client "}) {
      if (!one.reproduce.starts_with(command)) continue;
      one.reproduce.insert(command.size(), "--cases " + shell_quote(folder) + " ");
    }
  }
}

ExitCode conclude(result::Run run, const ClientCommandOptions& options) {
  run.tool_version = kVersion;
  add_cases_folder(options.cases_folder, run);
  const auto redacted = without_secrets(std::move(run));
  std::vector<ReportRequest> reports;
  const bool written = write_reports(redacted, options.reports, &reports);
  if (!redacted->unreached.empty()) {
    complain(ExitCode::unreachable, redacted->unreached);
    if (is_signalled()) return interrupted_code();
    return written ? ExitCode::unreachable : ExitCode::internal;
  }
  const bool printed = print_console(redacted, options, reports);
  if (is_signalled()) return interrupted_code();
  if (!redacted->failure.empty()) return complain(ExitCode::internal, redacted->failure);
  return printed && written ? verdict_code(redacted, options) : ExitCode::internal;
}

ExitCode judge_client(const CommandLine& line, const ClientCommandOptions& options) {
  const auto plan = interpret(line, options);
  if (!plan) return complain(ExitCode::usage, plan.error().message);
  end_of_time = plan->end;
  run::Options of_client;
  of_client.command = line.command;
  keep_secret(secrets_of(of_client));
  ExitCode code = ExitCode::internal;
  // What a run holds may leave no memory for a report on it; without that run there is some.
  const std::string failure = failure_of_command([&] { code = conclude(tried(*plan), options); });
  if (failure.empty()) return code;
  return conclude(client::failed_run(plan->corpus, plan->run, failure), options);
}

}  // namespace

Action declare_client(CLI::App& app) {
  auto options = std::make_shared<ClientCommandOptions>();
  app.description(
      "Judges a client: it is given odd answers, and what it makes of them is judged.\n"
      "jrpcheck client [OPTIONS] -- COMMAND [ARG...]\n"
      "jrpcheck client --upstream TARGET [OPTIONS] -- COMMAND [ARG...]");
  app.footer(std::string(kClientNotes));
  app.add_option(
         "--door", options->door,
         "how the client reaches its server: " + client::names_of_doors() +
             " (default: http, with --profile mcp or lsp stdio, else what leads to the upstream)")
      ->type_name("DOOR");
  app.add_option(
         "--profile", options->profile,
         "mcp, mcp-2026-07-28 or lsp: jrpcheck is a server of that protocol; over stdio where no "
         "--door is named")
      ->type_name("NAME");
  declare_upstream(app, options->upstream);
  app.add_flag("--driver", options->has_driver, "the client prints a line of JSON for each call");
  app.add_flag("--fresh", options->starts_anew,
               "with --driver: a new process for each scenario, also where one could take several");
  app.add_option("--client-timeout", options->patience,
                 "seconds without anything that passes, after which a client waits for ever")
      ->type_name("SECONDS")
      ->capture_default_str();
  declare_max_time(
      app, "seconds until the whole ends; scenarios that have not been tried by then say nothing",
      options->max_seconds);
  app.add_option("--jobs", options->jobs, "how many clients run at a time")
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--select", options->selection.select, "scenarios or requirements to try")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  app.add_option("--skip", options->selection.skip, "scenarios or requirements to leave out")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  declare_strictness(app, options->words, *options);
  declare_reports(app, options->words.reports);
  declare_cases(app, options->cases_folder);
  declare_screen(app, options->words, *options);
  return [options](const CommandLine& line) {
    if (auto ok = interpret_verdict(options->words, *options); !ok) {
      return complain(ExitCode::usage, ok.error().message);
    }
    return judge_client(line, *options);
  };
}

}  // namespace jrpcheck::cli
