// Binding: how messages travel. One row of a table for each; whoever needs to know what follows
// from a binding asks its row, and never for its name.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wire/framing.hpp"

namespace jrpcheck::wire {

/// A whole message that came without what ends it in its framing.
struct Unframed {
  std::string_view requirement;
  std::string_view expected;
};

struct Binding {
  std::string_view name = {};               ///< in cases, reports and --framing
  std::string_view requirement_class = {};  ///< its own class of the ledger; empty: none
  /// The class of what carries it: standard input and output, or sockets.
  std::string_view carrier_class = {};
  /// The class of the door behind which it is spoken: TLS, or a socket of this machine.
  std::string_view door_class = {};
  /// HTTP whose answers are event streams, which have a class of their own.
  bool on_event_streams = false;
  /// The codec on a stream; none where each message is an HTTP request of its own.
  MakeFraming framing = nullptr;

  bool tried_unasked = false;  ///< when nobody says which framing is spoken
  bool pairs_replies = false;  ///< what comes back on its connection answers this message
  /// Where a message ends is told apart from the message, by what stands before or behind it: all
  /// within it belongs to it.
  bool delimits_messages = false;
  bool masks = false;               ///< what a client sends cannot be read in its bytes
  bool utf8_only = false;           ///< what is no UTF-8 is no message, and ends the connection
  bool fragments_messages = false;  ///< one may come in several frames
  bool is_upgrade = false;          ///< its connections begin with a request for it over HTTP
  bool structures_only = false;     ///< only an Object or Array ends by itself
  /// Each of these bytes ends a message, so none may be in it.
  std::string_view ends_message = {};
  bool batches_optional = false;  ///< the protocol that it was made for has none
  /// What a stream begins with, in any letter case; empty: with nothing fixed.
  std::string_view begins_stream = {};
  std::size_t head_bytes = 0;  ///< about how many bytes stand before a message
  /// Its streams are connections to one server, and not the standard streams of a program each.
  bool on_sockets = false;
  std::string_view place = "on standard output";  ///< where its messages come in, for people

  // What departures from the framing are charged to. Empty: there is no such departure.
  std::string_view noise = {};          ///< something that is no message
  std::string_view several_lines = {};  ///< a message on several lines
  std::string_view wrong_length = {};   ///< the length in the header is not that of the message
  std::string_view broken_head = {};    ///< a header block that cannot be read
  Unframed unframed = {};
  /// What is charged on sockets where a message's end is missing or wrong, in place of what is
  /// charged on standard output.
  std::string_view end_on_sockets = {};
  /// Where violations differ in what they are charged to; in place of `noise`.
  std::string_view (*charge_of)(std::string_view violation) = nullptr;

  /// Whether nothing but the length before a message tells where the next one begins.
  constexpr bool has_lengths_alone() const { return !wrong_length.empty() && broken_head.empty(); }
  /// Whether TLS carries it, in records that say nothing of messages.
  bool comes_in_records() const;
  /// Whether a block of header lines stands before each message on a stream.
  constexpr bool has_heads() const { return !broken_head.empty(); }
  constexpr bool is_stream() const { return framing != nullptr; }
  /// Whether --framing can name it: TARGET says by itself where WebSocket is spoken.
  constexpr bool is_framing() const { return is_stream() && !is_upgrade; }
};

/// All there are. The first with a codec is the one of programs that nobody can ask.
std::span<const Binding> bindings();

const Binding* binding_named(std::string_view name);
/// The same, for a name that is in the table.
const Binding& known_binding(std::string_view name);
const Binding& default_stream_binding();
/// The first that is so: `first_that(&Binding::is_upgrade)`. For who cannot do without a row that
/// is, and knows nothing else of it.
const Binding& first_that(bool Binding::*is_so);

/// The one whose streams begin as `bytes` do, where only one begins so; else null.
const Binding* framing_begun_by(std::string_view bytes);

/// The requirements that departures from its framing are charged to; `charge_of` knows more.
std::vector<std::string_view> charges_of(const Binding& binding);

/// Whether nothing in `text` ends it early: it goes out as one message.
bool stays_whole(const Binding& binding, std::string_view text);

/// How the same framing is spoken on sockets; the binding itself where it is no framing.
const Binding& on_sockets(const Binding& binding);

/// HTTP whose answers are event streams; the same where it is not HTTP.
const Binding& on_event_streams(const Binding& binding);

/// What reports call it, by which `binding_named` finds it too.
std::string_view reported_name(const Binding& binding);

/// How it is spoken behind a door with a class of its own; the same where there is none.
const Binding& behind_door(const Binding& binding, std::string_view door_class);

/// Whether a class of the ledger applies to a server on this binding: it is the binding's own, or
/// it is no binding's. Without a binding the target was not reached, and only the latter apply.
bool applies_class(const Binding* binding, std::string_view requirement_class);

/// Whether cases about a class apply to a server on this binding: also those about what carries it,
/// whatever the ledger makes of them there.
bool applies_cases_of(const Binding& binding, std::string_view requirement_class);

/// The names of the stream bindings, as --framing takes them.
std::string framing_names(std::string_view separator);

}  // namespace jrpcheck::wire
