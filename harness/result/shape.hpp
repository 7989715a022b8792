// The shape of a finding: what is wrong, without the bytes that differ from run to run.
#pragma once

#include <string>

#include "judge/judgement.hpp"

namespace jrpcheck::result {

/// What was wrong, in the words of the finding without its numbers, and which error codes came back
/// with it: "The error has the wrong code (error -32603)". Two findings of one shape are the same
/// failure; ids, texts, times and numbers of bytes have no part in it.
std::string shape_of(const judge::Finding& finding);

}  // namespace jrpcheck::result
