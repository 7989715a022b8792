#include <CLI/CLI.hpp>
#include <iostream>

#include "base/bytes.hpp"
#include "base/join.hpp"
#include "cli/commands.hpp"
#include "cli/explain.hpp"
#include "cli/parse_words.hpp"
#include "cli/text_layout.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::cli {
namespace {

using Dialogues = std::vector<DialogueOfProfile>;

std::string unknown(const std::string& id, const corpus::Corpus& corpus,
                    const Dialogues& dialogues) {
  const std::string message = "no requirement, case or scenario has the id '" + id + "'";
  const auto closest = closest_ids(id, corpus, dialogues);
  if (closest.empty())
    return message + "; jrpcheck list requirements, list cases and list scenarios have the ids";
  return message + "; did you mean " + joined(closest) + "?";
}

// Without the reference server beside this program its faults are left out.
std::vector<selftest::Mutant> mutants_if_there() {
  auto mutants = selftest::read_mutants(selftest::reference_program_beside_this_one());
  return mutants ? *std::move(mutants) : std::vector<selftest::Mutant>();
}

// What stands beside the cases of a report is no case: nothing of it can be selected.
std::string explain_side_dialogue(const run::SideDialogueName& name, const std::string& cases) {
  TextLayout page{std::string(name.id)};
  page.gap();
  page.paragraph(std::string(name.title));
  page.gap();
  page.entry("Is",
             "no case, but what passed outside of them: jrpcheck judges that too, and tells it "
             "under this id.");
  page.entry("Tests", "what holds for every message of a server, and that it goes on serving.");
  page.verbatim("Try", "jrpcheck run " + cases + "--verbose -- your-server");
  return page.text();
}

Result<std::string> page_of(const std::string& id, const corpus::Corpus& corpus,
                            const Dialogues& dialogues,
                            const std::vector<selftest::Mutant>& mutants,
                            const std::string& cases) {
  if (const auto* requirement = corpus.ledger.find(id)) {
    return explain_requirement(*requirement, corpus, dialogues, mutants, cases);
  }
  if (const auto* one = corpus.find(id)) return explain_case(*one, corpus, mutants, cases);
  for (const auto& each : corpus.scenarios) {
    if (each.id == id) return explain_scenario(each, corpus, mutants, cases);
  }
  for (const auto& each : dialogues) {
    if (each.dialogue.id == id) return explain_dialogue(each, corpus, mutants, cases);
  }
  for (const auto& each : run::kSideDialogues) {
    if (each.id == id) return explain_side_dialogue(each, cases);
  }
  return Error{unknown(id, corpus, dialogues)};
}

ExitCode explain(const std::vector<std::string>& ids, const std::string& folder) {
  if (ids.empty()) {
    return complain(ExitCode::usage,
                    "what is to be explained? jrpcheck explain takes the id of a "
                    "requirement or of a case, such as id-echo or batch/empty");
  }
  const auto corpus = load_corpus(folder);
  if (!corpus) return complain(ExitCode::usage, corpus.error().message);
  const auto dialogues = all_dialogues(folder);
  if (!dialogues) return complain(ExitCode::usage, dialogues.error().message);
  const auto mutants = mutants_if_there();
  const std::string cases = folder.empty() ? "" : "--cases " + shell_quote(folder) + " ";
  std::string pages;
  for (const auto& id : ids) {
    const auto page = page_of(id, *corpus, *dialogues, mutants, cases);
    if (!page) return complain(ExitCode::usage, page.error().message);
    pages += (pages.empty() ? "" : "\n") + *page;
  }
  std::cout << without_log_commands(to_visible_lines(pages));
  return ExitCode::ok;
}

struct ExplainOptions {
  std::vector<std::string> ids;
  std::string cases_folder;
};

}  // namespace

Action declare_explain(CLI::App& app) {
  auto options = std::make_shared<ExplainOptions>();
  app.description("Tells what is known about requirements, cases and scenarios of clients.");
  app.footer(
      "Of a requirement: what is required, by which clause, why it matters, where it was seen\n"
      "violated, which cases or scenarios of clients test it. Of those: what is sent, what may "
      "come\n"
      "back, how to repeat it.\n\n"
      "  jrpcheck explain id-echo              a requirement\n"
      "  jrpcheck explain batch/empty          a case\n"
      "  jrpcheck explain client/id-foreign    a scenario of clients\n\n"
      "jrpcheck list requirements, list cases and list scenarios have the ids.");
  app.add_option("ID", options->ids, "of requirements, cases and scenarios");
  declare_cases(app, options->cases_folder);
  return [options](const CommandLine&) { return explain(options->ids, options->cases_folder); };
}

}  // namespace jrpcheck::cli
