#include <CLI/CLI.hpp>
#include <iostream>

#include "cli/commands.hpp"
#include "cli/explain.hpp"
#include "cli/parse_words.hpp"

namespace jrpcheck::cli {
namespace {

std::string unknown(const std::string& id, const corpus::Corpus& corpus) {
  std::string message = "no requirement and no case has the id '" + id + "'";
  const auto closest = closest_ids(id, corpus);
  if (closest.empty()) return message + "; jrpcheck list cases and jrpcheck list requirements do";
  message += "; did you mean";
  for (const auto& each : closest) message += (each == closest.front() ? " " : ", ") + each;
  return message + "?";
}

// Without the reference server beside this program its faults are left out.
std::vector<selftest::Mutant> mutants_if_there() {
  auto mutants = selftest::read_mutants(selftest::reference_program_beside_this_one());
  return mutants ? *std::move(mutants) : std::vector<selftest::Mutant>();
}

ExitCode explain(const std::string& id, const std::string& folder) {
  if (id.empty()) {
    return complain(ExitCode::usage,
                    "what is to be explained? jrpcheck explain takes the id of a "
                    "requirement or of a case, such as id-echo or batch/empty");
  }
  const auto corpus = load_corpus(folder);
  if (!corpus) return complain(ExitCode::usage, corpus.error().message);
  if (const auto* requirement = corpus->ledger.find(id)) {
    std::cout << explain_requirement(*requirement, *corpus, mutants_if_there());
    return ExitCode::ok;
  }
  const auto* one = corpus->find(id);
  if (one == nullptr) return complain(ExitCode::usage, unknown(id, *corpus));
  const auto page = explain_case(*one, *corpus, mutants_if_there());
  if (!page) return complain(ExitCode::usage, page.error().message);
  std::cout << *page;
  return ExitCode::ok;
}

struct ExplainOptions {
  std::string id;
  std::string cases_folder;
};

}  // namespace

Action declare_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  app.description("Tells what is known about one requirement or one case.");
  app.footer(
      "Of a requirement: what is required, by which clause, why it matters, where it was seen\n"
      "violated, which cases test it. Of a case: what is sent, what may come back, how to repeat "
      "it.\n\n"
      "  jrpcheck explain id-echo              a requirement\n"
      "  jrpcheck explain batch/empty          a case\n\n"
      "jrpcheck list requirements and jrpcheck list cases have the ids.");
  app.add_option("ID", options->id, "of a requirement or a case");
  declare_cases(app, options->cases_folder);
  return [options](const CommandLine&) { return explain(options->id, options->cases_folder); };
}

}  // namespace jrpcheck::cli
