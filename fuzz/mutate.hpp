// The mutator: a message changed a little, on the tree that keeps what other trees lose.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fuzz/random.hpp"
#include "fuzz/vocabulary.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

/// Changes the value in one place: a member twice, another type, a wrapper more or less, another
/// order, words of the vocabulary.
void mutate_tree(json::Value& root, Random& random, const Vocabulary& vocabulary);

/// Changes a few bytes.
std::string mutate_bytes(std::string text, Random& random);

/// A variant of a message: of its tree most of the time, now and then of its bytes or its spelling,
/// and once in six a fresh message, without which planted faults go unfound.
std::string mutate_message(std::string_view text, Random& random, const Vocabulary& vocabulary);

/// A message with parts of both; a batch of both where they are Requests.
std::string cross_over(std::string_view one, std::string_view other, Random& random);

}  // namespace jrpcheck::fuzz
