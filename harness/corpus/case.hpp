// Case: one thing that is sent to a server, and what may come back. Plain data, read from cases/.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "corpus/other_codes.hpp"
#include "dialogue/message.hpp"
#include "json/value.hpp"
#include "wire/framing.hpp"
#include "wire/tls_details.hpp"

namespace jrpcheck::wire {
struct Binding;
}

namespace jrpcheck::corpus {

enum class Verdict { pass, warn, fail };

std::string_view name_of(Verdict verdict);

/// How the id of a Response must read: one of these values, by type and exact value.
struct IdPattern {
  std::vector<json::Value> any_of;
  bool or_none = false;  ///< it may also be left out
};

/// What result must be. Exactly one of the members says so; all empty means: anything.
struct ResultPattern {
  std::string at;  ///< a JSON pointer to the part that is meant; empty: all of it
  std::optional<json::Value> equals;
  std::optional<json::Kind> type;
  std::string contains = {};  ///< a String with this in it
};

/// Which codes an error may carry; both empty means: any.
struct ErrorPattern {
  std::vector<long long> codes;
  std::vector<long long> codes_not;
};

/// One Response: its id, and either a result or an error. Without both (no case file says that)
/// either will do.
/// With both, either may come.
struct ResponsePattern {
  IdPattern id;
  std::optional<ResultPattern> result;
  std::optional<ErrorPattern> error;
};

/// One thing that may come back, and what it means.
struct Outcome {
  enum class Shape {
    response,   ///< one message, `responses[0]`
    batch,      ///< one Array whose elements match `responses` in any order
    responses,  ///< separate messages that match `responses` in any order
    silence,    ///< nothing, while the server goes on answering
    refused,    ///< HTTP: a 4xx or 5xx status whose body is not JSON
    closed,     ///< the connection closed without an answer
    status,     ///< HTTP: a status from `status_from` to `status_to`, whatever the body
    exited,     ///< the program ended by itself, whatever it said before
    anything,   ///< whatever came, or nothing, but that it is waited for in vain
  };

  Shape shape = Shape::response;
  std::vector<ResponsePattern> responses;
  /// Of `responses`: one more message, which is an Array whose elements match these in any order.
  std::optional<std::vector<ResponsePattern>> array = {};
  Verdict verdict = Verdict::pass;
  std::string charge;   ///< requirement a warn or fail belongs to
  std::string because;  ///< why it is a warn or fail
  std::string observe;  ///< recorded under the case's `observes`
  bool envelope_1_0 = false;
  std::vector<std::string> transports;  ///< empty: all; an outcome that does not apply is dropped
  /// Beside `closed`, of WebSocket: empty is any, or none. Beside `exited`, of the program: empty
  /// is any.
  std::vector<int> close_codes;
  int status_from = 0;
  int status_to = 0;
  std::string tells_nothing = {};  ///< why the case is not exercised where it came true
};

std::string_view name_of(Outcome::Shape shape);

/// Departures from a plain HTTP POST. A header without value is left out.
struct HttpDetails {
  std::string method = "POST";
  std::string path = {};  ///< in place of the target's own; empty: that
  std::vector<std::pair<std::string, std::optional<std::string>>> headers;
  bool chunked = false;
  bool until_stream_ends = false;  ///< an event stream is read to its end, and not left before
  bool needs_session = false;      ///< tells nothing where the server gave out no session
  bool needs_login = false;        ///< tells nothing where nobody is logged in
  bool needs_endpoint = false;     ///< tells nothing where answers come on no stream of their own
  bool without_endpoint = false;   ///< tells nothing where they come on one
  bool another_listens = false;    ///< meanwhile, on a stream of its own, and asks nothing
  bool on_loopback = false;        ///< tells nothing of a server that others can reach
};

/// Bytes sent at one go, and the outcomes that are no failure.
struct Step {
  std::vector<dialogue::Message> messages;  ///< more than one: they leave in one write
  /// Of those that are frames and no whole messages, how they are written; by place.
  std::map<std::size_t, wire::FrameDetails> frames;
  bool raw = false;                     ///< no framing is added
  std::size_t listen_first_ms = 0;      ///< whether the program ends by itself, before they leave
  std::size_t write_every = 0;          ///< pieces of so many bytes; 0: not cut that way
  std::vector<std::size_t> write_at;    ///< cut at these offsets, in pieces that arrive apart
  std::size_t write_after_replies = 0;  ///< the first rest leaves when so many have come back
  bool write_after_head = false;        ///< HTTP: cut between head and body likewise
  bool end_of_input = false;
  /// What becomes of the connection once the messages are sent.
  enum class Then {
    read,                 ///< what comes back on it is what the step brings
    hold,                 ///< it is left open and unread while the steps that follow go on others
    reset,                ///< it is reset at once; those go on others
    reset_within_answer,  ///< likewise, once the first bytes of an answer have come
  };
  Then then = Then::read;
  bool slow = false;          ///< its answer may take longer than we wait, which tells nothing then
  bool as_it_stands = false;  ///< gets no members that the protocol wants in every Request
  bool concurrently = false;  ///< but on a program's streams: each message on a connection
  bool same_connection =
      false;                   ///< tells nothing unless it goes on the connection of the one before
  bool same_status = false;    ///< HTTP: the status is that of the step before
  bool after_result = false;   ///< the case ends where the step before has brought no result
  bool after_error = false;    ///< or no error
  bool after_failure = false;  ///< or none of the method's own: what refuses a Request is none
  bool after_invalid_params = false;  ///< or no -32602
  HttpDetails http;
  bool handshake = false;       ///< on a connection of its own, made with the headers of `http`
  std::string needs_extension;  ///< of WebSocket: tells nothing where it is not agreed on
  std::optional<wire::TlsDetails> tls;  ///< on a connection of its own, with these departures
  std::vector<Outcome> accept;
  std::map<std::string, std::string> charge;  ///< part that is wrong -> requirement

  bool accepts(Outcome::Shape shape) const;
  /// Whether the program is to end by itself, so that it is waited for and asked nothing more.
  bool awaits_exit() const;
  /// The messages that they make up: fragments put together, without control frames.
  std::vector<dialogue::Message> whole_messages() const;
  /// The payload of the last ping that it sends, which may be answered alone (RFC 6455 §5.5.3).
  /// Nothing where a frame is broken on purpose, or the connection is left.
  std::optional<std::string> pong_due() const;
  /// Whether something must come back: no outcome without a reply passes or warns.
  bool demands_reply() const;
};

/// A step that sends this message, and accepts no outcome yet.
Step step_sending(dialogue::Message message);

/// For a negative case: where it comes from and the one edit that makes it wrong.
struct Derivation {
  std::string from;
  std::string replace;
  std::string with;
};

struct Case {
  std::string id;
  std::string title;
  std::vector<std::string> requirements;
  std::vector<std::string> transports;  ///< empty: all
  std::vector<std::string> roles;
  std::vector<std::string> versions;  ///< of the protocol; empty: those of its requirement
  std::vector<std::string> when;      ///< JSON pointers to what the server must have declared
  std::vector<std::string> unless;    ///< and to what it must not have declared
  /// With what the case begins: what the others share, a session of its own, or nothing at all.
  enum class Session { shared, own, bare };
  Session session = Session::shared;
  /// Methods of the server's own that are refused in that session, whatever the profile answers.
  std::vector<std::string> refuses;
  /// It sends what is no message of the protocol: the server need not answer, but must go on.
  bool is_foreign = false;
  bool needs_batches = false;             ///< which are served
  bool needs_answers_to_batches = false;  ///< be it by an error that refuses them
  bool needs_http_1_1 = false;
  bool calibration = false;
  bool typical = false;  ///< the plainest case of its kind: a fault here is one everywhere
  std::string observes;
  std::string rests_on;  ///< the case without which this one tells nothing; may be empty
  std::optional<Derivation> derived_from;
  std::vector<Step> steps;
  std::vector<std::string> kills;

  /// What a code means is the protocol's to say: the profile allows these in the place of others.
  std::vector<OtherCodes> other_codes = {};
  bool params_by_position = false;  ///< and lets servers refuse those by name
  bool errors_without_id = false;   ///< and lets errors of null come without an id

  std::string file;  ///< where it was read, for errors
  std::size_t line = 0;
  std::string source;  ///< its JSON text with the placeholders, without the derivation

  bool applies_to(std::string_view transport) const;
  /// Whether each of its messages is one message there: no byte in it ends it early. What is sent
  /// as it stands is none.
  bool stays_whole(const wire::Binding& binding) const;
};

}  // namespace jrpcheck::corpus
