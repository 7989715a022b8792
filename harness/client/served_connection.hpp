// One connection of a client that is tried: heard to its last byte, and answered as the script
// says.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/door.hpp"
#include "client/script.hpp"
#include "dialogue/traffic.hpp"
#include "traffic/tap.hpp"
#include "transport/byte_stream.hpp"

namespace jrpcheck::client {

/// What the connections of one trial share. Safe to use from all of them.
struct TrialState {
  std::atomic<bool> is_stopped{false};
  std::atomic<bool> is_met{false};         ///< the client has said anything
  std::atomic<bool> is_killed{false};      ///< the client, which may be within a message
  std::atomic<bool> is_flooded{false};     ///< more has passed than is kept: the trial is to end
  std::atomic<bool> has_line_feed{false};  ///< the client has sent one
  std::atomic<Clock::time_point> last_activity{Clock::now()};
  Clock::time_point begin = Clock::now();
  std::mutex mutex = {};  // guards what follows
  std::vector<dialogue::TrafficEvent> traffic = {};
  std::size_t noted = 0;  ///< bytes

  microseconds now() const { return time_since(begin); }

  /// Keeps what passes, to be judged; of a client that is killed that it has gone.
  void note(dialogue::TrafficEvent event);

  /// Writes all of it to an end of one of them; what comes meanwhile is `early`. False where that
  /// end takes no more, or the trial is stopped.
  bool write(transport::ByteStream& stream, std::string_view bytes, std::string& early);
  /// So long that whoever reads has read what was written.
  void take_a_moment(transport::ByteStream& stream, std::string& early) const;
};

class ServedConnection {
 public:
  ServedConnection(const Door& door, Respondent& respondent, TrialState& state,
                   transport::ByteStream& stream, std::uint32_t number, microseconds for_close);

  /// Until the client or the script ends it, or the trial is stopped: what the client says until it
  /// ends its own direction is heard then, and not answered any more.
  void run();

 private:
  enum class After { goes_on, is_left, is_ended, is_reset };

  After serve();
  After take(std::string in);
  After send(const Answer& answer);
  bool write(std::string_view bytes);
  void hear(std::string_view in);
  std::vector<std::string> note_heard(std::string_view in);

  const Door& door_;
  Respondent& respondent_;
  TrialState& state_;
  transport::ByteStream& stream_;
  std::uint32_t number_;
  microseconds for_close_;  // that the client answers the server's Close
  std::unique_ptr<DoorConnection> connection_;
  std::unique_ptr<traffic::Tap> tap_;
  Clock::time_point leaves_at_ = Clock::time_point::max();
  std::string early_;                  // came while something was written
  std::optional<std::string> ending_;  // of the client, which says nothing more
};

}  // namespace jrpcheck::client
