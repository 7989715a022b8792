// What is said between a program and its guardian.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstddef>

namespace jrpcheck::transport {

/// Behind it comes `bytes` of text: each argument and each variable of the environment ends in NUL.
/// With `launch` come the three standard descriptors of the new process; with `make_folder` a
/// path that ends in XXXXXX.
struct GuardianOrder {
  enum class Kind { launch, status, kill, release, make_folder };
  Kind kind = Kind::launch;
  pid_t process = 0;
  std::size_t arguments = 0;
  std::size_t bytes = 0;
};

struct GuardianAnswer {
  static constexpr std::size_t kMostNamed = 8;

  pid_t process = 0;
  bool has_forked = false;
  int error = 0;  ///< errno of fork, exec or mkdtemp
  bool has_ended = false;
  bool by_signal = false;
  int value = 0;                      ///< exit code, or number of the signal
  std::array<char, 6> end_of_path{};  ///< of the folder, in place of the XXXXXX
  /// What was killed and is still there.
  std::size_t left = 0;
  std::array<pid_t, kMostNamed> left_processes{};
};

inline constexpr std::size_t kStandardDescriptors = 3;

/// What the guardian does until the socket closes; then it ends what it has started.
[[noreturn]] void guard(int orders);

}  // namespace jrpcheck::transport
