#include "cli/parse_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "cli/command_form.hpp"
#include "cli/help_text.hpp"

namespace jrpcheck::cli {
namespace {

std::string what_it_takes(const CLI::App& app) {
  std::vector<std::string> names;
  for (const auto* option : app.get_options()) names.push_back(option->get_name());
  return fmt::format("{} takes {}", app.get_name(), fmt::join(names, ", "));
}

std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining();
  const auto option = std::find_if(words.begin(), words.end(), [](const std::string& word) {
    return word.size() > 1 && word.front() == '-';
  });
  if (option == words.end()) return "'" + words.front() + "' is one word too many";
  return "there is no option '" + *option + "'";
}

}  // namespace

std::optional<ExitCode> parse_words(CLI::App& app, std::vector<std::string> words) {
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(words);
    return std::nullopt;
  } catch (const CLI::CallForHelp&) {
    std::cout << render_help(form_of(app));
    return ExitCode::ok;
  } catch (const CLI::ExtrasError&) {
    return complain(ExitCode::usage, unexpected(app) + "; " + what_it_takes(app));
  } catch (const CLI::ParseError& error) {
    return complain(ExitCode::usage, std::string(error.what()) + "; " + what_it_takes(app));
  }
}

void declare_cases(CLI::App& app, std::string& folder) {
  app.add_option("--cases", folder,
                 "folder of case files that are added to the built-in corpus, or replace its files")
      ->type_name("DIR");
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

ExitCode complain(ExitCode code, const std::string& message) {
  std::cerr << "jrpcheck: " << message << "\n";
  return code;
}

}  // namespace jrpcheck::cli
