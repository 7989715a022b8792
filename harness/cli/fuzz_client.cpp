#include "cli/fuzz_client.hpp"

#include <CLI/CLI.hpp>
#include <array>
#include <memory>

#include "base/bytes.hpp"
#include "base/failure.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/kept_secrets.hpp"
#include "cli/parse_words.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/stdio_relay.hpp"
#include "cli/upstream_options.hpp"
#include "cli/verdict_options.hpp"
#include "cli/write_file.hpp"
#include "fuzz/clients/answer_text.hpp"
#include "fuzz/clients/client_campaign.hpp"
#include "fuzz/clients/scenario_file.hpp"
#include "fuzz/engine.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

// Those that say how a server is spoken to that is to be judged.
constexpr std::array kOfServersAlone = {
    "--timeout",     "--start-timeout", "--methods", "--opening", "--header",
    "--cookie-file", "--subprotocol",   "--profile", "--allow",   "--max-growth"};

// Only what is about clients is known before anything has been tried.
result::Run begun_run(const FuzzClientPlan& plan, const client::Door& door,
                      const corpus::Corpus& corpus) {
  result::Run run;
  run.tool_version = kVersion;
  run.seed = plan.endpoint.seed;
  run.target = {shell_line(plan.endpoint.command), std::string(door.name),
                std::string(door.binding)};
  run.profile = corpus.profile.name;
  run.corpus_cases = corpus.scenarios.size();
  run.corpus_hash = corpus.hash;
  return run;
}

Result<microseconds> patience_of(const FuzzClientWords& words) {
  return seconds_of("--client-timeout", words.patience, kLeastPatience);
}

class FindingFolder {
 public:
  explicit FindingFolder(std::string folder) : folder_(std::move(folder)) {}

  // As a scenario that jrpcheck client plays again.
  void store(const fuzz::ClientFinding& finding) {
    if (folder_.empty()) return;
    const std::string path = folder_ + "/client/" + fuzz::name_of(finding) + ".json";
    const auto text = fuzz::scenario_file(fuzz::scenario_of(finding));
    if (auto ok = write_file(path, text); !ok && trouble_.empty()) {
      trouble_ = "--findings: " + ok.error().message;
    }
  }
  const std::string& trouble() const { return trouble_; }

 private:
  std::string folder_;
  std::string trouble_;
};

void tell(const fuzz::ClientFinding& finding) {
  const bool fails = finding.finding.severity == corpus::Verdict::fail;
  say(std::string(fails ? "FAIL" : "WARN") + "  " + finding.finding.requirement + "  " +
      judge::sentence_of(finding.finding) + "  " + to_visible(finding.answer, 200) +
      "  (reduced in " + std::to_string(finding.tries) + " starts)");
}

// The line by which a stored finding is tried again.
void add_repetition(const FuzzClientPlan& plan, const client::Door& door,
                    const UpstreamOptions* upstream, result::Run& run) {
  if (plan.findings_folder.empty()) return;
  std::vector<std::string> words = {"jrpcheck", "client", "--cases", plan.findings_folder};
  const auto own = upstream != nullptr ? upstream->repeated
                                       : std::vector<std::string>{"--door", std::string(door.name)};
  words.insert(words.end(), own.begin(), own.end());
  if (plan.words.has_driver) words.emplace_back("--driver");
  for (auto& one : run.cases) {
    if (one.findings.empty()) continue;
    one.reproduce =
        shell_line(words) + " --select " + one.id + " -- " + shell_line(plan.endpoint.command);
  }
}

ExitCode report(const FuzzClientPlan& plan, const fuzz::ClientCampaign& campaign, result::Run run,
                const std::string& trouble) {
  const auto redacted = without_secrets(std::move(run));
  std::vector<ReportRequest> written;
  const bool is_written = write_reports(redacted, plan.reports, &written);
  VerdictOptions shown;
  shown.reports = plan.reports;
  shown.strict = plan.limits.warnings_are_findings;
  const bool printed = print_console(redacted, shown, written);
  if (is_signalled()) return interrupted_code();
  if (!is_written || !printed) return ExitCode::internal;
  if (!trouble.empty()) return complain(ExitCode::internal, trouble);
  if (const auto code = verdict_code(redacted, shown); code != ExitCode::ok) return code;
  if (!campaign.lost().empty()) {
    return complain(ExitCode::unreachable, "the client was lost: " + campaign.lost());
  }
  if (campaign.taken() > 0) return ExitCode::ok;
  return complain(ExitCode::failed, "the client came to no answer: nothing was tested");
}

// Without what it takes to go on there is a report that says so.
ExitCode report_failure(const FuzzClientPlan& plan, result::Run run, const std::string& failure) {
  run.interrupted = failure;
  run.notes = {failure};
  write_reports(without_secrets(std::move(run)), plan.reports);
  return complain(ExitCode::internal, failure);
}

ExitCode campaign_through(const FuzzClientPlan& plan, const client::Door& door,
                          const corpus::Corpus& corpus, const UpstreamOptions* upstream,
                          transport::Guardian& guardian, fuzz::EdgeMap* edges) {
  client::ClientOptions options;
  options.command = plan.endpoint.command;
  options.relay = stdio_relay();
  options.door = &door;
  options.has_driver = plan.words.has_driver;
  options.patience = *patience_of(plan.words);  // that has been checked
  std::unique_ptr<transport::Peer> peer;
  client::BendOptions bend;
  if (upstream != nullptr) bend = bend_options(*upstream, guardian, peer);
  const auto manner = upstream != nullptr
                          ? client::make_bent_manner(corpus, options, bend, guardian)
                          : client::make_scripted_manner(corpus, options, guardian);
  auto premises = client::Premises::for_door(door, guardian);
  if (!premises) return complain(ExitCode::unreachable, premises.error().message);
  auto run = begun_run(plan, door, corpus);
  if (const auto why = manner->try_control(**premises).hindrance; !why.empty()) {
    run.target.framing.clear();
    run.verdict = result::RunVerdict::unreachable;
    run.notes = {why};
    if (is_interrupted()) run.interrupted = interruption_text() + " before the campaign began";
    write_reports(without_secrets(std::move(run)), plan.reports);
    complain(ExitCode::unreachable, why);
    return is_signalled() ? interrupted_code() : ExitCode::unreachable;
  }
  FindingFolder folder(plan.findings_folder);
  fuzz::ClientCampaign campaign(corpus, door, *manner, **premises, plan.limits,
                                [&folder](const fuzz::ClientFinding& finding) {
                                  tell(finding);
                                  folder.store(finding);
                                });
  if (edges != nullptr && edges->is_written()) campaign.watch(*edges);
  const fuzz::EngineOptions engine{{},
                                   plan.endpoint.seed,
                                   plan.corpus_folder,
                                   fuzz::answers_to_begin_with(corpus),
                                   plan.engine_flags};
  const auto begin = Clock::now();
  const auto ended = fuzz::run_engine(engine, campaign, guardian);
  run.duration = time_since(begin);
  if (is_signalled() || !ended) {
    run.interrupted = (ended ? interruption_text() : ended.error().message) + " after " +
                      std::to_string(campaign.starts()) + " starts";
  }
  run = fuzz::to_run(std::move(run), campaign, corpus);
  add_repetition(plan, door, upstream, run);
  return report(plan, campaign, std::move(run), ended ? folder.trouble() : ended.error().message);
}

}  // namespace

void declare_fuzz_client(CLI::App& app, FuzzClientWords& words) {
  app.add_flag("--client", words.is_client,
               "COMMAND is a client: answers are made for it; a TARGET is its real server");
  app.add_option("--door", words.door,
                 "with --client: how it reaches its server, as of jrpcheck client")
      ->type_name("DOOR");
  app.add_option(
         "--upstream-command", words.upstream_command,
         "with --client: a program that is its real server, on stdio, as of jrpcheck client")
      ->type_name("WORDS");
  app.add_flag("--driver", words.has_driver,
               "with --client: it prints a line of JSON for each call, as of jrpcheck client");
  app.add_option("--client-timeout", words.patience,
                 "with --client: seconds without anything that passes, after which it waits for "
                 "ever")
      ->type_name("SECONDS")
      ->capture_default_str();
}

Result<bool> check_fuzz_client(const CLI::App& app, const FuzzClientWords& words,
                               const CommandLine& line) {
  if (!words.is_client) {
    for (const char* each : {"--door", "--driver", "--upstream-command", "--client-timeout"}) {
      if (app.count(each) > 0) return Error{std::string(each) + " is for --client"};
    }
    return true;
  }
  for (const char* each : kOfServersAlone) {
    const auto* option = app.get_option_no_throw(each);
    if (option != nullptr && option->count() > 0) {
      return Error{std::string(each) + " is about servers, and not for --client"};
    }
  }
  if (line.command.empty()) return Error{"name the client after --"};
  if (const auto patience = patience_of(words); !patience) return patience.error();
  return true;
}

// The real server, in the words of jrpcheck client; nothing where jrpcheck answers.
Result<std::optional<UpstreamOptions>> upstream_of(const FuzzClientPlan& plan) {
  UpstreamWords words;
  words.command = plan.words.upstream_command;
  words.target = plan.endpoint.target_text;
  if (plan.endpoint.target) words.tls = plan.endpoint.target->tls;
  if (plan.endpoint.framing != nullptr) words.framing = plan.endpoint.framing->name;
  return interpret_upstream(words, plan.words.door);
}

ExitCode fuzz_client(const FuzzClientPlan& plan) {
  const auto upstream = upstream_of(plan);
  if (!upstream) return complain(ExitCode::usage, upstream.error().message);
  if (*upstream && plan.words.has_driver) {
    return complain(
        ExitCode::usage,
        "--driver: a campaign says nothing of values, and with a real server the client "
        "calls what it likes: leave it out; jrpcheck client --upstream takes a driver");
  }
  const auto door = *upstream ? Result<const client::Door*>((*upstream)->door)
                              : door_towards(plan.endpoint, plan.words.door, false);
  if (!door) return complain(ExitCode::usage, door.error().message);
  const auto& folder = plan.findings_folder;
  if (auto ok = make_folder_of("--findings", folder.empty() ? "" : folder + "/client"); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  // Before anything is started, which then finds it.
  auto edges = fuzz::EdgeMap::share();
  auto corpus = load_corpus({});
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), corpus::kDefaultProfile);
  if (!corpus) return complain(ExitCode::internal, corpus.error().message);
  end_of_time = plan.end;
  ExitCode code = ExitCode::internal;
  const std::string failure = failure_of_command([&] {
    const auto guardian = guard_what_is_started();
    code = campaign_through(plan, **door, *corpus, *upstream ? &**upstream : nullptr, *guardian,
                            edges ? edges->get() : nullptr);
  });
  return failure.empty() ? code : report_failure(plan, begun_run(plan, **door, *corpus), failure);
}

}  // namespace jrpcheck::cli
