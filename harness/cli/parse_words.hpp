// What the commands that read no server have in common: their words, and the corpus they are about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "cli/exit_code.hpp"
#include "corpus/corpus.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's own name
class App;
}

namespace jrpcheck::cli {

/// Reads the words into what `app` declares. Where the command is over with that (--help, a wrong
/// option), the exit code; what there is to say has been printed.
std::optional<ExitCode> parse_words(CLI::App& app, std::vector<std::string> words);

/// Declares --cases.
void declare_cases(CLI::App& app, std::string& folder);

/// The built-in corpus with that folder's files, if one is named.
Result<corpus::Corpus> load_corpus(const std::string& folder);

/// Prints the message to standard error.
ExitCode complain(ExitCode code, const std::string& message);

}  // namespace jrpcheck::cli
