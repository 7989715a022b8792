// Scenarios: what a client is told in place of a good answer, and what it may make of that.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/ledger.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::corpus {

/// How a client reaches its server: lines of any kind are "tcp".
inline constexpr std::array<std::string_view, 3> kDoorNames = {"http", "ws", "tcp"};

/// How the client makes its calls.
enum class CallOrder {
  in_turn,   ///< each once the one before has ended
  together,  ///< all before the first is answered
  batch,     ///< all in one Array
};

std::string_view name_of(CallOrder order);

/// What became of a call.
enum class CallOutcome {
  value,    ///< it has the result that belongs to it
  error,    ///< it ended in an error
  wrong,    ///< it has another result
  nothing,  ///< it succeeded, without a result
  waits,    ///< it did not end in the time allowed
  died,     ///< the program ended before it had
};

std::string_view name_of(CallOutcome outcome);

/// A frame of WebSocket that stands in a scenario, right or wrong.
struct ScenarioFrame {
  wire::FrameDetails details;
  std::string payload;   ///< with placeholders
  std::size_t half = 0;  ///< 1 or 2: only that half of the payload
};

struct Scenario {
  std::string id;
  std::string title;
  std::vector<std::string> requirements;  ///< the first is charged
  std::vector<std::string> doors;         ///< "http", "ws", "tcp"; empty: all
  CallOrder order = CallOrder::in_turn;
  /// In place of the answer to call 2, or to all calls where they come together. Placeholders:
  /// ${id} (and ${id1} to ${id3}) as it came, ${value}, ${wrong}, ${good} (and ${good1} to
  /// ${good3}).
  std::vector<std::string> answer;
  std::vector<ScenarioFrame> frames = {};  ///< over WebSocket, in place of `answer`
  std::string result;  ///< the result that is the value of call 2, in JSON; empty: as of a good one
  bool is_of_notification = false;  ///< `answer` is that to a Notification before call 2, if any
  bool is_unanswered = false;       ///< call 2 has no answer, and is to end by its time limit
  bool in_one_write = false;
  bool in_two_writes = false;  ///< the last message, with a moment between them
  bool are_apart = false;      ///< its messages, by a moment: of a second look, and in no file
  std::size_t http_status = 200;
  std::string http_type = "application/json";
  std::size_t http_chunk = 0;       ///< bytes in each chunk of its body; 0: it has a length
  std::size_t cut = 0;              ///< so many bytes of the last message are not sent
  std::string then;                 ///< "close", "reset" or nothing
  std::vector<CallOutcome> accept;  ///< of call 2
  std::vector<CallOutcome> warn;
  /// Of those that are accepted: what warns where a request has one final response (RFC 9110 §15),
  /// which has come and is complete, so that nothing else can end the call.
  std::vector<CallOutcome> warn_over_http = {};
  bool others_may_fail = false;    ///< the other calls need not have their values
  std::string because;             ///< what is wrong with the other outcomes, in a sentence
  std::vector<std::string> kills;  ///< faults of the reference client that it notices
  std::string file = {};           ///< where it stands, for errors
  std::size_t line = 0;
};

/// The scenario as it is over HTTP: what warns there is accepted no more.
Scenario over_http(Scenario scenario);

/// Reads the text of a file of scenarios; `name` is the file's name for errors.
Result<std::vector<Scenario>> load_scenarios(const std::string& name, std::string_view text,
                                             const Ledger& ledger);

/// Those of a file that can be read, and what is wrong with the others. Their requirements are not
/// looked up.
struct SoundScenarios {
  std::vector<Scenario> scenarios;
  std::vector<Error> errors;
};
SoundScenarios load_sound_scenarios(const std::string& name, std::string_view text);

/// What a scenario shares with cases: its id, title, requirements, faults and place.
Case as_case(const Scenario& scenario);

/// Whether a file of the corpus holds scenarios and not cases: those that are built in stand below
/// client/, and one of the user's own anywhere.
bool holds_scenarios(std::string_view path, std::string_view text);

}  // namespace jrpcheck::corpus
