// What the user's Ctrl-C means to a command that has something to tell when it ends.
#pragma once

namespace jrpcheck::cli {

/// While it lives, the first SIGINT or SIGTERM is only noted. The second ends the program, for who
/// will not wait. There can be one at a time: signal handlers take no context.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  /// Whether such a signal has come.
  static bool wanted();
};

}  // namespace jrpcheck::cli
