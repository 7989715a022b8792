// JSON text, written as it is told, without a tree.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace jrpcheck::json {

/// Where members and elements stand.
struct Layout {
  /// Each on a line of its own, so many spaces further in than what holds it; absent: all on one.
  std::optional<std::size_t> indent = {};
  /// In containers nested deeper than this they stand on one line all the same.
  std::size_t spread_depth = std::numeric_limits<std::size_t>::max();
};

/// Appends to a string. What is told must be JSON: names in Objects, and every container closed.
class Writer {
 public:
  explicit Writer(std::string& out, Layout layout = {}) : out_(out), layout_(layout) {}

  /// An Array or an Object, up to the `close` that belongs to it.
  void open(Kind container);
  void close();
  /// Of the member whose value comes next.
  void name(std::string_view name);
  /// Strings carry the escapes that RFC 8259 §7 demands, and lone surrogates as \u escapes, so that
  /// the text is always UTF-8.
  void string(std::string_view text);
  /// A number, true, false or null, as it stands.
  void token(std::string_view token);

 private:
  struct Container {
    Kind kind;
    bool is_empty = true;
  };

  void begin_value();
  void begin_part();
  bool is_spread() const { return layout_.indent && open_.size() <= layout_.spread_depth; }
  void new_line(std::size_t depth);

  std::string& out_;
  Layout layout_;
  std::vector<Container> open_;
};

}  // namespace jrpcheck::json
