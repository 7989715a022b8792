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
    is_wrong_ = !may_be_completed(pending_);
    return !is_wrong_;
  }

  /// Whether the text may end here.
  bool is_complete() const { return !is_wrong_ && pending_.empty(); }

 private:
  // Completed by the lowest and by the highest bytes that may follow: one of the two is valid
  // where any completion is.
  static bool may_be_completed(std::string_view bytes) {
    for (const char* byte : {"\x80", "\xBF", "\x90", "\x8F", "\xA0", "\x9F"}) {
      std::string text(bytes.substr(0, 3));
      if (text.size() < bytes.size()) return false;
      text += byte;
      for (int more = 0; more < 3; ++more) {
        if (is_valid_utf8(text)) return true;
        text += '\x80';
      }
    }
    return false;
  }

  std::string pending_;  // the beginning of one character
  bool is_wrong_ = false;
};

}  // namespace jrpcheck::wire
