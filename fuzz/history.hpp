// What was sent before: some faults show only in what an earlier message has left behind.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/expectation.hpp"

namespace jrpcheck::fuzz {

using Messages = std::vector<std::string>;

/// The last few hundred messages that a server has got.
class History {
 public:
  void note(const std::string& message);
  /// Oldest first; without the last one where that is `message` itself.
  Messages before(const std::string& message) const;
  /// Each once, the latest first.
  Messages latest() const;

 private:
  std::deque<std::string> messages_;
};

/// The first of each kind, at most so many.
Messages one_of_each_kind(const Messages& messages, const Traits& traits, std::size_t most);

/// Whether a message shows its fault when these have been sent before it, in this order.
using ShowsAfter = std::function<bool(const Messages& before)>;

/// The fewest of `before`, in their order, that let a fault show; nothing where not even all of
/// them do. Each question costs as many exchanges as it has messages, and one: `budget` bounds
/// their sum, and when it is spent they are as few as they have become.
std::optional<Messages> shorten_before(const Messages& before, const ShowsAfter& shows,
                                       std::size_t budget = 1000);

}  // namespace jrpcheck::fuzz
