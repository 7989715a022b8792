// From bytes to what JSON-RPC speaks of: one element, or a batch of them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "reference-impl/limits.hpp"

namespace jrpcheck::reference {

/// What should be a Request: a message that is no batch, or a member of a batch. Where a name
/// occurs twice in an Object, the last one counts (RFC 8259 §4 leaves that open).
struct Element {
  nlohmann::json value;
  /// The id's token, where it is a Number that nlohmann/json would round or spell otherwise. An id
  /// is echoed with its exact value (JSON-RPC 2.0 §5), be it 1e400 or 300 digits long.
  std::string exact_id;
  /// Why `value` does not hold all of params; else empty.
  std::string params_obstacle;
};

struct Message {
  bool is_batch = false;
  std::vector<Element> elements;  ///< exactly one when it is no batch
};

/// Parses strict RFC 8259 JSON; a byte order mark at the front is ignored (§8.1). All of `text` is
/// checked, yet nothing nested deeper than `limits.max_depth` is built: such a value is null.
/// Within params that, or a Number beyond double, is an obstacle; elsewhere nobody reads it.
///
/// Escapes of lone surrogates are refused with the rest of what is not JSON: what they denote
/// cannot be written back as UTF-8 (RFC 8259 §8.2).
Result<Message> read_message(std::string_view text, const Limits& limits);

}  // namespace jrpcheck::reference
