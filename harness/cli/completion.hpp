// What a shell offers for the word that is being typed.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace jrpcheck::cli {

/// What may stand for one word. Files are found by the shell, which knows how it quotes them.
struct Completion {
  std::string kinds;  ///< of f (files), d (folders) and p (programs)
  std::string start;  ///< the beginning of the word that is no part of the file's name
  std::vector<std::pair<std::string, std::string>> words;  ///< whole words, and what each means
};

/// Of the last of the words behind `jrpcheck`, which may be empty. What may stand there follows
/// from the value that the option or operand takes. That is one or several of these, with bars
/// between them:
///
/// - FILE, DIR or PROGRAM;
/// - ID or PATTERN, for the ids of cases and requirements;
/// - PROFILE or FORMAT=PATH, for what is built in;
/// - in small letters, itself: `auto|always|never`;
/// - any other name, for what nobody can guess.
Completion complete(const std::vector<std::string>& words);

/// As the scripts of the shells read it: kinds, start, then a line for each word, with a tab before
/// what it means.
std::string to_text(const Completion& completion);

}  // namespace jrpcheck::cli
