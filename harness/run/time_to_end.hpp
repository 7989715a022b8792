// How long the program takes to end once it is to.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::run {

/// The rules name no time in which a program has to end once its input has ended, or it was told to
/// ("within a reasonable time", MCP basic/lifecycle § Shutdown; LSP § Exit): one that does while it
/// is waited for, which is for as long as `allowed`, is right. Clients wait for less, and kill it
/// then. A note where the longest end of all that these cases met takes longer than that; else
/// empty.
std::string note_of_slow_end(const corpus::Corpus& corpus,
                             const std::vector<result::CaseResult>& cases, microseconds allowed);

}  // namespace jrpcheck::run
