// A withheld answer: what a client does about a request that is not answered, in one trial.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/deadline.hpp"
#include "json/value.hpp"

namespace jrpcheck::client {

/// How the request came.
struct WithheldManner {
  bool is_stateless = false;  ///< of a version without a handshake
  bool is_over_http = false;
  std::string session = {};
};

struct WithheldNotes {
  bool was_withheld = false;
  WithheldManner manner = {};
  bool was_called_off = false;  ///< by a notification
  bool has_hung_up = false;     ///< over HTTP, by a client that goes on
  bool stays_open = false;      ///< over HTTP: called off, and not closed by a client that goes on
  bool was_told_late = false;
  std::size_t heard_after_late = 0;  ///< requests and notifications
};

/// A connection is closed by then which is closed together with the word of it.
inline constexpr milliseconds kForHangingUp{300};

class WithheldAnswer {
 public:
  bool is_there() const { return notes_.was_withheld; }
  /// `id`: of the request, in JSON.
  void keep(std::string id, std::string answer, WithheldManner manner);
  /// A message of the client in that session: who begins another one has given that one up, too.
  void hear(const json::Value& message, const std::string& session, Clock::time_point now);
  /// Over HTTP: the client has closed the connection of that request, by its id in JSON.
  void note_closed(const std::string& id);
  /// Whether a message in that session shows that its request is given up, if its connection has
  /// been closed: which another thread may not have seen yet.
  bool may_have_hung_up(const std::string& session) const {
    return is_there() && notes_.manner.is_over_http && session == notes_.manner.session &&
           !is_closed_ && !notes_.was_called_off;
  }
  std::optional<std::string> take_late();

  const WithheldNotes& notes() const { return notes_; }

 private:
  std::string id_;
  std::string answer_;
  std::optional<Clock::time_point> called_off_at_ = {};
  bool is_closed_ = false;
  WithheldNotes notes_;
};

}  // namespace jrpcheck::client
