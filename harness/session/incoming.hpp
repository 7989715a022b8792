// What a message from the server is: an answer, something said unasked, or no message at all.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/dialect.hpp"
#include "dialogue/id_key.hpp"
#include "dialogue/message.hpp"
#include "json/value.hpp"

namespace jrpcheck::session {

enum class IncomingKind {
  reply,           ///< answers what was sent, well or badly
  value,           ///< JSON in lines, and no message: printed beside one, or a reply gone wrong
  control,         ///< answers a control call
  control_again,   ///< answers one that has had its answer
  control_broken,  ///< answers one, and is no JSON
  control_cut,     ///< answers one, with what 16 bits hold of its id
  unasked,         ///< a Request or Notification of the server's own
  foreign,  ///< a Response with an id that nobody has sent: to nothing, or a reply with a wrong id
  late,     ///< answers something sent in an earlier case
  noise,    ///< output that is no message
};

/// The answer that a Request of the server's own gets: its method is unknown here (JSON-RPC 2.0
/// §5.1), unless `answers` has one for it, as in Opening. Nothing for any other message.
std::optional<std::string> answer_to_request(
    const dialogue::Message& message, const std::map<std::string, std::string>& answers = {});

/// Tells incoming messages of one stream apart.
class IncomingSorter {
 public:
  /// Where the framing itself marks what a message is, nothing within it is noise.
  explicit IncomingSorter(bool delimited) : delimited_(delimited) {}

  /// A control call with this id was sent.
  void expect_control(long long id);
  /// How many control calls from this id up to the other, which is not among them, wait.
  std::size_t controls_waiting(long long first, long long end) const;
  /// What was sent with these ids is waited for no more, and its answers may still come.
  void expect_late(std::vector<std::string> keys);
  /// The ids of what is sent now, in so many messages; those of before become ids of earlier cases.
  /// `unread` is what cannot be read of it, in which a server may find ids all the same.
  void begin_step(std::vector<std::string> keys, std::string unread = {}, std::size_t messages = 1);

  /// Whether an answer has come with the id of what it answers.
  bool returns_ids() const { return returns_ids_; }
  /// Whether one of these ids has been sent before on this stream.
  bool has_used(const std::vector<std::string>& keys) const;

  IncomingKind sort(const dialogue::Message& message) const;
  /// The same; and the calls that a reply answers wait for nothing more. So does a call that was
  /// sent alone, and is taken for no Request: that is answered with id null (JSON-RPC 2.0 §5).
  IncomingKind take(const dialogue::Message& message);
  /// Whether all calls that a late message seems to answer have had their answer. Then it may as
  /// well be an answer to what is sent now, with a wrong id.
  bool had_their_answer(const dialogue::Message& late) const;
  /// Whether the message answers this control call, in an Array or not.
  static bool answers(const dialogue::Message& message, long long id);
  /// The same where 16 bits hold the id that comes back.
  static bool answers_in_16_bits(const dialogue::Message& message, long long id);
  /// Whether text that cannot be read is a Response gone wrong to the call with this key: no other
  /// id stands in it.
  static bool spells_answer(std::string_view text, const std::string& key);

 private:
  bool spells_control(const std::string& text) const;
  std::optional<std::string> control_in_16_bits(const json::Value& object) const;
  IncomingKind sort_object(const json::Value& object) const;
  IncomingKind sort_array(const json::Value& array) const;
  bool is_late(const std::vector<std::string>& keys) const;
  bool is_foreign(const json::Value& object, const std::string& key) const;
  bool is_log_line(const json::Value& object) const;

  bool delimited_;
  std::set<std::string> controls_;           // keys
  std::set<std::string> answered_controls_;  // of these
  // What 16 bits hold of those that need more, and the key itself.
  std::map<std::string, std::string> controls_in_16_bits_;
  std::set<std::string> current_;
  std::string unread_;        // of what is sent now
  std::size_t messages_ = 0;  // that are sent now
  std::set<std::string> earlier_;
  std::set<std::string> answered_;
  bool returns_ids_ = false;
};

/// What is to be known of the messages of a step before they are sent.
struct Outgoing {
  std::vector<std::string> id_keys;  ///< of all of them, as of `id_keys_of`
  std::string unread;                ///< those that are not JSON, one behind the other
  std::size_t messages = 0;          ///< how many there are
  bool well_formed = true;           ///< each one is, as of `is_well_formed`
};

Outgoing outgoing(const std::vector<dialogue::Message>& messages, corpus::Dialect dialect);

/// Whether a message is a Request or Notification, or a batch of nothing else, with nothing wrong
/// in its envelope: what every server must bear (JSON-RPC 2.0 §4, §6). In 1.0 there are no batches.
bool is_well_formed(const dialogue::Message& message,
                    corpus::Dialect dialect = corpus::Dialect::json_rpc_2_0);

}  // namespace jrpcheck::session
