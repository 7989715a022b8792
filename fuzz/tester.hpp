// Tester: whom the engine gives its messages.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fuzz/feature.hpp"

namespace jrpcheck::fuzz {

class Tester {
 public:
  virtual ~Tester() = default;

  /// Takes a message, and executes it at once or together with others. Gives the features of what
  /// it has brought; none where it has only been put aside. Those of the others that bring
  /// something new are `promising`.
  virtual std::vector<Feature> feed(std::string message) = 0;
  /// The same at once, whatever it can do.
  virtual std::vector<Feature> feed_alone(std::string message) = 0;
  /// A message that has brought something new, to be fed again so that its features can be had:
  /// that sends nothing.
  virtual std::optional<std::string> take_promising() { return std::nullopt; }
  /// Whether the message may be sent, and something can be said of what it brings.
  virtual bool is_worthwhile(const std::string& message) const = 0;
  /// Whether all is over: by time, messages, a finding, or because nobody is there any more.
  virtual bool is_over() const = 0;
};

}  // namespace jrpcheck::fuzz
