// Pairing: which Response of a batch's answer belongs to which of its elements.
#pragma once

#include <cstddef>
#include <vector>

#include "fuzz/expected_response.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

struct Pair {
  std::size_t element;
  std::size_t response;
  bool by_id;  ///< the Response carries the id that was sent, or what was made of it, and no other
               ///< has sent it
};

struct Pairing {
  std::vector<Pair> pairs;
  std::vector<std::size_t> unanswered;  ///< elements that are due a Response
  std::vector<std::size_t> surplus;     ///< Responses
};

/// Whether a Request within the Array has this id.
bool holds_id(const json::Value& array, const json::Value& id);

/// So that as little as possible is wrong in all of them together; where several pairings leave as
/// little, an id that was sent tells whose a Response is, then what has become of one, then the
/// place in which it stands.
Pairing pair_up(const std::vector<ExpectedResponse>& elements,
                const std::vector<const json::Value*>& sent,
                const std::vector<const json::Value*>& responses);

}  // namespace jrpcheck::fuzz
