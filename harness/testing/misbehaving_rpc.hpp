// A small JSON-RPC 2.0 server without I/O, and the ways in which it can be told to be wrong.
//
// It shares no code with the suite that judges it, so that an error in one is not an error in both.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace misbehaving {

/// A parsed value. Scalars keep their spelling in `raw`.
struct Json {
  char kind = 'n';  ///< one of { [ " 0 t f n
  std::string_view raw;
  std::string text;  ///< of a String: what it spells
  std::vector<std::string> names;
  std::vector<Json> children;

  /// The last member of that name, or null.
  const Json* find(std::string_view name) const;
};

/// Whether `text` is one JSON text in UTF-8 (RFC 8259), and if so its value.
bool parse(std::string_view text, Json& value);

/// What is wrong with the replies, one fault each.
struct Flaws {
  bool omits_version = false;
  bool loses_id_on_errors = false;
  bool id_as_string = false;
  bool swaps_codes = false;  ///< -32601 and -32603
  bool answers_notifications = false;
  bool answers_silence_with_empty_array = false;
  bool drops_batch_member = false;
  bool null_result_beside_error = false;
  bool error_is_text = false;
  bool invalid_is_parse_error = false;  ///< -32700 where -32600 is due
  bool refuses_batches = false;
  bool wrong_difference = false;
  // Unusual, but no faults.
  bool reverses_batches = false;
  bool spaced = false;
  bool adds_data = false;
  bool echoes_id_of_invalid = false;
  std::string repeats = {};  ///< said in every error
};

/// What kind of message came in, for servers that break on one kind.
enum class Kind { not_json, empty_batch, batch, invalid, notification, call };

Kind kind_of(std::string_view message);

/// Whether any Request in the message, or the message itself, is none.
bool has_fault(std::string_view message);

/// The reply to one message; empty for silence.
std::string reply_to(std::string_view message, const Flaws& flaws);

}  // namespace misbehaving
