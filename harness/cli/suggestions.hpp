// What somebody may have meant who typed what there is not.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

/// Levenshtein's: insertions, deletions and replacements of one character.
std::size_t edit_distance(const std::string& a, const std::string& b);

/// "; did you mean 'run'?" where one of the names is close to the word; else nothing.
std::string closest_name(const std::string& word, const std::vector<std::string>& names);

/// "; did you mean '--timeout'?", of the options of a command.
std::string closest_option(const CLI::App& app, const std::string& option);

/// For a word in the place of a command: a target that lacks `run` before it, a program that lacks
/// `run --`, or the name of a command that is spelt otherwise.
std::string instead_of_command(const std::string& word, const std::vector<std::string>& commands);

/// "; did you mean http://localhost:8545/ ?" for a host and a port, or one of them; of a
/// port that is too large what ports are; else nothing.
std::string instead_of_target(const std::string& word);

}  // namespace jrpcheck::cli
