#include "cli/fuzz_command.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>

#include "base/bytes.hpp"
#include "cli/endpoint_options.hpp"
#include "cli/endpoint_session.hpp"
#include "cli/parse_words.hpp"
#include "cli/write_file.hpp"
#include "fuzz/campaign.hpp"
#include "fuzz/engine.hpp"
#include "fuzz/prepare.hpp"

namespace jrpcheck::cli {
namespace {

struct FuzzOptions {
  run::Options run;
  fuzz::Limits limits;
  std::string corpus_folder;
  std::string findings_folder;
  std::vector<std::string> engine_flags;
};

struct Words {
  EndpointWords endpoint;
  double max_seconds = 60;
};

constexpr std::string_view kNotes =
    "Each finding has been confirmed by sending its message again, and reduced to the smallest\n"
    "message that shows it. A campaign in which no valid call was ever answered fails.\n"
    "Exit codes: 0 nothing was found, 1 something was, 2 usage error, 3 the target could not be\n"
    "started or reached, 4 an error of jrpcheck's own.";

void declare(CLI::App& app, Words& words, FuzzOptions& options) {
  app.name("jrpcheck fuzz");
  app.description(
      "Sends generated and mutated messages to a JSON-RPC 2.0 server and holds its answers "
      "against the specification.\n"
      "jrpcheck fuzz [OPTIONS] TARGET | [TARGET] -- COMMAND [ARG...]");
  app.footer(std::string(kNotes));
  declare_endpoint(app, words.endpoint);
  app.add_option("--max-time", words.max_seconds, "seconds until the campaign ends; 0: no limit")
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--runs", options.limits.runs, "messages until the campaign ends; 0: no limit")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--seed", options.run.seed, "number from which all chance is made")
      ->type_name("N")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--corpus", options.corpus_folder,
                 "folder of messages that brought something new: read at the beginning, added to")
      ->type_name("DIR");
  app.add_option("--findings", options.findings_folder,
                 "folder that gets a file for each finding, for jrpcheck replay and promote")
      ->type_name("DIR");
  app.add_flag("--keep-going", options.limits.keep_going, "not over at the first finding");
  app.add_flag("--strict", options.limits.warnings_are_findings, "warnings are findings");
  app.add_option("--engine", options.engine_flags,
                 "a flag of libFuzzer, as in -use_value_profile=1")
      ->type_name("FLAG")
      ->allow_extra_args(false);
}

std::optional<ExitCode> parse(const std::vector<std::string>& arguments, FuzzOptions& options) {
  CLI::App app;
  const CommandLine line = split_command_line(arguments);
  Words words;
  declare(app, words, options);
  if (auto over = parse_words(app, line.words)) return over;
  if (auto ok = interpret_endpoint(line, words.endpoint, options.run); !ok) {
    return complain(ExitCode::usage, ok.error().message);
  }
  constexpr double kMostSeconds = 30.0 * 24 * 3600;
  if (!std::isfinite(words.max_seconds) || words.max_seconds < 0 ||
      words.max_seconds > kMostSeconds) {
    return complain(ExitCode::usage, "--max-time takes seconds from 0 to 2592000");
  }
  options.limits.time = microseconds(static_cast<long long>(words.max_seconds * 1e6));
  return std::nullopt;
}

// One line on the terminal that tells how the campaign is doing, and each finding as it comes.
class Screen : public fuzz::Observer {
 public:
  Screen(bool live, std::string folder) : live_(live), folder_(std::move(folder)) {}

  void progress(unsigned long long exchanges, std::size_t shapes, std::size_t findings) override {
    if (!live_ || !next_.passed()) return;
    const auto since = std::chrono::duration<double>(Clock::now() - last_).count();
    const double rate = static_cast<double>(exchanges - last_exchanges_) / since;
    std::cerr << fmt::format("\r\033[K{} exchanges, {:.0f}/s, {} shapes of replies, {} findings",
                             exchanges, rate, shapes, findings)
              << std::flush;
    last_ = Clock::now();
    last_exchanges_ = exchanges;
    next_ = Deadline::in(milliseconds(250));
  }

  void found(const fuzz::Finding& finding) override {
    clear();
    std::cout
        << fmt::format(
               "{} {}{}\n  {}\n  expected  {}\n  actual    {}\n  sent      {}\n  again     {}\n",
               finding.severity == corpus::Verdict::warn ? "WARN" : "FAIL", finding.requirement,
               finding.is_flaky()
                   ? fmt::format("  (flaky: {} of {} times)", finding.shown, finding.tries)
                   : "",
               finding.message, finding.expected, finding.actual, to_visible(finding.sent, 2000),
               finding.reproduce)
        << std::flush;
    store(finding);
  }

  void clear() const {
    if (live_) std::cerr << "\r\033[K" << std::flush;
  }
  /// Not empty: a finding could not be written, and why.
  const std::string& trouble() const { return trouble_; }

 private:
  void store(const fuzz::Finding& finding) {
    if (folder_.empty()) return;
    const std::string path = folder_ + "/" + fuzz::file_name_of(finding);
    const auto written = write_file(path, fuzz::to_text(finding));
    if (!written) {
      trouble_ = written.error().message;
      return;
    }
    std::cout << "  stored    " << path << "\n" << std::flush;
  }

  bool live_;
  std::string folder_;
  std::string trouble_;
  Clock::time_point last_ = Clock::now();
  unsigned long long last_exchanges_ = 0;
  Deadline next_ = Deadline::in(milliseconds(250));
};

void print_tally(const fuzz::Tally& tally, std::size_t findings) {
  const double seconds = std::chrono::duration<double>(tally.took).count();
  std::cout << fmt::format(
      "\n{} exchanges in {:.1f} s ({:.0f}/s), {} shapes of replies, {} valid calls answered\n",
      tally.exchanges, seconds, static_cast<double>(tally.exchanges) / std::max(seconds, 0.001),
      tally.shapes, tally.answered_calls);
  if (tally.restarts > 0)
    std::cout << fmt::format("{} times the server was started or reached anew\n", tally.restarts);
  if (tally.unconfirmed > 0) {
    std::cout << fmt::format("{} suspicions were not confirmed, and are no findings\n",
                             tally.unconfirmed);
  }
  std::cout << fmt::format("{} finding{}\n", findings, findings == 1 ? "" : "s");
}

ExitCode conclude(const fuzz::Campaign& campaign, const Screen& screen) {
  screen.clear();
  const auto tally = campaign.tally();
  print_tally(tally, campaign.findings().size());
  if (!screen.trouble().empty()) return complain(ExitCode::internal, screen.trouble());
  if (!campaign.findings().empty()) return ExitCode::failed;
  if (!campaign.lost().empty()) {
    return complain(ExitCode::unreachable, "the server was lost: " + campaign.lost());
  }
  if (tally.answered_calls == 0) {
    return complain(ExitCode::failed,
                    "no valid call was answered as it must be: nothing was tested");
  }
  return ExitCode::ok;
}

ExitCode run_campaign(const FuzzOptions& options, const corpus::Corpus& corpus) {
  EndpointSession session;
  const ExitCode reached = reach_endpoint(options.run, session);
  if (reached != ExitCode::ok) return reached;
  const auto prepared = fuzz::prepare(corpus, options.run, *session.endpoint, *session.patience);
  if (!prepared) return complain(ExitCode::unreachable, prepared.error().message);
  if (!prepared->unanswered.empty()) {
    return complain(ExitCode::failed, prepared->unanswered + ": nothing can be tested");
  }
  const auto fast =
      fuzz::make_fast_player(*session.endpoint, options.run, *session.patience, *session.guardian);
  const auto careful = fuzz::make_careful_player(*session.endpoint);
  Screen screen(::isatty(STDERR_FILENO) != 0, options.findings_folder);
  fuzz::Campaign campaign(fuzz::Oracle(corpus.ledger, prepared->traits), options.limits,
                          *session.endpoint, *fast, *careful, screen, options.run.seed);
  const fuzz::EngineOptions engine{
      {prepared->traits.methods},
      options.run.seed,
      options.corpus_folder,
      fuzz::seeds_from(corpus, *prepared, session.endpoint->transport()),
      options.engine_flags};
  const auto ended = fuzz::run_engine(engine, campaign);
  if (!ended) return complain(ExitCode::internal, ended.error().message);
  return conclude(campaign, screen);
}

}  // namespace

CommandForm fuzz_form() {
  CLI::App app;
  Words words;
  FuzzOptions options;
  declare(app, words, options);
  return form_of(app);
}

ExitCode fuzz_command(const std::vector<std::string>& arguments) {
  FuzzOptions options;
  if (const auto over = parse(arguments, options)) return *over;
  if (const auto engine = fuzz::has_engine(); !engine) {
    return complain(ExitCode::usage, engine.error().message);
  }
  std::error_code failed;
  if (!options.findings_folder.empty()) {
    std::filesystem::create_directories(options.findings_folder, failed);
  }
  if (failed) {
    return complain(ExitCode::usage, "--findings: " + options.findings_folder + " cannot be made");
  }
  auto corpus = load_corpus({});
  if (corpus) corpus = corpus::with_profile(*std::move(corpus), corpus::kDefaultProfile);
  if (!corpus) return complain(ExitCode::internal, corpus.error().message);
  return run_campaign(options, *corpus);
}

}  // namespace jrpcheck::cli
