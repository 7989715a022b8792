// The program that a client on stdio starts in place of its server: it leads back to jrpcheck.
#pragma once

#include <string>
#include <vector>

#include "cli/exit_code.hpp"

namespace jrpcheck::cli {

inline constexpr std::string_view kRelayCommand = "__relay";

/// The words that start it, to which the path of a socket is to be added.
std::vector<std::string> stdio_relay();

/// Carries standard input to that socket, and what comes from there to standard output, until there
/// is no more of it. How it was ended stands in a file beside the socket (client/relay_words.hpp).
ExitCode relay_stdio(const std::string& socket, bool writes_errors);

}  // namespace jrpcheck::cli
