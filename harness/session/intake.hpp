// What comes in on one stream, put where it belongs: into the exchange, aside, or to a later use.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dialogue/exchange.hpp"
#include "dialogue/transcript.hpp"
#include "session/conversation.hpp"
#include "session/greeting.hpp"
#include "session/incoming.hpp"
#include "session/line_joiner.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::session {

class Intake {
 public:
  explicit Intake(bool delimited, std::map<std::string, std::string> answers = {})
      : delimited_(delimited), answers_(std::move(answers)), sorter_(delimited) {}

  /// On a new stream nothing earlier is answered any more. `greeting`: what the server is known to
  /// say first; null: nobody greets on such streams.
  void begin_stream(Greeting* greeting = nullptr) {
    greeting_ = greeting;
    may_be_greeted_ = true;
    has_spoken_ = has_sent_malformed_ = false;
    sorter_ = IncomingSorter(delimited_);
    control_error_.clear();
    joiner_ = {};
    owed_.clear();
    answered_.clear();
  }
  void begin_case(long long first_control_id) {
    first_control_id_ = first_control_id;
    next_control_id_ = first_control_id;
    nameless_ = 0;
  }
  /// Of this case; before any, one that no case has.
  long long first_control_id() const { return first_control_id_; }
  void begin_step(Outgoing sent);
  /// As IncomingSorter::expect_late.
  void expect_late(std::vector<std::string> keys) { sorter_.expect_late(std::move(keys)); }

  /// Whether what answers an earlier call once more could be taken for the answer to one of these:
  /// the server has answered late before, and the ids have been used before.
  bool may_be_mistaken(const std::vector<std::string>& keys) const {
    return has_answered_late_ && sorter_.has_used(keys);
  }

  /// The id of the next control call, whose answer is told from others from here on.
  long long next_control_id();

  /// Takes a frame in. True when it answers the control call `awaited`.
  bool take_in(const wire::Frame& frame, std::optional<long long> awaited,
               dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  /// Nothing more is waited for: lines that were held as the beginning of a message are none.
  void take_held(dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  /// A ping, pong or close of the framing.
  static void take_control(const wire::Frame& frame, dialogue::Exchange& exchange,
                           dialogue::Transcript& transcript);

  /// What breaks the framing, or is longer than we read: then nothing can be said about the step.
  static void take_violation(const Line& line, dialogue::Exchange& exchange,
                             dialogue::Transcript& transcript);

  /// The same for what came before the step sent anything, which cannot answer it.
  void take_early(const wire::Frame& frame, dialogue::Exchange& exchange,
                  dialogue::Transcript& transcript);

  /// Whether no call has the id of this message, or it has none.
  bool is_of_no_call(const dialogue::Message& message) const {
    return !sorter_.has_used(dialogue::id_keys_of(message));
  }

  /// Whether a control call has been answered with its id.
  bool controls_return_ids() const { return control_calls_return_ids_; }

  /// Whether a message answers a control call of this case.
  bool is_control(const dialogue::Message& message) const;

  /// Where nothing else has come for what was sent, a message with the id of a call that had its
  /// answer long ago, or with one that nobody sent, is the answer with a wrong id. True when there
  /// was one.
  bool take_doubtful(dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  /// Whether a Response came with an id that nobody sent: to nothing, or the answer with a wrong
  /// id. Or a value that is no message.
  bool holds_foreign() const;
  /// Whether nothing but such values came from who has not returned an id yet: no control call may
  /// tell whether that is all it answers.
  bool holds_first_value() const;
  /// Beside a Response such values are no answers, and from then on never.
  void settle_values(dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  /// What came without an id, and was put aside because it may answer a control call, is a reply
  /// where those have been answered.
  void settle_nameless(dialogue::Exchange& exchange, dialogue::Transcript& transcript);
  /// Whether an error came with an id that nobody sent, or with that of a call that had its answer.
  /// `of_parsing`: one that says that what was sent cannot be read.
  bool holds_error(bool of_parsing) const;

  /// Whether a Response came with the id of a control call that had its answer, and is no copy of
  /// that: the answer to another call, with a wrong id.
  bool holds_control_again() const;

  /// Whether what came last is such a message behind a control call, which it may answer.
  bool holds_stray(const dialogue::Transcript& transcript) const;
  /// It does, this event: nothing else is answered by it.
  void give_to_control_call(std::size_t event, dialogue::Transcript& transcript);

  /// Whether as many Responses without an id have come as calls have been sent in this step, its
  /// own and control calls: then nothing more is to come.
  bool has_all_without_ids(const dialogue::Exchange& exchange) const;

  /// Whether an error without an id has come for a call that has one, where the Response with the
  /// id may still come: a control call behind it tells.
  bool may_be_beside_answer(const dialogue::Exchange& exchange) const;

  /// Where no answer to a control call can be told by its id: of several Responses without one the
  /// first answers the step, and the others as many control calls.
  void give_to_control_calls(dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  std::vector<LateAnswer> take_late_answers();

  /// What came for a call after it had been answered.
  void note_late(std::vector<dialogue::Reply> replies);

  /// Answers to Requests of the server's own that it may be waiting for.
  std::vector<std::string> take_owed();
  bool owes() const { return !owed_.empty(); }
  /// Whether what is owed is given at once, as the protocol has it.
  bool answers_at_once() const { return !answers_.empty(); }

 private:
  // Far from the ids of cases, and from those of their control calls.
  static constexpr long long kBeforeAnyCase = 9'000'000;

  bool take_in(const Line& line, std::optional<long long> awaited, dialogue::Exchange& exchange,
               dialogue::Transcript& transcript);
  struct Doubtful {
    dialogue::Message message;
    std::size_t event;         // of the transcript
    bool is_foreign = false;   // its id is nobody's
    bool is_value = false;     // it is none, and has no id
    bool is_nameless = false;  // it has none, and reads as the answer to a control call
    bool is_control = false;   // its id is that of a control call that has had its answer
    bool may_greet = false;    // it came first on its connection, and is no JSON
  };

  bool take_greeting(const dialogue::Message& message, dialogue::Exchange& exchange,
                     dialogue::Transcript& transcript);
  void settle_greeting(dialogue::Exchange& exchange, dialogue::Transcript& transcript);

  bool take_control_answer(const dialogue::Message& message, dialogue::Event event,
                           std::optional<long long> awaited, dialogue::Transcript& transcript);
  bool reads_as_control(const dialogue::Message& message) const;
  bool may_answer_control(const dialogue::Message& message) const;
  void take_reply(const Line& line, dialogue::Event event, dialogue::Exchange& exchange,
                  dialogue::Transcript& transcript);
  void hold(Doubtful doubtful, std::string_view note, dialogue::Transcript& transcript);
  void take_late(const dialogue::Message& message, dialogue::Transcript& transcript);
  void hold_late(dialogue::Message message);
  bool has_room_for(const dialogue::Message& message);
  void give_up_doubtful();
  void note_request(const dialogue::Message& message);

  bool delimited_;
  Greeting* greeting_ = nullptr;
  bool may_be_greeted_ = true;                  // nothing but greetings has come on this connection
  bool has_spoken_ = false;                     // something has been sent on it
  bool has_sent_malformed_ = false;             // likewise, that is no proper message
  std::map<std::string, std::string> answers_;  // as in Opening
  bool has_answered_late_ = false;
  bool prints_values_ = false;  // beside Responses
  bool control_calls_return_ids_ = false;
  IncomingSorter sorter_;
  LineJoiner joiner_;
  std::size_t held_ = 0;  // about how much memory those take that are held
  std::vector<LateAnswer> late_;
  std::vector<Doubtful> doubtful_;  // of this step
  std::size_t controls_ = 0;        // control calls that have been sent in this step
  std::string control_error_;       // by which control calls are answered, under their ids
  std::size_t nameless_ = 0;        // what may have answered control calls of this case
  std::vector<std::string> owed_;
  std::set<std::string> answered_;  // of those, what has been given
  long long first_control_id_ = kBeforeAnyCase;
  long long next_control_id_ = kBeforeAnyCase;
};

}  // namespace jrpcheck::session
