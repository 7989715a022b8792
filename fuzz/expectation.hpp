// Expectation: what a server may answer to any bytes whatever, as a case of one step.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "corpus/case.hpp"
#include "dialogue/message.hpp"
#include "wire/binding.hpp"

namespace jrpcheck::fuzz {

struct Protocol;

/// How method names begin that no server has. Only of these it is known that they are unknown.
inline constexpr std::string_view kUnknownMethod = "jrpcheck";

/// Beyond so many elements a server may refuse a batch for its size.
inline constexpr std::size_t kLargeBatch = 20;

/// What is known about the server.
struct Traits {
  const wire::Binding* binding = &wire::default_stream_binding();
  /// It serves batches of so many elements; false also where it declares them unsupported.
  bool serves_batches = true;
  /// It speaks a dialect (LSP, MCP) in which more than a plain call may be refused or ignored:
  /// Arrays as params, ids that are null or fractions, what comes out of turn.
  bool is_dialect = false;
  std::vector<std::string> methods = {};  ///< that it is known to have
  std::string subtraction = {};           ///< the one that subtracts; empty: none is known
  bool refuses_used_ids = false;          ///< an id that it has seen before, as MCP lets it
  /// It refuses longer ones for their length, whatever they say.
  std::size_t longest_message = std::numeric_limits<std::size_t>::max();
  /// And those that are nested deeper (RFC 8259 §9); so many Arrays and Objects in each other.
  std::size_t deepest_message = std::numeric_limits<std::size_t>::max();
  std::shared_ptr<const Protocol> protocol = {};  ///< null: it is judged by JSON-RPC alone
};

struct Expectation {
  /// What was sent, in words: half of the shape of a finding. "call of an unknown method",
  /// "batch of call, notification".
  std::string kind;
  bool is_call = false;    ///< one Request, without fault, that is due a Response
  bool is_faulty = false;  ///< holds what is no JSON or no Request, or a Request with a fault
  /// One step that sends the bytes, and the outcomes that are no failure.
  corpus::Case expected;
  /// Where several readings are right nothing is said about which answer comes, or whether any
  /// does; the outcomes are the ones that are likely. What comes has to be well-formed all the
  /// same.
  bool open = false;
  /// A Notification; where it is open, one that may be refused as no Request in place of being
  /// taken in silence.
  bool is_notification = false;
  /// May be taken for a Request of JSON-RPC 1.0, and answered in its shape.
  bool may_be_1_0 = false;
  /// What its messages have in common that are not answered in time; empty: the kind.
  std::string waits_like = {};
  bool is_foreign = false;  ///< no message of the protocol on top
};

/// Says nothing that could accuse a server that keeps to the specification: where the ledger leaves
/// something open, so does this.
Expectation expectation_of(std::string_view text, const Traits& traits);

}  // namespace jrpcheck::fuzz
