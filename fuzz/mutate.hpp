// The mutator: a message changed a little, on the tree that keeps what other trees lose.
#pragma once

#include <optional>
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

/// The tree of the message that was made last. Mostly that is the next to be changed, and then it
/// need not be parsed.
class LastMade {
 public:
  /// Its text.
  const std::string& keep(json::Value tree);
  /// Of that message or any other; nothing where it is no JSON.
  std::optional<json::Value> take_tree_of(std::string_view text);

 private:
  std::string text_;
  std::optional<json::Value> tree_;
};

/// A variant of a message: of its tree most of the time, now and then of its bytes or its spelling,
/// and once in six a fresh message, without which planted faults go unfound.
std::string mutate_message(std::string_view text, Random& random, const Vocabulary& vocabulary,
                           LastMade& last);

/// A message with parts of both; a batch of both where they are Requests.
std::string cross_over(std::string_view one, std::string_view other, Random& random,
                       LastMade& last);

}  // namespace jrpcheck::fuzz
