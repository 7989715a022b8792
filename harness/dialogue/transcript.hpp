// Transcript: everything that passed between jrpcheck and a server, as data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/deadline.hpp"
#include "dialogue/exchange.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::dialogue {

enum class Direction {
  sent,            ///< bytes of ours, framing included
  received,        ///< one message of the server; over HTTP with its head
  aside,           ///< one message that answers something asked before: late, or twice
  unasked,         ///< one message that nobody asked for: the server's own, or an answer to nothing
  violation,       ///< bytes that break the framing
  noise,           ///< output that is framed, and no message
  control,         ///< a ping, pong or close of the framing; `bytes`: its payload
  quiet,           ///< nothing came until we stopped waiting
  closed,          ///< the server closed the connection, or could not be reached
  exited,          ///< the server's process ended
  standard_error,  ///< the end of what the process wrote to standard error
  ended,           ///< waiting for a step was over; `bytes`: what had come of a further message
  checked,         ///< the server was asked whether it still serves; `bytes`: its standard error
  noted,           ///< something was found out about the case as a whole
};

std::string_view name_of(Direction direction);

/// Something the server said, of which there can be as much as it likes.
bool is_bulk(Direction direction);

/// Begins the note of a ping, pong or Close that came before what is judged went out on another
/// connection.
inline constexpr std::string_view kFormerConnectionNote = "on the connection before: ";
/// Begins the note of a frame of ours that is no plain text message.
inline constexpr std::string_view kFrameNote = "frame: ";
/// The note of a request that asks for another protocol, where a step is about that.
inline constexpr std::string_view kHandshakeNote = "handshake";

/// The note of the response to a message whose answer comes on a stream that stands open.
inline constexpr std::string_view kAcceptedNote =
    "taken; what answers it comes on the event stream";
/// The note of a request that answers one of the server's, and of the response to what goes out
/// beside the messages of a step.
inline constexpr std::string_view kOwnAnswerNote = "answer to the server's request";
inline constexpr std::string_view kAnswerTakenNote = "response to the answer";
/// The note of the event that says where messages go (MCP 2024-11-05, HTTP with SSE).
inline constexpr std::string_view kEndpointNote = "says where messages go";
/// The note of an event of another type than that of messages, which holds none: a heartbeat, say.
inline constexpr std::string_view kOtherTypeNote = "is of a type of its own, and no message";
/// The notes of the request for the stream that begins with it.
inline constexpr std::string_view kOpensStreamNote = "opens the event stream";
inline constexpr std::string_view kOpensStreamOverTlsNote = "opens the event stream, over TLS";

/// The notes of the request for the stream of another client, which asks nothing, and of what comes
/// on it.
inline constexpr std::string_view kListensTooNote = "another client listens";
inline constexpr std::string_view kOverheardNote = "came to another client";

/// The note of what says that there is no such session any more, where the same is sent once more.
inline constexpr std::string_view kSessionEndedNote =
    "the session had ended; sent again in a new one";

/// The notes of a message that is sent once more, to see whether it is answered with nothing sent
/// behind it, and of what comes then.
inline constexpr std::string_view kAskedAloneNote = "sent once more, with nothing behind it";
inline constexpr std::string_view kAnswersAloneNote = "answers what was sent once more";

/// The note of a text that came first on a connection, and is no message.
inline constexpr std::string_view kGreetingNote = "said to each new connection";

/// The note of a Response with an id that nobody has sent.
inline constexpr std::string_view kNoCallNote = "answers no call";

/// The note of a Response in place of the one to a control call, where the next is answered.
inline constexpr std::string_view kOtherIdNote = "answers the control call with another id";

/// The note of what answers a control call, and is no JSON.
inline constexpr std::string_view kBrokenAnswerNote = "answers the control call, and is no JSON";

/// Stands in place of it, where it is too much.
inline constexpr std::string_view kNotKeptNote = "more came, which is not kept";

/// How a step ended, beside what its note and its bytes say.
struct StepEnd {
  Ending ending = Ending::settled;
  bool endless = false;
  bool held_back = false;
  bool control_answered = false;
  bool on_new_connection = false;
  std::string lost_connection = {};
  std::string beyond_limit = {};
  bool limited = false;
  std::string not_asked = {};

  bool operator==(const StepEnd&) const = default;
};

/// What the judge reads of the head of an HTTP response.
struct HttpHead {
  std::size_t status = 0;
  std::string version = {};  ///< "HTTP/1.1"
  std::string content_type = {};
  std::size_t size = 0;       ///< so many bytes of the event are the head
  bool is_broken = false;     ///< the response breaks HTTP/1.1, as the note says, and is no reply
  bool is_handshake = false;  ///< it answers the request for another protocol, and is no reply
  /// Which event stream of the conversation it is about. The event is its head, one block as it
  /// came, which has no head, or its end.
  std::optional<std::size_t> stream = {};

  bool is_block() const { return stream.has_value() && size == 0; }

  bool operator==(const HttpHead&) const = default;
};

/// What is found out about a case beside its steps, and is charged to it.
enum class Fact {
  died_later,        ///< the server ended after the case had; `bytes`: its standard error
  answers_changed,   ///< every call is answered otherwise since: so; without `bytes`: since this
                     ///< case or another that ran beside it
  answered_again,    ///< a second Response came after the case had ended
  answers_mixed_up,  ///< calls on one connection get each other's answers; `bytes`: made visible
  died_of_it,        ///< the server ended of a call of no case, or of one that was not answered
  deaf_since,        ///< the server answers nothing more since a call of no case
  unknown_method_hangs,  ///< a call of an unknown method is left waiting, and others are answered
  went_away,     ///< the server did now and then, and no message was found to make it; `bytes`: how
  code_changed,  ///< an unknown method is answered otherwise once, and -32601 else; `bytes`: so
  call_left_out,    ///< a control call now and then, and the one behind it answered; `bytes`: when
  held_until_more,  ///< the answer is let go only when something more is sent; `bytes`: how it
                    ///< showed
  batches_served,  ///< though not the case's own: `bytes`: what that came to; the note: one that is
  speaks_1_0,      ///< a server that is asked in JSON-RPC 2.0 speaks 1.0 only
};

std::string_view name_of(Fact fact);

/// One thing that happened. Timeouts, closes and framing breaks are events like any other.
struct Event {
  Direction direction = Direction::sent;
  microseconds at{0};  ///< since the transcript began
  std::string bytes;
  std::string note =
      {};  ///< in words, where bytes do not say it: "control call", "no answer in 5 s"
  std::optional<std::size_t> step = {};  ///< of the case, from 0, during which it happened
  std::size_t left_out = 0;       ///< so many bytes in the middle are not kept; `bytes` says where
  bool is_control = false;        ///< a control call, or the answer to one
  bool in_several_lines = false;  ///< as in Reply
  std::optional<std::size_t> call = {};          ///< as in Reply
  bool is_binary = false;                        ///< as in Reply
  std::optional<wire::ControlFrame> frame = {};  ///< where the direction is `control`
  std::optional<HttpHead> http = {};             ///< of what was received over HTTP
  std::optional<StepEnd> end = {};               ///< where the direction is `ended`
  std::optional<Survival> survival = {};         ///< where it is `checked`
  bool answers_next = false;                     ///< as in SurvivalCheck
  bool answered_meanwhile = false;               ///< as in SurvivalCheck
  bool was_slow = false;                         ///< as in SurvivalCheck
  std::optional<Fact> fact = {};
  /// What was received as it was parsed when it came; no part of what is stored.
  std::optional<Message> message = {};

  /// Whether it says something to people that no other event says.
  bool is_for_people() const {
    return direction != Direction::ended && direction != Direction::checked;
  }
};

/// The event of a message that came, by itself.
Event received(const Message& message, std::string note = {});

/// The message of an event: over HTTP its body, or the data of its block.
Message message_of(const Event& event);

/// Which limit of ours an exchange is beyond when a transcript takes no more.
inline constexpr std::string_view kMoreThanTaken =
    "more than 10 MiB in one case, with what is parsed, or 50,000 messages";

/// `bytes` without their middle where they are longer than what is allowed, and how many were left
/// out. What is built to be large repeats itself; both ends are the evidence.
struct Excerpt {
  std::string bytes;
  std::size_t left_out = 0;
};
struct ExcerptSize {
  std::size_t longest;
  std::size_t head;
  std::size_t tail;
};
/// Far more than a message that is made to be read, and little beside what is made to be large.
inline constexpr ExcerptSize kOfMessage{16U << 10, 4U << 10, 1U << 10};
/// What is told in a finding; its transcript has more.
inline constexpr ExcerptSize kOfFinding{4U << 10, 2U << 10, 512};
Excerpt excerpt(std::string_view bytes, ExcerptSize size = kOfMessage);

/// The events of one case, in order.
class Transcript {
 public:
  Transcript() : begin_(Clock::now()) {}

  void begin_step(std::size_t step) { step_ = step; }
  /// Whether there was a step before this one.
  bool is_past_first_step() const { return step_.value_or(0) > 0; }
  /// What follows belongs to the case as a whole.
  void end_steps() { step_.reset(); }
  /// What follows belongs to no step until `resume` is given what this gives.
  std::optional<std::size_t> suspend_step() { return std::exchange(step_, std::nullopt); }
  void resume(std::optional<std::size_t> step) { step_ = step; }

  bool add(Direction direction, std::string bytes, std::string note = {}) {
    return add(Event{direction, {}, std::move(bytes), std::move(note)});
  }
  void add_control(std::string call) {
    Event event{Direction::sent, {}, std::move(call), "control call"};
    event.is_control = true;
    add(std::move(event));
  }
  /// The time and the step are those of now. False where more has come in this case than is kept:
  /// then nothing can be said about it.
  bool add(Event event);

  /// Messages that came since there were so many events are no answer to this step, which is sent
  /// again.
  void set_aside(std::size_t since, const std::string& note);

  /// An event, by its place among all of them, is something else after all, once more is known.
  void put_right(std::size_t event, Direction direction, std::string note = {});

  /// What to keep of them, which is bounded, whatever a server sends: long messages are kept as
  /// excerpts, and beyond a limit events are counted and not kept.
  const std::vector<Event>& events() const { return events_; }
  /// All of them whole: what is judged.
  const std::vector<Event>& whole() const { return whole_; }
  /// About how many bytes of memory what came takes.
  std::size_t taken() const { return taken_; }
  /// Whether something is not kept that the judge reads.
  bool is_folded() const { return is_folded_; }

  microseconds duration() const { return time_since(begin_); }

 private:
  bool has_room_for(const Event& event);
  void keep(const Event& event);

  Clock::time_point begin_;
  std::optional<std::size_t> step_;
  std::vector<Event> whole_;
  std::vector<Event> events_;
  std::vector<std::size_t> kept_at_;  // of each of all of them, its place among the kept ones
  std::size_t taken_ = 0;             // about how much memory all that came takes
  std::size_t kept_bytes_ = 0;
  bool dropped_ = false;
  bool is_folded_ = false;
};

}  // namespace jrpcheck::dialogue
