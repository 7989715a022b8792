// The protocol on top of JSON-RPC: its schemas and rules held against all that a server says.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.hpp"
#include "corpus/catalogue.hpp"
#include "corpus/corpus.hpp"
#include "dialogue/message.hpp"
#include "dialogue/transcript.hpp"
#include "judge/charger.hpp"
#include "schema/message_schemas.hpp"
#include "schema/published_schema.hpp"

namespace jrpcheck::judge {

struct RuleRow;

/// A rule that the profile names, and the requirement that it charges.
struct AskedRule {
  const RuleRow* row = nullptr;
  std::string charges;
};

/// The law of one profile. Data; several threads may use it. rules/law.hpp reads it.
struct Law {
  corpus::Profile profile;
  std::vector<AskedRule> rules = {};
  std::optional<schema::MessageSchemas> schemas = {};
  /// That of others, which the user brings: where it differs from ours, that is told.
  std::optional<schema::PublishedSchema> published = {};
  /// What the server says that it has; null before it was asked.
  std::shared_ptr<const corpus::Catalogue> catalogue = {};
};

/// The observation that the schema of the user's and ours differ.
inline constexpr std::string_view kSchemasDiffer = "schema of --schema";

/// Whether the protocol has such messages of a client; where its schemas do not say, all are its.
/// Its own cases may send more: what "own" says.
bool is_message_of_client(const Law& law, std::string_view text, bool is_of_own_case = false);

/// The requirements that the law judges whatever is said: those of its schemas and of its rules.
std::set<std::string> requirements_of(const Law& law);

/// One message, and what it answers.
struct Spoken {
  bool by_server = false;
  const json::Value* value = nullptr;  ///< the Request, Notification or Response
  const json::Value* call = nullptr;   ///< the Request that it answers; null where there is none
  std::size_t step = 0;                ///< of the case
  bool in_batch = false;
  std::size_t http_status = 0;  ///< 0 where there is no HTTP
  bool is_received = false;     ///< for what was sent in its step

  std::string_view method() const;  ///< its own; empty where it is a Response
  std::string_view called() const;  ///< that of the call; empty where it answers none
  const json::Value* at(std::string_view pointer) const;
  bool is_request() const { return !method().empty() && value->find("id") != nullptr; }
  bool is_notification() const { return !method().empty() && value->find("id") == nullptr; }
};

/// What was said in one conversation, in order.
class Heard {
 public:
  /// A call with none of the members that each Request of the law has is one of another law, as of
  /// an earlier version: a result of it answers nothing here.
  explicit Heard(const std::vector<dialogue::Event>& events,
                 const std::string& request_members = {});

  const std::vector<Spoken>& all() const { return spoken_; }

 private:
  void take(const dialogue::Message& message, Spoken spoken);
  void pair_up();

  std::deque<dialogue::Message> messages_;  // what `spoken_` points into
  std::vector<Spoken> spoken_;
};

/// A rule: reads all that was said, and charges `requirement`.
struct RuleCall {
  const std::vector<dialogue::Event>& events;
  const Heard& heard;  ///< what was said in them
  const Law& law;
  std::string_view requirement;
  Charger& charger;
  /// The message that was charged last, and how it is shown: each part of one may break a rule.
  mutable std::pair<const json::Value*, std::string> shown = {};

  /// The rule has met something that it is about.
  void exercise() const { charger.exercise(requirement); }
  /// `sentence` says what is wrong; `at` is a JSON pointer into the message.
  void charge(const Spoken& message, std::string_view at, std::string sentence,
              std::string expected) const;
  /// The same of what is no message: `actual` is what came in the step.
  void charge_step(std::size_t step, std::string sentence, std::string expected,
                   std::string_view actual, std::string_view at = "") const;
};
using Rule = void (*)(const RuleCall& call);

/// How much of a conversation a rule needs to hear, to be right about what it hears.
enum class Needs {
  conversation,   ///< all of it, as jrpcheck leads it
  event_streams,  ///< likewise; it is about event streams, and elsewhere has nothing to say
  session,        ///< all of it, whoever leads it
  handshake,      ///< all that was said until the client was ready, in its order
  opening,        ///< one message of the server's, behind the call that opens the conversation
  message,        ///< one message of the server's, with the call that it answers
};

struct RuleRow {
  std::string_view name;
  Rule rule;
  Needs needs = Needs::conversation;
};

/// Charges what is wrong by the law with what was said.
void judge_protocol(const std::vector<dialogue::Event>& events, const Law& law, Charger& charger);

/// Whether a server owes this to whoever sends it anything at all, be it no message of the
/// protocol.
bool is_owed_to_all(std::string_view requirement, const Law& law, const corpus::Ledger& ledger);

/// The same as judge_protocol, added to what was judged already: of all that, what the profile
/// exempts is recorded and not charged, what is a refusal of ours that the server hands on
/// (handed_on.hpp) is taken back, and of what was said to what `is_foreign`, no message of the
/// protocol, only what a server owes to whoever sends it anything is charged. Gives whether there
/// was more in what was said to that.
bool judge_by_law(const std::vector<dialogue::Event>& events, const Law& law,
                  const corpus::Ledger& ledger, Judgement& judgement, bool is_foreign = false);

}  // namespace jrpcheck::judge
