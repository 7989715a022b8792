// Lossless JSON: a tree that keeps what a judge must see and other parsers drop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jrpcheck::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

/// "null", "boolean", "number", "string", "array" or "object".
std::string_view name_of(Kind kind);

/// One JSON value. Numbers keep their token (1, 1.0 and 1e0 are told apart), objects keep their
/// members in order with duplicates, and every value knows where it stood in the text.
///
/// Values move but do not copy: a copy would recurse or cost, so it is asked for by `clone`.
/// No operation here recurses, however deep the tree; destruction included.
class Value {
 public:
  Value() noexcept = default;
  Value(Value&&) noexcept = default;
  Value& operator=(Value&& other) noexcept;
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  ~Value() {
    if (parts_) take_apart();
  }

  /// An empty one: false, "", [], {}. That of a number needs a token.
  explicit Value(Kind kind) noexcept : kind_(kind) {}

  static Value null() { return Value(); }
  static Value boolean(bool value) {
    Value made(Kind::boolean);
    made.boolean_ = value;
    return made;
  }
  /// `token` must be a number token of RFC 8259 §6; it is kept as it is.
  static Value number(std::string token) { return made_of(Kind::number, std::move(token)); }
  static Value number(long long value);
  /// `text` is UTF-8; a lone surrogate escape is held in its three-byte form.
  static Value string(std::string text) { return made_of(Kind::string, std::move(text)); }
  static Value array() { return Value(Kind::array); }
  static Value object() { return Value(Kind::object); }

  Kind kind() const { return kind_; }
  bool is(Kind kind) const { return kind_ == kind; }

  bool as_boolean() const { return boolean_; }
  /// The content of a string (escapes resolved), or the token of a number.
  const std::string& text() const { return text_; }
  std::string& text() { return text_; }

  /// Elements of an array, or the values of an object's members, in order.
  const std::vector<Value>& children() const { return parts_ ? parts_->children : none().children; }
  std::vector<Value>& children() { return parts().children; }
  /// Names of an object's members, parallel to `children`.
  const std::vector<std::string>& names() const { return parts_ ? parts_->names : none().names; }
  std::vector<std::string>& names() { return parts().names; }
  std::size_t size() const { return children().size(); }

  /// The last member of that exact name (what most parsers take), or null.
  const Value* find(std::string_view name) const;
  /// How many members have that exact name.
  std::size_t count(std::string_view name) const;

  /// Appends an element to an array.
  Value& append(Value element);
  /// Appends a member to an object; a name that is there already becomes a duplicate.
  Value& append(std::string name, Value value);

  /// Where the value stood in the parsed text: [begin, end) in bytes, within 4 GiB; 0, 0 when it
  /// was built.
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  void set_span(std::size_t begin, std::size_t end) {
    begin_ = static_cast<std::uint32_t>(begin);
    end_ = static_cast<std::uint32_t>(end);
  }

  Value clone() const;

  /// About how many bytes of memory it takes, beside itself.
  std::size_t memory() const;

 private:
  // What only some Arrays and Objects have: most values of a large text have no such parts, and a
  // server chooses how many there are.
  struct Parts {
    std::vector<Value> children;
    std::vector<std::string> names;
  };

  static Value made_of(Kind kind, std::string&& text) {
    Value made(kind);
    made.text_ = std::move(text);
    return made;
  }

  static const Parts& none();
  Parts& parts();
  void take_apart() noexcept;

  Kind kind_ = Kind::null;
  bool boolean_ = false;
  std::uint32_t begin_ = 0;
  std::uint32_t end_ = 0;
  std::string text_;
  std::unique_ptr<Parts> parts_;
};

/// Same type and same value: numbers by exact decimal value (1 equals 1.0 and 10e-1), strings by
/// code point, arrays in order, objects as sets of members whatever their order (duplicates count).
bool equal(const Value& a, const Value& b);

/// The value as JSON text: compact, or with each member and element on a line of its own, so many
/// spaces further in than what holds it. Number tokens stand as they were; strings carry the
/// escapes that RFC 8259 §7 demands, and lone surrogates as \u escapes, so that the text is always
/// UTF-8.
std::string write(const Value& value, std::optional<std::size_t> indent = {});

}  // namespace jrpcheck::json
