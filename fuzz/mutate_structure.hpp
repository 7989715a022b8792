// Variants of messages that stay what they are: a Request with another id, a batch with one more.
#pragma once

#include "fuzz/random.hpp"
#include "fuzz/vocabulary.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// Changes one thing about a Request or about an element of a batch, or about what elements stand
/// in the batch. Most of the time it is as valid as before; what is neither is left alone.
void mutate_structure(json::Value& message, Random& random, const Vocabulary& vocabulary);

/// A Request with members of two; a batch with elements of two batches, or of one and a Request.
json::Value blended(json::Value one, json::Value other, Random& random);

}  // namespace jrpcheck::fuzz
