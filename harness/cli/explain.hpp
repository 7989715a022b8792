// All that is known about one requirement or one case, as a page for people.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "cli/explain_client.hpp"
#include "cli/text_layout.hpp"
#include "corpus/corpus.hpp"
#include "selftest/mutant_list.hpp"

namespace jrpcheck::cli {

/// `mutants` may be empty: then no fault of the reference server and client is named. `cases` is
/// the option that the lines to type need, "--cases DIR ", where files of the user's are in the
/// corpus.
std::string explain_requirement(const corpus::Requirement& requirement,
                                const corpus::Corpus& corpus,
                                const std::vector<DialogueOfProfile>& dialogues,
                                const std::vector<selftest::Mutant>& mutants,
                                const std::string& cases = {});

/// What a case, a scenario or a dialogue tests.
void add_requirements(const std::vector<std::string>& ids, const corpus::Ledger& ledger,
                      TextLayout& page);

Result<std::string> explain_case(const corpus::Case& one, const corpus::Corpus& corpus,
                                 const std::vector<selftest::Mutant>& mutants,
                                 const std::string& cases = {});

/// "--profile NAME " where a run must be told it, because the profile that it takes by itself
/// leaves that class of requirements out; else nothing.
std::string profile_option(const corpus::Corpus& corpus, std::string_view class_name);

/// The ids that a person who typed `wrong` may have meant, the closest first.
std::vector<std::string> closest_ids(const std::string& wrong, const corpus::Corpus& corpus,
                                     const std::vector<DialogueOfProfile>& dialogues = {});

}  // namespace jrpcheck::cli
