// Case files read and checked.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"

namespace jrpcheck::corpus {

/// Reads all cases of a case file. `name` is the file's name for errors, which also tell the line,
/// the case and the member that is wrong. Unknown members are errors: a misspelt one would
/// otherwise silently test nothing.
Result<std::vector<Case>> load_cases(const std::string& name, std::string_view text);

/// What is right in a file, and all that is not.
struct SoundCases {
  std::vector<Case> cases;
  std::vector<Error> errors;  ///< in the order of the file, one a case
};
SoundCases load_sound_cases(const std::string& name, std::string_view text);

/// Whether it reads group/name in lower case, digits and hyphens, as the ids of cases do.
bool is_case_id(std::string_view id);

/// Reads one case from the text of its object.
Result<Case> load_case(const std::string& name, std::string_view text);

}  // namespace jrpcheck::corpus
