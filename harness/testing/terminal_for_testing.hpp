// Programs run on a terminal of their own, as a person runs them.
#pragma once

#include <string>
#include <vector>

namespace jrpcheck::testing {

struct TerminalResult {
  int exit_code = -1;
  std::string shown;  ///< all that was written to the terminal, with what controls it
};

/// Runs it on a terminal of 80 columns until it ends, or until this text has been shown: then it is
/// interrupted as by Ctrl-C.
TerminalResult run_on_terminal(const std::vector<std::string>& words,
                               const std::string& until = {});

/// What a person sees in the end: without what was written over, and without colours.
std::vector<std::string> lines_left(const std::string& shown);

}  // namespace jrpcheck::testing
