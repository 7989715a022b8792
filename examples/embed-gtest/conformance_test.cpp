// One line gives a test for each case of the corpus; the line that names the handler is the only
// one that a project of your own has to change.
#include <jrpcheck/gtest.hpp>

#include "calculator.hpp"

JRPCHECK_INSTANTIATE(&calculator::handle)
