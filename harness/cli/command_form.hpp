// What a command takes, as data: --help, the manual page and the completions are made from it.
#pragma once

#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

/// An option, or a word that stands for itself.
struct OptionForm {
  std::vector<std::string> names;  ///< "-h", "--help"; of an operand the one it is called by
  std::string value;               ///< what it takes (see completion.hpp); empty for a flag
  std::string about;     ///< with what holds where it is not given, if that is worth telling
  bool is_many = false;  ///< may be given several times
};

struct CommandForm {
  std::string name;                   ///< "run"
  std::vector<std::string> synopses;  ///< one at least
  std::string about;
  std::string notes;  ///< paragraphs; what must stay on its line begins with a space
  std::vector<OptionForm> operands;
  std::vector<OptionForm> options;
  bool takes_program = false;  ///< `-- COMMAND` may follow
};

/// What is declared is what there is: the declaration of an option, with its name, what it takes
/// and a sentence, is the one line to touch. A line of the description that begins with the name of
/// the command is a synopsis.
CommandForm form_of(const CLI::App& app);

}  // namespace jrpcheck::cli
