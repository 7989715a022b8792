// Bend: one answer of a real server becomes that of a scenario, and all else passes. It knows no
// transport.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "client/answer.hpp"
#include "client/placeholders.hpp"
#include "corpus/scenario.hpp"
#include "dialogue/message.hpp"

namespace jrpcheck::client {

/// A call of the client, and what the server has answered.
struct CarriedCall {
  std::string id;                          ///< as it is spelled
  std::string what;                        ///< its method and params, to tell calls apart
  std::size_t batch = 0;                   ///< which one, from 1; 0: it came alone
  std::optional<std::string> result = {};  ///< the true one, in JSON
  bool is_answered = false;
};

/// What has passed between the client and the server in one run of the client.
struct BendNotes {
  std::size_t answers = 0;           ///< Responses with a result that the server has given
  std::vector<std::string> methods;  ///< of what the client has sent, in order
  std::vector<CarriedCall> calls;    ///< in order; only so many of the first
  std::vector<std::size_t> bent;     ///< the places among them of those that the odd answer is to
  std::size_t rounds = 0;            ///< three calls that came as a scenario's order wants
  std::size_t due = 0;               ///< calls of the client that the server has not answered
  bool was_played = false;
  bool was_on_stream =
      false;  ///< on an event stream, which may be taken up again once it has ended
  /// What the client has first answered to the call of the server's own, whose id is kOwnCallId.
  std::optional<std::string> own_answer = {};
  std::string hindrance;          ///< why the answer could not be bent
  std::vector<std::string> told;  ///< the bent messages
  std::string failure;            ///< why the server was not reached
};

/// Safe to use from several connections at once.
class Bend {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// The answer is counted from 1, of those with a result, over all connections.
  Bend(const corpus::Scenario& scenario, std::size_t which) : scenario_(scenario), which_(which) {}

  /// A message of the server's: what goes out in its place, or nothing where it goes as it came.
  /// `has_begun`: it comes on an event stream, whose status has been said. An Answer without
  /// messages: it is held, for others that were asked for together with it.
  std::optional<Answer> take(const dialogue::Message& message, bool has_begun,
                             std::size_t connection = 1);
  /// A connection has been silent for a while: what is held for it goes out as it came.
  std::optional<Answer> give_up_waiting(std::size_t connection = 1);
  /// A message of the client's.
  void hear(const dialogue::Message& message);
  /// The connection was ended in place of an answer: nothing is due to the client there.
  void cut();
  void fail(const std::string& why);

  BendNotes notes() const;
  /// Whether the server has not answered all calls.
  bool is_due() const;

 private:
  static constexpr std::size_t kNoCall = std::numeric_limits<std::size_t>::max();
  // A Response with a result, and the place of its call.
  struct GoodAnswer {
    std::size_t call = kNoCall;
    std::string id;
    std::string result;
    std::string text;
    bool is_of_version_2 = false;
  };

  void hear_one(const json::Value& value, std::size_t batch);
  void note_answered(const json::Value& value);
  std::optional<GoodAnswer> good_answer(const json::Value& value, std::string text) const;
  void note_result(const GoodAnswer& answer);
  std::optional<Answer> take_alone(const GoodAnswer& answer, bool has_begun);
  std::optional<Answer> take_together(GoodAnswer answer, std::size_t connection);
  std::optional<Answer> take_batch(const json::Value& array);
  std::optional<Answer> play_round(std::vector<GoodAnswer> answers);
  Answer play(const Blanks& blanks);
  std::string hindrance(bool has_begun) const;
  std::string hindrance_of(const Blanks& blanks, bool is_of_version_2) const;

  const corpus::Scenario& scenario_;
  const std::size_t which_;
  mutable std::mutex mutex_;  // guards what follows
  BendNotes notes_;
  std::string id_before_;  // of the answer before, as it is spelled
  std::size_t batches_ = 0;
  std::map<std::size_t, std::vector<GoodAnswer>> held_;  // by connection
};

}  // namespace jrpcheck::client
