// Evidence: what one step of a case brought back, read once.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "corpus/profile.hpp"
#include "dialogue/exchange.hpp"
#include "json/value.hpp"

namespace jrpcheck::judge {

struct Evidence {
  const dialogue::Exchange& exchange;
  std::vector<const dialogue::Reply*> replies = {};  ///< without what the HTTP layer said
  std::vector<const json::Value*> values = {};       ///< of those that are JSON
  bool unreadable = false;  ///< one of them was no JSON, which the envelope rules charge
  bool refused = false;     ///< nothing but an HTTP error status whose body is no Response
  /// What was sent is no Request, and the protocol lets an HTTP error say that it is not accepted.
  bool may_be_refused = false;
  bool is_owed_http = false;  ///< each message is an HTTP request, and has a response
  /// How the protocol lets an error come without an id in such an exchange; null: it does not.
  const corpus::ErrorsWithoutId* without_id = nullptr;

  bool has_none() const { return replies.empty(); }
  /// In one word, when no Response came.
  std::string_view absence() const { return refused ? "refused" : "nothing"; }
};

/// The Responses that an Object holds which is none itself: those to a batch, where an Array is
/// due.
std::vector<const json::Value*> responses_within(const json::Value& value);

/// The exchange must outlive what is read from it. `may_be_refused`: as above; an error without an
/// id, under an HTTP error status, says why then, and is no Response.
Evidence read(const dialogue::Exchange& exchange, bool may_be_refused = false);

/// Whether the request for WebSocket was answered by another status than 101: of what was to be
/// sent behind it nothing was.
bool has_refused_handshake(const dialogue::Exchange& exchange);

/// What came back, for people.
std::string came_back(const Evidence& evidence);
/// The same. Where an outcome is about one part of a result, that part comes first: a long message
/// is cut.
std::string came_back(const Evidence& evidence, const corpus::Outcome& outcome);

}  // namespace jrpcheck::judge
