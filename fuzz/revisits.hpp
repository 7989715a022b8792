// Revisits: a message that looked wrong once, and never when it was repeated, is sent again now and
// then. What armed the fault may have been sent long before, out of reach of the history; the next
// time it is near.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>

namespace jrpcheck::fuzz {

class Revisits {
 public:
  /// Of a few messages, the latest; each is sent again a few hundred times.
  void add(const std::string& message);
  /// To be asked once for every message that is sent: one of those that were added, now and then.
  std::optional<std::string> next();

 private:
  struct Visit {
    std::string message;
    int left;
  };

  std::deque<Visit> visits_;
  std::size_t sent_since_ = 0;
};

}  // namespace jrpcheck::fuzz
