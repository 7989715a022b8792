// Elements of batches that a server is known to leave unanswered: each batch with such an element
// is silent for that, and to wait for it again tells nothing.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "fuzz/repeater.hpp"
#include "json/value.hpp"

namespace jrpcheck::fuzz {

class KnownSilences {
 public:
  bool are_none() const { return abouts_.empty(); }

  /// Where that is the silence to a batch, and nothing else explains it, so are others of its kind.
  void note(const Suspicion& told);

  /// What the first of them in a batch is, in words.
  std::optional<std::string> first_in(const json::Value& batch, const Traits& traits) const;

  /// The batch without them; nothing where it holds none, or nothing else.
  std::optional<std::string> batch_without(const json::Value& batch, const Traits& traits) const;

 private:
  std::set<std::string> abouts_;  // as in judge::Finding::about
};

}  // namespace jrpcheck::fuzz
