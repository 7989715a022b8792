// The version of this program.
#pragma once

#include <string>

namespace jrpcheck::cli {

inline std::string version() { return JRPCHECK_VERSION; }

}  // namespace jrpcheck::cli
