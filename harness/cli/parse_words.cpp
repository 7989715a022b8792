#include "cli/parse_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "cli/command_form.hpp"
#include "cli/suggestions.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::cli {
namespace {

// Names no word in full: what stands behind a misspelt --header may be a secret.
std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option != words.end()) {
    const std::string name = option->substr(0, option->find('='));
    return "there is no option '" + name + "'" + closest_option(app, name);
  }
  const bool takes_program = form_of(app).takes_program;
  for (const auto* operand : app.get_options()) {
    if (!operand->get_positional()) continue;
    return "there is more than one " + operand->get_name(true) +
           (takes_program ? "; a program stands behind --, such as jrpcheck " + form_of(app).name +
                                " -- node server.js"
                          : "");
  }
  return app.get_name() + " takes options only";
}

}  // namespace

Result<Parsed> parse_words(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  const std::string hint = "; see " + app.get_name() + " --help";
  try {
    app.parse(words);
    return Parsed::options;
  } catch (const CLI::CallForHelp&) {
    return Parsed::help;
  } catch (const CLI::ExtrasError&) {
    return Error{unexpected(app) + hint};
  } catch (const CLI::ParseError& error) {
    return Error{error.what() + hint};
  }
}

void declare_cases(CLI::App& app, std::string& folder) {
  app.add_option(
         "--cases", folder,
         "folder of case files that are added to the built-in corpus, or replace its files, "
         "and of vectors (*.io), or one file of those")
      ->type_name("DIR|FILE");
}

Result<corpus::Corpus> load_corpus(const std::string& folder) {
  std::vector<corpus::CorpusFile> added;
  if (!folder.empty()) {
    auto files = corpus::read_folder(folder);
    if (!files) return files.error();
    added = *std::move(files);
  }
  return corpus::assemble(corpus::embedded_files(), added);
}

Result<corpus::Corpus> default_corpus() {
  auto corpus = load_corpus({});
  if (!corpus) return corpus;
  return corpus::with_profile(*std::move(corpus), corpus::kDefaultProfile);
}

}  // namespace jrpcheck::cli
