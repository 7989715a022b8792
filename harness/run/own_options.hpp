// What the user's opening tells the server about itself, said in all calls that open.
#pragma once

#include "corpus/case.hpp"
#include "run/options.hpp"

namespace jrpcheck::run {

/// Gives the options that the messages of the opening have for the server to each call that opens
/// in what a step sends, where that has none: there are servers that do not open without theirs.
void give_own_options(const Options& options, corpus::Step& step);

}  // namespace jrpcheck::run
