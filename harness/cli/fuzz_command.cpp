#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "base/contains.hpp"
#include "base/failure.hpp"
#include "base/interruption.hpp"
#include "cli/commands.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/fuzz_client.hpp"
#include "cli/fuzz_screen.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/law.hpp"
#include "cli/parse_words.hpp"
#include "cli/probe_session.hpp"
#include "cli/report_request.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/write_file.hpp"
#include "fuzz/campaign.hpp"
#include "fuzz/edge_map.hpp"
#include "fuzz/engine.hpp"
#include "fuzz/probe_capabilities.hpp"
#include "fuzz/to_run.hpp"
#include "run/runner.hpp"

namespace jrpcheck::cli {
namespace {

struct FuzzOptions {
  run::Options run;
  LawWords law;
  bool recognises = false;  // nobody said which protocol it is
  fuzz::Limits limits;
  Clock::time_point end = Clock::time_point::max();  // of the whole campaign
  std::string corpus_folder;
  std::string findings_folder;
  std::vector<std::string> engine_flags;
  std::vector<ReportRequest> reports;
};

struct FuzzWords {
  EndpointWords endpoint;
  FuzzClientWords client;
  double max_seconds = 60;
  std::size_t max_growth = 1024;
  std::vector<std::string> reports;
};

constexpr std::string_view kFuzzNotes =
    "Each finding is confirmed by sending its message again, then reduced to the smallest message\n"
    "that shows it, as far as time allows. If no valid call was ever answered, the campaign "
    "fails.\n"
    "With --client the messages are answers: the client is started for each, gets it in place of "
    "one\n"
    "answer, and the connection ends then. Charged is that it dies, that it waits for ever, and "
    "what is\n"
    "wrong in the form of what it sends. --findings takes scenarios for jrpcheck client "
    "--cases DIR.\n"
    "SIGINT (Ctrl-C) or SIGTERM ends a campaign; findings and reports are still written. A second\n"
    "signal ends the program at once.\n\n"
    "Exit codes:\n"
    "  0    nothing was found\n"
    "  1    something was found, or nothing could be tested\n"
    "  2    wrong usage\n"
    "  3    the target could not be started or reached, or was lost\n"
    "  4    an error in jrpcheck itself\n"
    "  128+ interrupted: 128 plus the number of the signal";

void declare(CLI::App& app, FuzzWords& words, FuzzOptions& options) {
  app.description(
      "Sends generated and mutated messages to a JSON-RPC 2.0 server and judges its answers by the "
      "specification.\n"
      "jrpcheck fuzz [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]\n"
      "jrpcheck fuzz --client [OPTIONS] [TARGET] -- COMMAND [ARG...]");
  app.footer(std::string(kFuzzNotes));
  declare_endpoint(app, words.endpoint);
  declare_law(app, options.law);
  declare_fuzz_client(app, words.client);
  declare_max_time(app, "seconds until the campaign ends", words.max_seconds);
  app.add_option("--runs", options.limits.runs, "messages until the campaign ends; 0: no limit")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  app.add_option("--max-growth", words.max_growth,
                 "MiB that a server started by jrpcheck may grow before jrpcheck looks for the "
                 "message that "
                 "makes it grow; 0: any")
      ->type_name("MIB")
      ->check(whole_number(0, std::uint64_t{1} << 20U))
      ->capture_default_str();
  app.add_option("--seed", options.run.seed, "the same seed makes the same choices")
      ->type_name("N")
      ->check(whole_number(0, UINT64_MAX))
      ->capture_default_str();
  app.add_option("--corpus", options.corpus_folder,
                 "folder of messages that reached something new: read first, then added to")
      ->type_name("DIR");
  app.add_option("--findings", options.findings_folder,
                 "folder for the findings, a file each, for jrpcheck replay and promote")
      ->type_name("DIR");
  declare_reports(app, words.reports);
  app.add_flag("--keep-going", options.limits.keep_going, "do not stop at the first finding");
  app.add_flag("--strict", options.limits.warnings_are_findings, "treat warnings as findings");
  app.add_option("--engine", options.engine_flags,
                 "a flag for libFuzzer, such as -use_value_profile=1")
      ->type_name("FLAG")
      ->allow_extra_args(false);
}

// What makes libFuzzer do something else than feed this process, or leave off before the campaign:
// nothing was tested then, and a server would be told so.
constexpr std::string_view kNotForCampaigns[] = {
    "-jobs",           "-fork",          "-runs",          "-merge", "-set_cover_merge",
    "-minimize_crash", "-cleanse_crash", "-close_fd_mask", "-help"};

Result<bool> check_engine_flags(const std::vector<std::string>& flags) {
  for (const auto& flag : flags) {
    // libFuzzer takes any other word for a folder of its own.
    if (!flag.starts_with('-')) {
      return Error{"--engine: '" + flag +
                   "' is no flag of libFuzzer: one begins with -, such as -use_value_profile=1"};
    }
    const std::string name = flag.substr(0, flag.find('='));
    if (!contains(kNotForCampaigns, name)) continue;
    return Error{"--engine: " + name + " is not for campaigns; --runs and --max-time end one"};
  }
  return true;
}

Result<bool> interpret(const CommandLine& line, const FuzzWords& words, FuzzOptions& options) {
  if (auto ok = interpret_endpoint(line, words.endpoint, options.run); !ok) return ok;
  const auto end = end_of_work(line, words.max_seconds);
  if (!end) return end.error();
  options.end = *end;
  auto reports = parse_reports(words.reports);
  if (!reports) return reports.error();
  options.reports = *std::move(reports);
  if (auto ok = check_engine_flags(options.engine_flags); !ok) return ok;
  options.limits.memory = words.max_growth << 20U;
  options.limits.secrets = &kept_secrets;
  options.limits.interrupted = &is_interrupted;
  options.run.allowed.insert(options.law.allowed.begin(), options.law.allowed.end());
  options.recognises = options.law.option->count() == 0 && may_be_recognised(words.endpoint);
  return true;
}

ExitCode conclude(const fuzz::Campaign& campaign, const FuzzScreen& screen, bool written) {
  if (is_signalled()) return interrupted_code();
  if (!written) return ExitCode::internal;
  if (!screen.trouble().empty()) return complain(ExitCode::internal, screen.trouble());
  if (campaign.has_failed()) return ExitCode::failed;
  if (!campaign.lost().empty()) {
    return complain(ExitCode::unreachable, "the server was lost: " + campaign.lost());
  }
  if (campaign.tally().answered_calls == 0) {
    return complain(ExitCode::failed,
                    "no valid call was answered as it must be: nothing was tested");
  }
  return ExitCode::ok;
}

// A report says as well why there is nothing in it.
ExitCode give_up(ExitCode code, const std::string& reason, const FuzzOptions& options,
                 const corpus::Corpus& corpus,
                 result::RunVerdict ending = result::RunVerdict::partial) {
  auto run = run::unreached_run(corpus, options.run, reason, ending);
  if (is_interrupted() || code == ExitCode::internal) run.interrupted = reason;
  run.tool_version = kVersion;
  complain(code, reason);
  const bool written = write_reports(without_secrets(std::move(run)), options.reports);
  if (is_signalled()) return interrupted_code();
  return written ? code : ExitCode::internal;
}

// What a server has said of what it was given goes into no message, and so into no file.
void leave_out_secrets(fuzz::Vocabulary& vocabulary, std::vector<std::string>& seeds) {
  const auto holds_any = [](const std::string& text) { return without_secrets(text) != text; };
  std::erase_if(vocabulary.methods, holds_any);
  std::erase_if(vocabulary.names, holds_any);
  std::erase_if(vocabulary.texts, holds_any);
  std::erase_if(vocabulary.samples, [&holds_any](const fuzz::Sample& sample) {
    return holds_any(sample.method) || holds_any(sample.params);
  });
  std::erase_if(seeds, holds_any);
}

// What the report says before anything has been sent.
result::Run begin_campaign_run(const corpus::Corpus& corpus, const run::Options& options,
                               const EndpointSession& session, const std::string& note,
                               const fuzz::Capabilities& capabilities) {
  auto run = run::begin_run(corpus, options);
  run.tool_version = kVersion;
  run.target = run::target_of(*session.endpoint);
  if (!note.empty()) run.notes.push_back(note);
  tell_names_without_effect(corpus.profile, options.allowed, capabilities.catalogue(), run);
  return run;
}

ExitCode run_campaign(FuzzOptions& options, corpus::Corpus& corpus) {
  // Before anything is started, which then finds it. Without it the shapes of replies must do.
  auto edges = fuzz::EdgeMap::share();
  EndpointSession session;
  std::string note;
  const auto reached = open_session_by_law(corpus, options.run, session, note, options.recognises);
  if (!reached) {
    return give_up(ExitCode::unreachable, reached.error().message, options, corpus,
                   session.endpoint ? session.endpoint->ending() : session.ending);
  }
  if (auto ok = can_generate_for(corpus.profile); !ok) {
    return give_up(ExitCode::usage, ok.error().message, options, corpus);
  }
  if (!note.empty()) say(note);
  const auto capabilities = probe_session(corpus, options.run, session, note);
  if (is_interrupted()) {
    const std::string reason =
        interrupted_before("the campaign began", capabilities ? "" : capabilities.error().message);
    return give_up(ExitCode::unreachable, reason, options, corpus);
  }
  if (!capabilities) {
    return give_up(ExitCode::unreachable, capabilities.error().message, options, corpus);
  }
  if (!capabilities->unanswered.empty()) {
    const std::string reason = capabilities->unanswered + ": nothing can be tested";
    return give_up(ExitCode::unreachable, reason, options, corpus);
  }
  const bool has_protocol = capabilities->traits.protocol != nullptr;
  const auto fast = fuzz::make_fast_executor(*session.endpoint, options.run, *session.patience,
                                             *session.guardian, has_protocol);
  const auto careful = fuzz::make_careful_executor(*session.endpoint);
  FuzzScreen screen(::isatty(STDERR_FILENO) != 0, options.findings_folder,
                    takes_standard_output(options.reports), corpus.ledger);
  auto begun = begin_campaign_run(corpus, options.run, session, note, *capabilities);
  fuzz::Campaign campaign(fuzz::Oracle(corpus.ledger, capabilities->traits), options.limits,
                          *session.endpoint, *fast, *careful, screen, options.run.seed);
  const bool sees_edges = edges && (*edges)->is_written();
  if (sees_edges) campaign.watch(**edges);
  fuzz::Vocabulary vocabulary = capabilities->vocabulary;
  auto seeds = fuzz::seeds_from(corpus, *capabilities, session.endpoint->binding());
  leave_out_secrets(vocabulary, seeds);
  for (const auto& seed : seeds) fuzz::learn_from(seed, vocabulary);
  const fuzz::EngineOptions engine{std::move(vocabulary), options.run.seed,
                                   options.corpus_folder, std::move(seeds),
                                   options.engine_flags,  sees_edges};
  campaign.look_for_held_answers(capabilities->to_ask_alone);
  for (const auto& probe : capabilities->probes) campaign.feed_alone(probe);
  const auto ended = fuzz::run_engine(engine, campaign, *session.guardian);
  campaign.conclude();
  if (is_signalled() || !ended) {
    begun.interrupted =
        fmt::format("{} after {} messages", ended ? interruption_text() : ended.error().message,
                    campaign.tally().exchanges);
  }
  screen.conclude(campaign, begun.interrupted);
  const bool written = write_reports(
      without_secrets(fuzz::to_run(std::move(begun), campaign, corpus)), options.reports);
  if (!ended) return complain(ExitCode::internal, ended.error().message);
  return conclude(campaign, screen, written);
}

Result<bool> has_what_it_takes(const FuzzOptions& options) {
  if (auto engine = fuzz::has_engine(); !engine) return engine;
  return make_folder_of("--corpus", options.corpus_folder);
}

ExitCode begin_client_campaign(const FuzzWords& words, const FuzzOptions& options) {
  if (auto ok = has_what_it_takes(options); !ok)
    return complain(ExitCode::usage, ok.error().message);
  return fuzz_client({words.client, options.run, options.limits, options.end, options.corpus_folder,
                      options.findings_folder, options.engine_flags, options.reports});
}

ExitCode begin_campaign(FuzzOptions options) {
  if (auto ok = has_what_it_takes(options); !ok)
    return complain(ExitCode::usage, ok.error().message);
  if (auto ok = make_folder_of("--findings", options.findings_folder); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  std::error_code failed;
  static_cast<void>(std::filesystem::temp_directory_path(failed));
  if (failed) return complain(ExitCode::usage, "TMPDIR names no folder for temporary files");
  end_of_time = options.end;
  auto corpus = corpus_by_law(options.law);
  if (!corpus) return complain(ExitCode::usage, corpus.error().message);
  ExitCode code = ExitCode::internal;
  const std::string failure = failure_of_command([&] { code = run_campaign(options, *corpus); });
  return failure.empty() ? code : give_up(ExitCode::internal, failure, options, *corpus);
}

}  // namespace

Action declare_fuzz(CLI::App& app) {
  auto words = std::make_shared<FuzzWords>();
  auto options = std::make_shared<FuzzOptions>();
  declare(app, *words, *options);
  return [words, options, &app](const CommandLine& line) {
    auto ok = check_fuzz_client(app, words->client, line);
    if (ok) ok = interpret(line, *words, *options);
    if (ok && words->client.is_client) return begin_client_campaign(*words, *options);
    return ok ? begin_campaign(*options) : complain(ExitCode::usage, ok.error().message);
  };
}

}  // namespace jrpcheck::cli
