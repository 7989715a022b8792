// ByteStream: the one door through which bytes leave and come in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/deadline.hpp"

namespace jrpcheck::transport {

/// What one `transfer` did. What the peer does is data, so there is no error but these flags.
struct Transfer {
  std::size_t written = 0;  ///< bytes of `out` that left
  bool received = false;    ///< something was appended to `in`
  bool ended = false;       ///< the peer will send nothing more
  bool reset = false;       ///< it ended by a reset, as of RFC 9293 §3.5.2, and not by a close
  bool broken = false;      ///< the peer takes nothing more
  bool timed_out = false;   ///< nothing happened until the deadline
};

/// What poll(2) is asked by whoever waits for several streams at once. -1: nothing.
struct Polled {
  int reading = -1;
  int writing = -1;
  bool has_input = false;   ///< something can be taken without waiting
  bool has_output = false;  ///< something of its own is to be written
};

/// A two-way stream of bytes: a process's standard input and output, a TCP connection.
class ByteStream {
 public:
  virtual ~ByteStream() = default;

  /// Writes as much of `out` as the stream takes now and appends what has arrived to `in`. Returns
  /// as soon as anything happened, else at the deadline. Both directions are served by one call,
  /// because to write first and read afterwards deadlocks as soon as both pipes are full.
  virtual Transfer transfer(std::string_view out, std::string& in, Deadline deadline) = 0;

  /// Closes the sending direction: the peer sees end of input and can still answer.
  virtual void close_write() = 0;

  /// Gives the stream up at once, whatever is still under way: over TCP by a reset (RFC 9293
  /// §3.5.2). A pipe knows no other end than that of its owner.
  virtual void reset() {}

  virtual Polled polled() { return {}; }
};

/// Makes a write to a closed pipe an ordinary error instead of the death of this process. To be
/// called once at the start of a program that uses streams.
void ignore_broken_pipes();

/// Returns at the deadline. Only for trying again what nobody announces, such as a port that
/// another program is to open.
void wait_until(Deadline deadline);

}  // namespace jrpcheck::transport
