// Checks UTF-8 that comes in pieces, cut anywhere (RFC 3629).
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.hpp"

namespace jrpcheck::wire {

class Utf8Checker {
 public:
  /// Takes the next piece. False once what has come cannot begin any text in UTF-8.
  bool take(std::string_view piece) {
    if (is_wrong_) return false;
    pending_ += piece;
    const auto invalid = find_invalid_utf8(pending_);
    if (!invalid) {
      pending_.clear();
      return true;
    }
    pending_.erase(0, *invalid);
    is_wrong_ = first_character(pending_).length < pending_.size();
    return !is_wrong_;
  }

  /// Whether the text may end here.
  bool is_complete() const { return !is_wrong_ && pending_.empty(); }

 private:
  std::string pending_;  // the beginning of one character
  bool is_wrong_ = false;
};

}  // namespace jrpcheck::wire
