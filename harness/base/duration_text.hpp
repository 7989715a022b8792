// Durations for people.
#pragma once

#include <string>

#include "base/deadline.hpp"

namespace jrpcheck {

/// "5 s", "0.25 s", "3 ms": for people.
std::string duration_text(microseconds duration);

}  // namespace jrpcheck
