// The faults that the judge does not catch yet, and the variants that it does not tolerate yet.
#pragma once

#include <string>

namespace jrpcheck::selftest {

/// Whether the kill matrix leaves this one out, unless it is asked for by name.
bool is_not_caught_yet(const std::string& mutant);

}  // namespace jrpcheck::selftest
