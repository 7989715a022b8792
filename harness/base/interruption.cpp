#include "base/interruption.hpp"

#include <cstring>

namespace jrpcheck {

std::string interruption_text() {
  if (!is_signalled()) return "stopped by --max-time";
  const char* name = ::sigabbrev_np(interrupting_signal);
  return "interrupted by " + (name == nullptr ? "a signal" : "SIG" + std::string(name));
}

}  // namespace jrpcheck
