// Script: what the server of one trial answers. It knows calls by their number, and no transport.
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/placeholders.hpp"
#include "corpus/scenario.hpp"
#include "json/value.hpp"

namespace jrpcheck::client {

/// The method of the Notification that a client is asked for.
inline constexpr std::string_view kNote = "note";

/// The number of a call, which is the first of its params. A bare Number in their place is one as
/// well, so that who sends it can be charged with that.
std::optional<std::size_t> number_of(const json::Value& request);

/// A control frame of the client's.
struct ControlHeard {
  unsigned opcode = 0;
  std::string payload = {};
};

/// Who answers a client. Safe to use from several connections at once.
class Respondent {
 public:
  virtual ~Respondent() = default;
  /// What one message of the client is answered; nothing where it is not.
  virtual std::optional<Answer> take(const std::string& message, std::size_t connection) = 0;
  /// A message that comes too late to be answered.
  virtual void hear(const std::string& message) = 0;
  /// A control frame, of WebSocket.
  virtual void hear_control(const ControlHeard& control, std::size_t connection) = 0;
  /// A connection has been silent for a while: what is held for calls that were to come on it as
  /// well.
  virtual std::optional<Answer> give_up_waiting(std::size_t connection) = 0;
};

class Script : public Respondent {
 public:
  /// `first`: the number of the first of its calls, where it has not all that the client makes.
  explicit Script(const corpus::Scenario& scenario, std::size_t first = 1)
      : scenario_(scenario), before_(first - 1) {}

  std::optional<Answer> take(const std::string& message, std::size_t connection = 1) override;
  void hear(const std::string& message) override;
  void hear_control(const ControlHeard& control, std::size_t connection = 1) override;
  std::optional<Answer> give_up_waiting(std::size_t connection = 1) override;

  /// What the client has first answered to the call of the server's own, whose id is kOwnCallId.
  std::optional<std::string> own_answer() const;
  /// Why nothing can be told, with the ids that the calls had: see hindrance_of_ids.
  std::string hindrance() const;
  /// Whether every ping of the odd answer has its pong, on a connection on which that went out.
  bool are_pings_answered() const;
  /// Whether a Close has come on a connection on which the odd answer went out, and behind it. That
  /// of another connection answers nothing (RFC 6455 §5.5.1).
  bool is_close_answered() const;
  /// Whether a Notification of the client's had an id, so that it was none.
  bool has_notification_an_id() const;
  /// Whether the client came to what the scenario is about.
  bool was_played() const;
  /// Whether the client makes its second call again and again, more often than who gives up in the
  /// end: nothing is to be awaited of it.
  bool is_called_without_end() const;
  /// Of how many calls the batch was in which that call came which was to come alone; 0: none.
  std::size_t batch_of_subject() const;
  /// The odd messages as they went out.
  std::vector<std::string> told() const;

 private:
  struct Call {
    std::optional<std::size_t> number;
    std::string id;  // as it is spelled
  };
  void note_frames(const Answer& answer, std::size_t connection);
  void note_own_answer(const json::Value& value);
  std::optional<Answer> take_call(const Call& call, std::size_t connection);
  std::optional<Answer> take_notification(const json::Value& request, std::size_t connection);
  std::optional<Answer> take_batch(const std::vector<Call>& calls, std::size_t connection);
  Answer odd_answer(std::size_t number, std::size_t connection);
  std::string good_response(std::size_t number, const std::string& id) const;
  // Which of its calls that is, from 1.
  std::optional<std::size_t> place_of(const json::Value& request) const;

  const corpus::Scenario& scenario_;
  std::size_t before_;        // calls that belong to others
  mutable std::mutex mutex_;  // guards what follows
  std::array<std::string, kCalls + 1> ids_;
  std::map<std::size_t, std::vector<std::size_t>> held_;  // by connection: calls that wait
  std::vector<std::string> told_;
  bool is_played_ = false;
  std::size_t batch_of_subject_ = 0;
  std::size_t calls_of_subject_ = 0;
  std::optional<std::string> own_answer_;
  // By the connections on which the odd answer went out: its pings, without those that have a pong.
  std::map<std::size_t, std::vector<std::string>> pings_;
  bool is_close_answered_ = false;
  bool has_notification_an_id_ = false;
};

}  // namespace jrpcheck::client
