// Completions for shells, made from what the commands declare.
#pragma once

#include <string>
#include <vector>

#include "cli/value_form.hpp"

namespace jrpcheck::cli {

struct CompletedOption {
  std::vector<std::string> names;
  std::string about;       ///< a few words
  std::string value_name;  ///< empty for a flag
  ValueForm value;
  bool is_many = false;
};

struct CompletedCommand {
  std::string name;
  std::string summary;
  std::vector<CompletedOption> options;
  ValueForm operands;  ///< of all of them
  bool takes_program = false;
};

/// What there is to complete.
std::vector<CompletedCommand> completed_commands();

std::string render_bash_completion(const std::vector<CompletedCommand>& commands);
std::string render_zsh_completion(const std::vector<CompletedCommand>& commands);
std::string render_fish_completion(const std::vector<CompletedCommand>& commands);

/// How the scripts are told about a value: a letter for each kind (f files, d folders, p programs,
/// i ids, - none of them), then the words; those that end in = are followed by a file.
std::string words_for_script(const ValueForm& value);

}  // namespace jrpcheck::cli
