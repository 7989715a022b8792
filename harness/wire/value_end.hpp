// Where a JSON value ends that is told from what follows by its own structure.
#pragma once

#include <cstddef>

namespace jrpcheck::wire {

/// Is given the bytes of an Object, Array or String one after the other.
class ValueEnd {
 public:
  /// Whether `c` closes the value. Brackets count by depth alone: whether they match is for the
  /// parser to say, and a mismatch must not shift the boundaries of later messages.
  bool is_at(char c) {
    if (in_string_) {
      in_string_ = escaped_ || c != '"';
      escaped_ = !escaped_ && c == '\\';
      return !in_string_ && depth_ == 0;
    }
    in_string_ = c == '"';
    if (c == '{' || c == '[') ++depth_;
    if (c == '}' || c == ']') --depth_;
    return !in_string_ && depth_ == 0;
  }

 private:
  std::size_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace jrpcheck::wire
