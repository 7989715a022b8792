// Exchange: what one step of a case brought back. The judge sees this and nothing else.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialogue/message.hpp"

namespace jrpcheck::dialogue {

/// One message that came back.
struct Reply : Message {          // over HTTP the body, which is not empty
  int http_status = 0;            ///< 0 where there is no HTTP
  bool in_several_lines = false;  ///< it came on more than one line, where one is a message
  /// The message in `Exchange::sent` whose connection it came on, where each has one of its own.
  std::optional<std::size_t> call = {};
  bool is_binary = false;   ///< it is marked as no text, where messages are marked
  bool is_event = false;    ///< over HTTP: it came on an event stream
  std::string coding = {};  ///< over HTTP: what it is encoded by (RFC 9110 §8.4), as gzip; or empty
};

/// Output on a stream that is no message.
struct Noise {
  std::string bytes;
  std::string violation;  ///< which rule of the framing it breaks; empty: framed, and no message
};

/// What a WebSocket connection was closed with.
struct Close {
  std::size_t code = 0;  ///< 1005 where the Close frame has none (RFC 6455 §7.4.1)
  std::string reason;

  /// "1002: reserved bits"
  std::string text() const {
    const std::string shown = code == 1005 ? "no code" : std::to_string(code);
    return shown + (reason.empty() ? "" : ": " + reason);
  }
};

/// A handshake that a step asked for: the heads of what was sent and of what came back.
struct Handshake {
  std::string request;
  std::string response;
};

/// How a step ended.
enum class Ending {
  settled,    ///< all that was due came, or its absence is certain
  timed_out,  ///< something was due and did not come in the time allowed
  closed,     ///< the server closed the connection first
  exited,     ///< the server's process ended
};

std::string_view name_of(Ending ending);

struct Exchange {
  std::vector<Message> sent;       ///< in the order of sending
  std::vector<Reply> replies;      ///< in the order of arrival
  int http_status = 0;             ///< of the last HTTP response, with or without a body
  std::string http_content_type;   ///< of that response
  std::string http_version;        ///< of that response: "HTTP/1.1"
  std::string http_head;           ///< of that response, as it came
  bool on_new_connection = false;  ///< HTTP: the one of the exchange before could not be used
  std::string lost_connection;     ///< HTTP: why, where its last response had not announced it
  Ending ending = Ending::settled;
  std::string detail;                 ///< "no answer in 5 s", "exited with code 1"
  std::optional<int> exit_code = {};  ///< of the server's process, where it ended with one
  bool endless = false;               ///< it timed out because the server did not stop sending
  std::vector<Noise> noise;
  /// Not empty: which limit of ours what came is beyond, so that nothing can be said about it.
  std::string beyond_limit;
  /// HTTP: nothing but a limit on how often the server is called came back, also later.
  bool limited = false;
  /// HTTP: it was refused by 401 with a challenge (RFC 9110 §15.5.2), and not by a Response.
  bool asks_for_login = false;
  /// Nothing was sent: the server had ended since the step before, of what the case had sent by
  /// then. Another one, which has heard nothing of that, does not stand in for it.
  bool comes_too_late = false;
  /// Not empty: nothing was sent, because the step tells nothing here, and why.
  std::string not_asked = {};
  bool held_back = false;  ///< a stream: its answer came only when the next message had come
  /// Not empty: nor would the answer that is here have come otherwise, and how that showed.
  std::string held_until_more = {};
  std::string unfinished;  ///< what had come of a message that was not ended when waiting was over
  bool control_answered = false;   ///< a control call sent after the messages has been answered
  std::string control_answer;      ///< by this message
  std::vector<std::string> pongs;  ///< the payloads of those that came
  std::optional<Close> close;      ///< nothing where the connection ended without one, or stands
  std::optional<Handshake> handshake;
};

/// Whether the server still serves, asked by a control call.
enum class Survival {
  unasked,  ///< only well-formed messages were sent, and they were answered
  alive,    ///< it answered the control call
  deaf,     ///< the connection stands and nothing is answered on it; a new one works
  wedged,   ///< the process lives, and no connection is served
  dead,     ///< the process has ended, or the port refuses connections
};

std::string_view name_of(Survival survival);

/// The answer to "does it still serve?", with the evidence.
struct SurvivalCheck {
  Survival survival = Survival::unasked;
  std::string detail;  ///< "exited with code 1", "connection refused"
  std::string standard_error;
  /// While this was asked an answer came that had been waited for in vain: the wait was too short.
  bool answered_meanwhile = false;
  std::string answer = {};  ///< to the control call, where it came
  int answer_status = 0;    ///< under which it came; 0 where there is no HTTP
  /// With answered_meanwhile: it came a while behind what was asked: the server is slow, and holds
  /// nothing back until it is sent more.
  bool was_slow = false;
  /// The control call was left out, and the one behind it answered. The server is deaf all the same
  /// where no call behind what was sent had an answer before.
  bool answers_next = false;
  /// Whoever calls was refused (HTTP 401, 402 or 403), where calls were served before.
  bool keeps_out = false;
};

}  // namespace jrpcheck::dialogue
