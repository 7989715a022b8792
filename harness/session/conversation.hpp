// Conversation: one client's dealings with a server, over whatever transport.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "corpus/case.hpp"
#include "corpus/dialect.hpp"
#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"

namespace jrpcheck::session {

/// A call whose answer shows that the server serves. Any method will do that is answered at all;
/// one that no server has is answered -32601 without doing anything.
struct ControlCall {
  std::string method;
  std::string params;  ///< JSON text; empty for none
  corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0;
  /// What an answer to it meets that says that the server still starts; none: no answer says so.
  std::vector<corpus::Condition> not_yet = {};

  std::string text(long long id) const;
  bool says_not_yet(const std::string& answer) const;
};

/// An answer to something sent in an earlier case, by id.
using LateAnswer = dialogue::Message;

/// The end of a server that was found when nothing had been sent to it since it answered.
struct UnseenDeath {
  std::string detail;  ///< "the program exited with code 1"
  std::string standard_error;
  bool has_exited = false;  ///< it is a program that was started here, and known to have ended
};

/// Messages sent first on every new connection, for servers that want a handshake before they
/// serve.
struct Opening {
  std::vector<std::string> messages;
  /// What the server's own Requests are answered, by method: a member "result" or "error" as JSON
  /// text, in which "${null-for-each:POINTER}" stands for a null for each element that the Request
  /// has there. Where there are any, all are answered at once, as a client of that protocol does.
  std::map<std::string, std::string> answers = {};
  /// The protocol has an opening, and this conversation goes without.
  bool is_withheld = false;
  /// Whether the server is listened to by itself, where the protocol has a stream for that: some
  /// serve one at a time, and a case may be about it.
  bool listens = true;
  /// Where messages have null there, the program is given an empty folder of its own.
  std::optional<corpus::OpeningPlace> folder_place = {};
};

class Conversation {
 public:
  virtual ~Conversation() = default;

  /// Connects (starting the server where that is ours to do) and goes through the opening.
  /// Closes first what was open before.
  virtual Result<bool> open(dialogue::Transcript& transcript) = 0;

  /// The same with a server that remembers nothing of what it was sent, where starting it is ours
  /// to do.
  virtual Result<bool> start_anew(dialogue::Transcript& transcript) { return open(transcript); }

  /// Leaves its connection to a server that others run, which may serve one at a time; `open` has
  /// another.
  virtual void step_aside() {}

  /// Control calls from here on have this id and those after it, so that a case has the same ids in
  /// every run, whatever ran beside it.
  virtual void begin_case(long long first_control_id) = 0;

  /// Names the empty folder of its program, where that was given one, in what the step sends.
  virtual void name_own_folder(corpus::Step&) const {}

  /// Sends the step's messages and collects what comes back. Never fails: what the server does, or
  /// does not do, is in the Exchange.
  virtual dialogue::Exchange exchange(const corpus::Step& step,
                                      dialogue::Transcript& transcript) = 0;

  /// Asks whether the server still serves. Whatever the answer, the conversation is usable again
  /// afterwards where that can be had; `usable` tells.
  virtual dialogue::SurvivalCheck check_survival(dialogue::Transcript& transcript) = 0;

  virtual bool usable() const = 0;

  /// Answers to earlier cases that have arrived since the last call.
  virtual std::vector<LateAnswer> take_late_answers() { return {}; }

  /// The end of the server that the exchanges since the last call have found before they sent
  /// anything: what was answered before them may have caused it, and they have not.
  virtual std::optional<UnseenDeath> take_unseen_death() { return std::nullopt; }

  /// Changes when the server has been started anew; a case during which it changed may have
  /// suffered from another case.
  virtual unsigned long long server_generation() const = 0;

  /// What is called to see whether the server serves. Calibration may settle on another.
  virtual void use_control_call(ControlCall call) = 0;
};

}  // namespace jrpcheck::session
