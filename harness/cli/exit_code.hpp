// Exit codes: scripts rely on them.
#pragma once

namespace jrpcheck::cli {

enum class ExitCode {
  ok = 0,             ///< nothing fails
  failed = 1,         ///< at least one case fails (with --strict: or warns)
  usage = 2,          ///< usage or corpus error, also a selector that matches nothing
  unreachable = 3,    ///< the target could not be started or reached
  internal = 4,       ///< an error of jrpcheck's own, such as a report that cannot be written
  interrupted = 128,  ///< and the number of the signal
};

}  // namespace jrpcheck::cli
