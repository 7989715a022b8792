// What an option or an operand takes, told by the word that stands for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::cli {

/// The pieces between the bars of the word, each of which is
///
/// - FILE, DIR or PROGRAM, for what the shell knows;
/// - ID or PATTERN, for the ids of cases and requirements;
/// - PROFILE or FORMAT=PATH, for what is built in;
/// - in small letters, itself: `auto|always|never`;
/// - any other name, for what nobody can guess.
struct ValueForm {
  std::vector<std::string> words;
  std::vector<std::string> formats;  ///< each is followed by = and a file
  bool files = false;
  bool folders = false;
  bool programs = false;
  bool ids = false;

  bool is_guessable() const {
    return !words.empty() || !formats.empty() || files || folders || programs || ids;
  }
};

ValueForm value_form(std::string_view word);

}  // namespace jrpcheck::cli
