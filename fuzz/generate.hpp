// The generator: messages of JSON-RPC from its grammar, right and wrong ones.
#pragma once

#include <string>

#include "fuzz/random.hpp"
#include "fuzz/vocabulary.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// A valid call or Notification (JSON-RPC 2.0 §4).
json::Value generate_request(Random& random, const Vocabulary& vocabulary);
/// Params of any shape that the specification allows (§4.2).
json::Value generate_params(Random& random, const Vocabulary& vocabulary);
/// The same for a method: often what it has been called with before, changed a little or not.
json::Value generate_params_for(const std::string& method, Random& random,
                                const Vocabulary& vocabulary);
/// An id of a type that no id may have.
json::Value wrong_id(Random& random);
/// A Request with one thing wrong, or something in its place that is none.
json::Value generate_invalid(Random& random, const Vocabulary& vocabulary);
/// A batch, which may be empty, nested or mixed (§6).
json::Value generate_batch(Random& random, const Vocabulary& vocabulary);

/// Any of these as text, spelled in some way that RFC 8259 allows; and text that is no JSON.
std::string generate_message(Random& random, const Vocabulary& vocabulary);

/// The same value spelled otherwise: white space between tokens, escapes in strings.
std::string respell(std::string_view text, Random& random);

}  // namespace jrpcheck::fuzz
