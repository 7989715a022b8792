// Sees to it that no program this process started outlives it.
#pragma once

#include <sys/types.h>

#include <memory>

#include "base/result.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::transport {

/// A small process of its own that holds the reading end of a pipe. When this process ends, however
/// it ends (SIGKILL included), the pipe closes and the guardian kills the process groups that are
/// still under watch. PR_SET_PDEATHSIG will not do: it fires when the *thread* that forked ends.
class Guardian {
 public:
  /// Must be called before any thread is started, because it forks without exec.
  static Result<std::unique_ptr<Guardian>> start();
  ~Guardian();
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;

  /// Only writes to a pipe, so that it can be called between fork and exec as well.
  void watch(pid_t process_group);
  void release(pid_t process_group);

 private:
  Guardian(pid_t process, Descriptor orders) : process_(process), orders_(std::move(orders)) {}

  pid_t process_;
  Descriptor orders_;
};

}  // namespace jrpcheck::transport
