// Sees to it that no program this process started outlives it.
#pragma once

#include <sys/types.h>

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "transport/descriptor.hpp"
#include "transport/guardian_orders.hpp"

namespace jrpcheck::transport {

/// How a process ended.
struct ExitStatus {
  bool by_signal = false;
  int value = 0;  ///< exit code, or number of the signal

  /// "exited with code 1", "was killed by signal 11 (Segmentation fault)".
  std::string text() const;
};

/// A small process of its own, which starts the programs and is a subreaper (prctl(2)): whatever
/// they start stays below it, in whatever session or group. When this process ends, however it ends
/// (SIGKILL included), their socket closes and the guardian ends everything below it. This process
/// is a subreaper as well: should the guardian be killed, what it leaves is ended from here. Safe
/// to use from several threads.
class Guardian {
 public:
  /// Must be called before any thread is started, because it forks without exec.
  static Result<std::unique_ptr<Guardian>> start();
  /// Ends whatever it has started.
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// Starts a program in a process group of its own, with these as its standard descriptors. Throws
  /// where there are no more processes to be had.
  Result<pid_t> launch(const std::vector<std::string>& command,
                       const std::array<int, kStandardDescriptors>& standard);
  /// How it ended, or nothing while it runs. Its number stays taken until it is released.
  std::optional<ExitStatus> status_of(pid_t process);
  /// Kills it with all that is below it and in its group.
  void kill(pid_t process);
  /// Kills it and forgets it. With the last of them goes whatever has left the one that started it.
  void release(pid_t process);

  /// Makes a folder for this user alone, which goes with all that is in it when nothing that was
  /// started runs any more: also where this process is killed, at whatever moment. The path ends in
  /// XXXXXX; the value is the one that has taken its place. The error says why there is none.
  Result<std::string> make_folder(std::string path);

  /// The process below which all of it is.
  pid_t process() const { return process_; }

  /// Names what could not be ended; empty where nothing was left.
  std::string left_behind() const;

 private:
  Guardian(pid_t process, Descriptor orders, std::vector<pid_t> others)
      : process_(process), others_(std::move(others)), orders_(std::move(orders)) {}
  void kill_orphans();
  std::optional<GuardianAnswer> ask(GuardianOrder order, const std::string& text = {},
                                    const int* standard = nullptr);

  pid_t process_;
  std::vector<pid_t> others_;  // children of this process that are not below the guardian
  mutable std::mutex mutex_;   // guards what follows: one order at a time
  Descriptor orders_;
  std::vector<std::string> left_;
};

}  // namespace jrpcheck::transport
