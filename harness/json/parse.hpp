// Strict RFC 8259 parsing into the lossless tree.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::json {

/// Where and why a text is not JSON.
struct ParseError {
  std::size_t offset = 0;  ///< byte at which no continuation could make the text valid
  std::string message;
  bool beyond_limit = false;  ///< not wrong, but more than the options allow to be read
};

struct ParseOptions {
  /// Arrays and objects may be nested this deep; a limit on memory, never on the stack.
  std::size_t max_depth = 1'000'000;
  /// So many values may stand in the text in all. A value costs some sixty bytes of memory, one
  /// that holds others twice as many again, and two bytes of text are enough for one.
  std::size_t max_values = 2'000'000;
  /// What is nested deeper is read, not counted, and left out of the tree.
  std::size_t kept_depth = std::numeric_limits<std::size_t>::max();
};

/// Either `value` or `error` is there.
struct ParseResult {
  std::optional<Value> value;
  ParseError error;
  std::size_t memory =
      0;  ///< about how many bytes the tree takes beside the content of its strings

  explicit operator bool() const { return value.has_value(); }
};

/// `text` must be exactly one JSON value with white space around it, in strict UTF-8 without a byte
/// order mark. Nothing beyond RFC 8259 is accepted; nothing within it is refused but
/// for the two limits, and texts beyond 4 GiB.
ParseResult parse(std::string_view text, ParseOptions options = {});

/// Line and column (both from 1, columns in bytes) of a byte offset in `text`.
struct Position {
  std::size_t line = 1;
  std::size_t column = 1;
};
Position locate(std::string_view text, std::size_t offset);

/// The same for many offsets of one text: each takes time in proportion to its distance from the
/// one before where it lies behind that.
class Locator {
 public:
  explicit Locator(std::string_view text) : text_(text) {}
  Position at(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  std::size_t line_ = 1;
  std::size_t line_start_ = 0;
};

}  // namespace jrpcheck::json
