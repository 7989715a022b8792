// Played subscriptions: what a server of MCP 2026-07-28 tells a client that listens
// (basic/patterns/subscriptions), in one trial.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "corpus/client_dialogue.hpp"
#include "json/value.hpp"

namespace jrpcheck::client {

/// What the client did with them.
struct SubscriptionNotes {
  std::size_t begun = 0;
  bool was_told = false;  ///< something that it has asked for
  bool was_cut = false;   ///< with the connection
  std::vector<std::string> methods_since_cut = {};
  bool was_closed = false;  ///< over HTTP, by the client, which goes on
  /// Over HTTP: called off by a notification, with a stream that stays open.
  bool stays_open = false;
};

class PlayedSubscriptions {
 public:
  explicit PlayedSubscriptions(const corpus::PlayedSubscription& how) : how_(how) {}

  struct Turn {
    std::vector<std::string> said;
    std::optional<std::string> members = {};  ///< of the Response; nothing: the request stays open
    bool cuts = false;                        ///< the connection ends behind that
  };
  Turn begin(const json::Value& request);
  /// A message of the client, and when it came.
  void hear(const json::Value& message, bool is_over_http, Clock::time_point now);
  /// Over HTTP: the client has closed the stream of that subscription.
  void note_closed(const std::string& id);

  const SubscriptionNotes& notes() const { return notes_; }

 private:
  const corpus::PlayedSubscription& how_;
  std::set<std::string> open_;                  // by id, in JSON
  std::optional<std::string> called_off_ = {};  // by a notification
  std::optional<Clock::time_point> called_off_at_ = {};
  bool has_closed_one_ = false;
  SubscriptionNotes notes_;
};

}  // namespace jrpcheck::client
