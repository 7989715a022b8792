// Where a stream conversation gets its stream from: a program on stdio.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "transport/byte_stream.hpp"
#include "transport/guardian.hpp"

namespace jrpcheck::session {

/// Opens streams to one server, one at a time.
class StreamSource {
 public:
  virtual ~StreamSource() = default;

  /// A new stream; the one before, and the program behind it, is ended.
  virtual Result<transport::ByteStream*> open() = 0;

  /// A new stream while the one before stays open, until `end_former` or the next `open`.
  virtual Result<transport::ByteStream*> open_beside() = 0;
  virtual void end_former() = 0;
  /// How the program behind the former stream ended, as `ended` says it, and its last words.
  virtual std::optional<std::string> former_ended(Deadline deadline) = 0;
  virtual std::string former_standard_error_tail() = 0;

  /// How the program behind the stream ended ("exited with code 1"), waiting for it at most until
  /// the deadline; nothing when it runs, or when there is none.
  virtual std::optional<std::string> ended(Deadline deadline) = 0;

  /// The end of what the program wrote to standard error.
  virtual std::string standard_error_tail() = 0;

  /// The process group of the program behind the stream.
  virtual std::optional<pid_t> process_group() const { return std::nullopt; }

  /// How many streams have been opened.
  virtual unsigned long long generation() const = 0;
};

/// Starts `command` anew for each stream.
std::unique_ptr<StreamSource> make_process_source(std::vector<std::string> command,
                                                  transport::Guardian& guardian);

}  // namespace jrpcheck::session
