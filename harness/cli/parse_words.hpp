// What all commands have in common: their words, and the corpus they are about.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/say.hpp"
#include "corpus/corpus.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

enum class Parsed { options, help };

/// Reads the words into what `app` declares. The error says which word is wrong.
Result<Parsed> parse_words(CLI::App& app, std::vector<std::string> words);

/// What an option checks that takes a whole number of this range: empty, or what is wrong with the
/// word.
std::function<std::string(const std::string& word)> whole_number(std::uint64_t least,
                                                                 std::uint64_t most);

/// Declares --cases.
void declare_cases(CLI::App& app, std::string& folder);

/// The files of that folder, if one is named, and behind them those that are built in.
Result<std::vector<corpus::CorpusFile>> files_before_built_in(const std::string& folder);

/// The built-in corpus with that folder's files, if one is named.
Result<corpus::Corpus> load_corpus(const std::string& folder);

}  // namespace jrpcheck::cli
