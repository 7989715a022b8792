// Vocabulary: the words that messages are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fuzz/random.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// Params that a method has been called with, as text.
struct Sample {
  std::string method;
  std::string params;
};

struct Vocabulary {
  /// Methods that the server has. Besides them only such are called that no server has, so that
  /// nothing is set off by accident.
  std::vector<std::string> methods = {};
  /// Names and texts that this server seems to know: of its params, and out of its replies.
  std::vector<std::string> names = {};
  std::vector<std::string> texts = {};
  std::vector<Sample> samples = {};  ///< of its methods
};

/// Adds what a message says: names of members that are not the protocol's, words, texts, and what
/// methods of the vocabulary are called with. Words that are known already, and what comes after a
/// few hundred, are left out.
void learn_from(std::string_view message, Vocabulary& vocabulary);
/// Whether a reply names one of the methods that are known: then the other texts in it are methods
/// too, and a text may come to stand where a method is named. "shutdown" must not.
bool lists_methods(std::string_view message, const std::vector<std::string>& methods);

std::string unknown_method(Random& random);
/// A method of the vocabulary, an unknown one, or a name with a meaning of its own.
std::string any_method(Random& random, const Vocabulary& vocabulary);

/// Member names that mean something to JSON-RPC, to JSON or to a programming language, or to this
/// server.
std::string any_name(Random& random, const Vocabulary& vocabulary = {});
/// The same name as a loose reader may take it: in other case, with space about it, with a letter
/// that looks like one of its own.
std::string misspelt(std::string name, Random& random);
/// Numbers small and common, at the edges of types, and spelled in odd ways; few that a parser may
/// refuse or round, because little can be said of the answer to a message that has one.
std::string any_number(Random& random);
/// Texts that are hard to carry: empty, escaped, beyond the BMP, NUL; few lone surrogates.
std::string any_text(Random& random, const Vocabulary& vocabulary = {});
/// A value that nests `depth` deep at most.
json::Value any_value(Random& random, std::size_t depth, const Vocabulary& vocabulary = {});
/// A String, a Number or null, as an id may be. Small ones come again and again.
json::Value any_id(Random& random);

}  // namespace jrpcheck::fuzz
