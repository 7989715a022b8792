// Journal: what passes, on its way from the process that carries it to the one that judges it. The
// traffic does not depend on the reader: where that is slow or gone, something is left out and
// said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.hpp"
#include "dialogue/traffic.hpp"
#include "transport/descriptor.hpp"

namespace jrpcheck::watch {

struct JournalEntry {
  enum class Kind : std::uint8_t {
    bytes,
    closed,
    lost,  ///< something of this connection is missing, and none of its bytes follow
    over,  ///< nothing of this connection follows
  };

  Kind kind = Kind::bytes;
  dialogue::Side side = dialogue::Side::client;
  std::uint32_t connection = 1;
  microseconds at{0};
  std::string bytes = {};  ///< of `closed` how it came
};

/// In an entry `lost` in place of a connection: as many of them as `bytes` says in digits came and
/// went without any other entry.
inline constexpr std::uint32_t kUnseenConnections = 0;

/// Safe to use from several threads.
class JournalWriter {
 public:
  explicit JournalWriter(transport::Descriptor pipe);
  /// Says what was left out, and that this is the end. Nobody's traffic waits then.
  ~JournalWriter();

  /// Takes the entry before what it tells of is passed on. Waits while the reader is behind, but
  /// not long: then what does not fit is left out, and so is what its connections say from there
  /// on; the reader is told which these are as soon as it goes on. The last entry of a connection
  /// is `over`.
  void write(JournalEntry::Kind kind, dialogue::Side side, std::uint32_t connection,
             std::string_view bytes);

 private:
  // From the first entry of a connection to its last.
  struct Followed {
    bool is_known = false;  // to the reader
    bool has_lost = false;
    bool is_told = false;  // that it has
    bool is_over = false;
  };

  bool flush();
  void add(JournalEntry::Kind kind, dialogue::Side side, std::uint32_t connection,
           std::string_view part);
  void leave_out(JournalEntry::Kind kind, std::uint32_t connection);
  void tell_losses();

  std::mutex mutex_;  // guards what follows
  transport::Descriptor pipe_;
  Clock::time_point begin_ = Clock::now();
  milliseconds patience_;
  std::string pending_;     // what the pipe had no room for, up to the end of an entry
  bool is_behind_ = false;  // the reader: it is no longer waited for
  bool is_broken_ = false;
  std::map<std::uint32_t, Followed> followed_;
  std::size_t unseen_ = 0;   // came and went while the reader was behind
  bool has_untold_ = false;  // losses
};

class JournalReader {
 public:
  explicit JournalReader(transport::Descriptor pipe) : pipe_(std::move(pipe)) {}

  /// The next entry; nothing where the writer has ended.
  std::optional<JournalEntry> next();
  /// Whether the writer has ended without saying so: what it had to say last is missing.
  bool is_cut_off() const { return is_cut_off_; }

 private:
  bool read_whole(char* into, std::size_t size);

  transport::Descriptor pipe_;
  std::string buffer_;
  std::size_t taken_ = 0;
  bool is_cut_off_ = false;
};

}  // namespace jrpcheck::watch
