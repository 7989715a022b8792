// The rules that need no cause: what can be said of a client and of a server by what passes between
// them. Pure: for what passes now, for what was recorded, and for a client that is tried.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "corpus/ledger.hpp"
#include "corpus/profile.hpp"
#include "dialogue/traffic.hpp"
#include "judge/judgement.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::judge {

struct TrafficFinding {
  dialogue::Side side = dialogue::Side::server;  ///< whose fault it is
  Finding finding;
  microseconds at{0};
  std::size_t connection = 1;
  std::string call = {};  ///< which it is about, where that is not the message itself: an excerpt
  /// Which it is about, where that has passed before and not now.
  std::optional<std::string> message = {};
  /// Of which method it is told by itself; empty: what it is about is told once of all.
  std::string method = {};
};

/// A call that was answered.
struct AnsweredCall {
  dialogue::Side caller = dialogue::Side::client;
  std::string method;
  microseconds latency{0};
  bool is_error = false;
  /// Both whole, where the context asks for that; null where nobody knows them, or which it is.
  std::optional<dialogue::Message> call = {};
  std::optional<dialogue::Message> answer = {};
};

/// What one thing that passed shows.
struct TrafficShown {
  std::vector<TrafficFinding> findings;
  std::vector<AnsweredCall> answered;
};

/// What one side has said.
struct TrafficCounts {
  std::size_t calls = 0;
  std::size_t notifications = 0;
  std::size_t batches = 0;
  std::size_t unanswered = 0;  ///< of its calls
  std::size_t messages = 0;
  /// Of its answers to no call, those that are let go: what came before may be what they are to.
  std::size_t let_go = 0;
};

/// What a call is that does not say "jsonrpc": "2.0".
enum class OldCalls {
  wrong,           ///< JSON-RPC 2.0 §4: its client is at fault
  of_1_0,          ///< JSON-RPC 1.0: with id null it is a Notification (§1.3)
  of_bitcoin,      ///< Bitcoin Core, the older dialect: it is answered whatever its id
  of_old_bitcoin,  ///< likewise, and before v28 every call is taken for such a one
};
OldCalls old_calls_of(const corpus::Profile& profile);

struct TrafficContext {
  const corpus::Ledger* ledger = nullptr;
  /// What departures of the server from the framing are charged to where nothing else is said.
  const wire::Binding* binding = &wire::default_stream_binding();
  /// Whether what passed before is known: else an answer may be to what nobody has seen.
  bool is_from_the_beginning = true;
  OldCalls old_calls = OldCalls::wrong;
  /// How the protocol lets errors come without an id; null: it does not.
  const corpus::ErrorsWithoutId* errors_without_id = nullptr;
  /// Whether calls are wanted whole, with their answers.
  bool keeps_calls = false;
  /// A call that opens a session may be longer than others.
  std::string opening_method = {};
};

/// Takes in what passes, in its order, within a memory that is bounded however long that is.
class TrafficJudge {
 public:
  explicit TrafficJudge(TrafficContext context);
  TrafficJudge(TrafficJudge&&) noexcept;
  ~TrafficJudge();

  /// How messages travel on a connection, once that is known.
  void use(const wire::Binding& binding, std::size_t connection);

  TrafficShown take(const dialogue::TrafficEvent& event);
  /// Nothing more comes of that connection; how it ended says nothing.
  TrafficShown forget(std::size_t connection);
  /// Nothing more is recorded. Connections that stand are not charged for what may still come.
  TrafficShown end();

  /// Of which requirements something was shown about that side.
  const std::set<std::string>& exercised(dialogue::Side side) const;
  const TrafficCounts& counts(dialogue::Side side) const;

 private:
  class TrafficRules;
  std::unique_ptr<TrafficRules> rules_;
};

/// The requirements that traffic alone can show of a side.
const std::set<std::string>& shown_by_traffic(dialogue::Side side);

}  // namespace jrpcheck::judge
