// Programs started by jrpcheck: their streams, their standard error and their end.
#pragma once

#include <sys/types.h>

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"
#include "transport/descriptor.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::transport {

/// A running program with an argument vector (never a shell string) in a process group of its own.
/// Standard error is drained all the time, so that a flood on it never stalls the program, and its
/// tail is kept. The destructor ends it with everything below it, and leaves no zombie.
class ChildProcess {
 public:
  enum class Output {
    piped,  ///< standard input and output are the ByteStream
    noted,  ///< nothing comes on standard input, which stays open, for some programs leave at its
            ///< end; standard output is kept with standard error
    shown,  ///< as `piped`, and standard error is that of this process
  };

  /// An Error when the program does not exist or cannot be executed.
  static Result<std::unique_ptr<ChildProcess>> start(const std::vector<std::string>& command,
                                                     Output output, Guardian& guardian);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  /// Standard input and output; not with Output::noted.
  ByteStream& stream() { return *stream_; }

  /// The process group in which it runs, with whatever it has started.
  pid_t group() const { return process_; }

  /// How it ended, or nothing while it runs. Returns at once.
  std::optional<ExitStatus> exit_status();
  /// The same after waiting for the end, at most until the deadline.
  std::optional<ExitStatus> await_exit(Deadline deadline);

  /// The last bytes (at most 8 KiB) written to standard error. Once the process has ended this
  /// holds everything up to its end.
  std::string standard_error_tail();

  /// Ends it: end of input first, then SIGTERM, then SIGKILL, each with `grace` to comply.
  void end(microseconds grace);

 private:
  ChildProcess(pid_t process, Guardian& guardian);
  void note_end(Deadline deadline);
  void drain();
  void keep(std::string_view output);

  pid_t process_;
  Guardian& guardian_;
  Descriptor process_handle_;  // readable once the process has ended (pidfd_open(2))
  std::unique_ptr<ByteStream> stream_;
  Descriptor silent_input_;  // held open for a program that is noted
  Descriptor standard_error_;
  Descriptor stop_reading_;
  Descriptor stop_writing_;
  std::mutex mutex_;  // guards exit_status_ and tail_
  std::optional<ExitStatus> exit_status_;
  std::string tail_;
  std::thread drainer_;
};

}  // namespace jrpcheck::transport
