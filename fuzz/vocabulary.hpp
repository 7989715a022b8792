// Vocabulary: the words that messages are made of.
#pragma once

#include <string>
#include <vector>

#include "fuzz/random.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

struct Vocabulary {
  /// Methods that the server has. Besides them only such are called that no server has, so that
  /// nothing is set off by accident.
  std::vector<std::string> methods = {};
};

std::string unknown_method(Random& random);
/// A method of the vocabulary, an unknown one, or a name with a meaning of its own.
std::string any_method(Random& random, const Vocabulary& vocabulary);

/// Member names that mean something to JSON-RPC, to JSON or to a programming language.
std::string any_name(Random& random);
/// Numbers at the edges of types, and spelled in odd ways.
std::string any_number(Random& random);
/// Texts that are hard to carry: empty, escaped, beyond the BMP, NUL, lone surrogates.
std::string any_text(Random& random);
/// A value that nests `depth` deep at most.
json::Value any_value(Random& random, std::size_t depth);
/// A String, a Number or null, as an id may be.
json::Value any_id(Random& random);

}  // namespace jrpcheck::fuzz
