#include "cli/parse_words.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "cli/command_form.hpp"
#include "cli/suggestions.hpp"
#include "corpus/profile.hpp"

namespace jrpcheck::cli {
namespace {

// Names no word in full: what stands behind a misspelt --header may be a secret.
std::string unexpected(const CLI::App& app) {
  const auto words = app.remaining();
  const auto option = std::ranges::find_if(
      words, [](const std::string& word) { return word.size() > 1 && word.front() == '-'; });
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

constexpr std::string_view kNumbers[] = {"N", "I", "MIB"};

bool takes_seconds(const CLI::Option& option) { return option.get_type_name() == "SECONDS"; }

std::string no_number(const std::string& name, bool takes_seconds, const std::string& word) {
  return name +
         (takes_seconds ? " takes a number of seconds, such as 2 or 0.5"
                        : " takes a whole number") +
         ", not '" + word + "'";
}

// "Could not convert: --timeout = abc", in words that name what is right.
std::string not_converted(const CLI::App& app, const std::string& what) {
  constexpr std::string_view kBefore = "Could not convert: ";
  const auto equals = what.find(" = ");
  if (!what.starts_with(kBefore) || equals == std::string::npos) return what;
  const std::string name = what.substr(kBefore.size(), equals - kBefore.size());
  const std::string word = what.substr(equals + 3);
  const auto* option = app.get_option_no_throw(name);
  if (option != nullptr && option->get_items_expected_max() == 0) return name + " takes no value";
  return no_number(name, option != nullptr && takes_seconds(*option), word);
}

// CLI11 reads 0x10 as 16 and 010 as 8, where people mean 10, or have mistyped.
bool is_read_in_another_base(std::string_view word) {
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  return word.size() > 1 && word[0] == '0' && (is_digit(word[1]) || is_letter(word[1]));
}

// The problem; empty where there is none.
std::string not_decimal(const CLI::App& app) {
  for (const auto* option : app.get_options()) {
    const bool takes_number = contains(kNumbers, option->get_type_name());
    if (!takes_number && !takes_seconds(*option)) continue;
    for (const auto& word : option->results()) {
      if (!is_read_in_another_base(word)) continue;
      return no_number(option->get_name(), takes_seconds(*option), word);
    }
  }
  return {};
}

std::string without_value(const std::string& name, const std::string& value) {
  return name + " takes a value, and none stands behind it; write " + name + " " + value;
}

// "--timeout: 1 required SECONDS missing", "--seed: At Most 1 required but received 2".
std::string wrong_count(const CLI::App& app, const std::string& what) {
  const std::string name = what.substr(0, what.find(':'));
  const auto options = form_of(app).options;
  const auto found = std::ranges::find_if(
      options, [&](const OptionForm& each) { return contains(each.names, name); });
  if (found == options.end()) return what;
  if (what.ends_with(" missing")) return without_value(name, found->value);
  return name + " is there more than once; leave it there once";
}

// "FINDING is required".
std::string without_operand(const CLI::App& app, const std::string& what) {
  return "there is no " + what.substr(0, what.find(' ')) + "; write " +
         form_of(app).synopses.front();
}

bool is_given_nothing(const std::string& name, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool is_followed_by_nothing = i + 1 < words.size() && words[i + 1].empty();
    if (words[i] == name + "=" || (words[i] == name && is_followed_by_nothing)) return true;
  }
  return false;
}

// A value is empty where a variable of a shell is not set. Without its option the run would be
// another than was asked for: other certificates believed, no baseline, another server.
// The problem; empty where there is none.
std::string empty_value(const CLI::App& app, const std::vector<std::string>& words) {
  for (const auto& option : form_of(app).options) {
    if (option.value.empty()) continue;
    for (const auto& name : option.names) {
      if (is_given_nothing(name, words)) return without_value(name, option.value);
    }
  }
  return {};
}

}  // namespace

Result<Parsed> parse_words(CLI::App& app, std::vector<std::string> words) {
  const std::string hint = "; see " + app.get_name() + " --help";
  if (auto problem = empty_value(app, words); !problem.empty()) return Error{problem + hint};
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(words);
    if (auto problem = not_decimal(app); !problem.empty()) return Error{problem + hint};
    return Parsed::options;
  } catch (const CLI::CallForHelp&) {
    return Parsed::help;
  } catch (const CLI::ExtrasError&) {
    return Error{unexpected(app) + hint};
  } catch (const CLI::ConversionError& error) {
    return Error{not_converted(app, error.what()) + hint};
  } catch (const CLI::ArgumentMismatch& error) {
    return Error{wrong_count(app, error.what()) + hint};
  } catch (const CLI::RequiredError& error) {
    return Error{without_operand(app, error.what()) + hint};
  } catch (const CLI::ParseError& error) {
    return Error{error.what() + hint};
  }
}

std::function<std::string(const std::string& word)> whole_number(std::uint64_t least,
                                                                 std::uint64_t most) {
  return [least, most](const std::string& word) {
    std::uint64_t number = 0;
    const auto* end = word.data() + word.size();
    const auto read = std::from_chars(word.data(), end, number);
    const bool is_right =
        read.ec == std::errc() && read.ptr == end && number >= least && number <= most;
    return is_right ? std::string()
                    : "'" + word + "' is no whole number from " + std::to_string(least) + " to " +
                          std::to_string(most);
  };
}

void declare_cases(CLI::App& app, std::string& folder) {
  app.add_option(
         "--cases", folder,
         "folder of case files (*.json) that are added to the built-in corpus, or replace its "
         "files, and of vectors (*.io), or one such file")
      ->type_name("DIR|FILE");
}

Result<std::vector<corpus::CorpusFile>> files_before_built_in(const std::string& folder) {
  std::vector<corpus::CorpusFile> files = corpus::embedded_files();
  if (folder.empty()) return files;
  auto added = corpus::read_folder(folder);
  if (!added) return added.error();
  files.insert(files.begin(), added->begin(), added->end());
  return files;
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

}  // namespace jrpcheck::cli
