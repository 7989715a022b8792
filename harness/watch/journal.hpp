// Journal: what passes, on its way from the process that carries it to the one that judges it. The
// traffic does not depend on the reader: where that is slow or gone, something is left out and
// said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "dialogue/traffic.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::watch {

struct JournalEntry {
  enum class Kind : std::uint8_t { bytes, closed, lost };

  Kind kind = Kind::bytes;
  dialogue::Side side = dialogue::Side::client;
  std::uint32_t connection = 1;
  microseconds at{0};
  std::string bytes = {};  ///< of `closed` how it came
};

/// Safe to use from several threads.
class JournalWriter {
 public:
  explicit JournalWriter(transport::Descriptor pipe);
  ~JournalWriter();

  /// Takes the entry before what it tells of is passed on. Waits while the reader is behind, but
  /// not long: then what does not fit is left out, and the reader is told so as soon as it goes on.
  void write(JournalEntry::Kind kind, dialogue::Side side, std::uint32_t connection,
             std::string_view bytes);

 private:
  bool flush();

  std::mutex mutex_;  // guards what follows
  transport::Descriptor pipe_;
  Clock::time_point begin_ = Clock::now();
  std::string pending_;     // the end of what the pipe had no room for; never half of an entry
  bool is_behind_ = false;  // the reader: it is no longer waited for
  bool has_lost_ = false;
  bool is_broken_ = false;
};

class JournalReader {
 public:
  explicit JournalReader(transport::Descriptor pipe) : pipe_(std::move(pipe)) {}

  /// The next entry; nothing where the writer has ended.
  std::optional<JournalEntry> next();

 private:
  bool read_whole(char* into, std::size_t size);

  transport::Descriptor pipe_;
  std::string buffer_;
  std::size_t taken_ = 0;
};

}  // namespace jrpcheck::watch
