#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <thread>

#include "cli/commands.hpp"
#include "cli/parse_words.hpp"
#include "cli/stdio_relay.hpp"
#include "cli/write_file.hpp"
#include "corpus/corpus.hpp"
#include "corpus/profile.hpp"
#include "selftest/client_trial.hpp"
#include "selftest/matrix.hpp"
#include "selftest/render.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::cli {
namespace {

struct SelftestOptions {
  std::string reference;
  std::string cases_folder;
  std::string markdown;
  std::vector<std::string> only;
  std::size_t workers = 0;
  bool thorough = false;
  bool json = false;
  bool verbose = false;
};

// Of the profiles that the mutants are of.
Result<selftest::Corpora> by_profile(const std::string& folder,
                                     const std::vector<selftest::Mutant>& mutants) {
  selftest::Corpora corpora;
  for (const auto& mutant : mutants) {
    if (corpora.count(mutant.profile) != 0) continue;
    auto all = load_corpus(folder);
    if (!all) return all.error();
    auto chosen = corpus::with_profile(*std::move(all), mutant.profile);
    if (!chosen) return chosen.error();
    corpora.emplace(mutant.profile, *std::move(chosen));
  }
  return corpora;
}

Result<std::map<std::string, corpus::Dialogues>> dialogues_of(
    const std::string& folder, const selftest::Corpora& corpora,
    const std::vector<selftest::Mutant>& mutants, const corpus::Ledger& whole) {
  const auto files = files_before_built_in(folder);
  if (!files) return files.error();
  return selftest::dialogues_by_profile(corpora, mutants, *files, whole);
}

// A matrix of some rows says nothing about the cases that kill others.
void keep_rows_only(const std::vector<std::string>& patterns, selftest::Matrix& matrix) {
  if (patterns.empty()) return;
  auto& problems = matrix.problems;
  std::erase_if(problems, [](const selftest::Problem& problem) {
    return problem.kind == selftest::Problem::Kind::useless_case;
  });
}

void select(const std::vector<std::string>& patterns, std::vector<selftest::Mutant>& all) {
  if (patterns.empty()) return;
  std::erase_if(all, [&](const selftest::Mutant& each) {
    return std::ranges::none_of(patterns, [&](const std::string& pattern) {
      return corpus::matches_glob(pattern, each.name);
    });
  });
}

selftest::TrialPlan plan_for(const SelftestOptions& options) {
  selftest::TrialPlan plan;
  plan.reference_program = options.reference;
  plan.relay = stdio_relay();
  plan.thorough = options.thorough;
  const std::size_t processors = std::max(1U, std::thread::hardware_concurrency());
  // Most of the time of a trial is waiting for a server that keeps silent.
  plan.workers = options.workers != 0 ? options.workers : 24 * processors;
  const bool on_terminal = ::isatty(STDERR_FILENO) != 0;
  plan.progress = [on_terminal](std::size_t done, std::size_t total) {
    if (!on_terminal) return;
    std::cerr << "\r\033[K" << done << " of " << total << (done == total ? "\r\033[K" : "")
              << std::flush;
  };
  return plan;
}

ExitCode try_all(const SelftestOptions& options) {
  auto loaded = load_corpus(options.cases_folder);
  if (!loaded) return complain(ExitCode::usage, loaded.error().message);
  auto mutants = selftest::read_mutants(options.reference);
  if (!mutants) return complain(ExitCode::unreachable, mutants.error().message);
  select(options.only, *mutants);
  if (mutants->empty()) {
    return complain(ExitCode::usage,
                    "--only matches no fault and no variant; jrpcheck list faults names them");
  }
  const auto corpora = by_profile(options.cases_folder, *mutants);
  if (!corpora) return complain(ExitCode::usage, corpora.error().message);
  auto dialogues = dialogues_of(options.cases_folder, *corpora, *mutants, loaded->ledger);
  if (!dialogues) return complain(ExitCode::usage, dialogues.error().message);
  const auto corpus = selftest::with_scenarios_as_cases(*std::move(loaded), *dialogues);
  transport::ignore_broken_pipes();
  auto guardian = transport::Guardian::start();  // forks, so before any thread
  if (!guardian) return complain(ExitCode::internal, guardian.error().message);
  auto plan = plan_for(options);
  plan.dialogues = *std::move(dialogues);
  auto trials = selftest::run_trials(*corpora, *mutants, plan, **guardian);
  // Most of what is amiss was shown to too few cases; the load is to blame for the rest.
  for (const std::size_t workers : {plan.workers, std::size_t{1}}) {
    plan.workers = workers;
    std::vector<std::size_t> amiss;
    for (const auto& [i, problem] : selftest::trials_with_problems(corpus, *mutants, trials)) {
      amiss.push_back(i);
      const auto& mutant = trials[i].mutant;
      std::cerr << "jrpcheck: tried again" << (workers == 1 ? ", alone" : "")
                << " with every case: "
                << (mutant ? (*mutants)[*mutant].name : "the server as it is") << " over "
                << trials[i].transport << ": " << problem << "\n";
    }
    selftest::repeat_trials(*corpora, *mutants, plan, **guardian, amiss, trials);
  }
  auto matrix = selftest::make_matrix(corpus, *mutants, trials);
  keep_rows_only(options.only, matrix);
  std::cout << (options.json ? selftest::render_json(matrix, corpus)
                             : selftest::render_text(matrix, options.verbose));
  if (!options.markdown.empty()) {
    const auto written = write_file(options.markdown, selftest::render_markdown(matrix, corpus));
    if (!written) return complain(ExitCode::internal, written.error().message);
  }
  return matrix.problems.empty() ? ExitCode::ok : ExitCode::failed;
}

}  // namespace

Action declare_selftest(CLI::App& app) {
  auto options = std::make_shared<SelftestOptions>();
  app.description(
      "Judges the reference server with each of its known faults and legal variants: every fault "
      "must be noticed by the cases that claim it, and no variant may fail.");
  app.add_option("--reference", options->reference,
                 "the reference server (default: jrpcheck-reference beside this program)")
      ->type_name("PROGRAM");
  declare_cases(app, options->cases_folder);
  app.add_option("--only", options->only,
                 "try only these faults and variants; * stands for any text")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_flag("--thorough", options->thorough,
               "try each fault over each transport that it shows on, with every case, and once "
               "without configuration; otherwise one framing stands for another, a fault meets "
               "the cases that claim it and a fifth of the others, one fault in ten is met "
               "without configuration, and a variant meets every case over one transport");
  app.add_option("--jobs", options->workers, "trials at a time (default: 24 for each processor)")
      ->check(whole_number(1, 64))
      ->type_name("N");
  app.add_flag("--json", options->json, "print the matrix as JSON");
  app.add_option("--markdown", options->markdown, "also write the matrix as Markdown")
      ->type_name("FILE");
  app.add_flag("--verbose", options->verbose, "print a line for every fault and variant");
  app.footer(
      "Exit codes: 0 every fault is noticed where it is claimed, and no variant fails; 1 a "
      "problem\n"
      "was found; 2 usage or corpus error; 3 the reference server could not be run; 4 an error in\n"
      "jrpcheck itself, such as a file that cannot be written.\n\n"
      "  jrpcheck selftest\n"
      "  jrpcheck selftest --only 'id-*' --verbose");
  return [options](const CommandLine&) {
    if (options->reference.empty()) {
      options->reference = selftest::reference_program_beside_this_one();
    }
    return try_all(*options);
  };
}

}  // namespace jrpcheck::cli
