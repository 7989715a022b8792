// Bend: one answer of a real server becomes that of a scenario, and all else passes. It knows no
// transport.
#pragma once

#include <cstddef>
#include <limits>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/answer.hpp"
#include "corpus/scenario.hpp"
#include "dialogue/message.hpp"

namespace jrpcheck::client {

/// What has passed between the client and the server in one run of the client.
struct BendNotes {
  std::size_t answers = 0;           ///< Responses with a result that the server has given
  std::vector<std::string> methods;  ///< of what the client has sent, in order
  std::size_t due = 0;               ///< calls of the client that the server has not answered
  bool was_played = false;
  bool was_on_stream =
      false;  ///< on an event stream, which may be taken up again once it has ended
  bool is_own_call_answered = false;  ///< that of the server's own, whose id is kOwnCallId
  std::string hindrance;              ///< why the answer could not be bent
  std::vector<std::string> told;      ///< the bent messages
  std::string failure;                ///< why the server was not reached
};

/// Safe to use from several connections at once.
class Bend {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// The answer is counted from 1, of those with a result, over all connections.
  Bend(const corpus::Scenario& scenario, std::size_t which) : scenario_(scenario), which_(which) {}

  /// A message of the server's: what goes out in its place, or nothing where it goes as it came.
  /// `has_begun`: it comes on an event stream, whose status has been said.
  std::optional<Answer> take(const dialogue::Message& message, bool has_begun);
  /// A message of the client's.
  void hear(const dialogue::Message& message);
  /// The connection was ended in place of an answer: nothing is due to the client there.
  void cut();
  void fail(const std::string& why);

  BendNotes notes() const;
  /// Whether the server has not answered all calls.
  bool is_due() const;

 private:
  void hear_one(const json::Value& value);
  void note_answered(const json::Value& value);
  std::string hindrance(const std::string& id, bool has_begun) const;

  const corpus::Scenario& scenario_;
  const std::size_t which_;
  mutable std::mutex mutex_;  // guards what follows
  BendNotes notes_;
  std::string id_before_;  // of the answer before, as it is spelled
};

/// Whether the scenario can be played on answers that are the client's own choice.
bool can_be_bent(const corpus::Scenario& scenario);

}  // namespace jrpcheck::client
