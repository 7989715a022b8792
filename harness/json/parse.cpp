#include "json/parse.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <utility>

#include "json/scan.hpp"

namespace jrpcheck::json {
namespace {

// A container whose closing bracket is still to come. Its finished children wait on the parser's
// stacks from these places on, so that each vector of the tree is made once and in its final size.
struct OpenContainer {
  Kind kind;
  std::size_t begin;
  std::size_t first_value;
  std::size_t first_name;
};

// What a small message has at most at any time, so that the stacks do not grow one by one.
constexpr std::size_t kUsualValues = 16;
constexpr std::size_t kUsualDepth = 8;

// What a container that is not empty takes beside its values: its parts, and how they are kept.
constexpr std::size_t kContainerBytes = 112;

class Parser {
 public:
  Parser(std::string_view text, ParseOptions options) : text_(text), options_(options) {
    values_.reserve(kUsualValues);
    names_.reserve(kUsualValues);
    open_.reserve(kUsualDepth);
  }

  ParseResult run() {
    if (!read_text()) return {std::nullopt, std::move(error_), 0};
    return {std::move(values_.back()), {}, count_ * sizeof(Value) + filled_ * kContainerBytes};
  }

 private:
  bool read_text() {
    if (text_.size() > std::numeric_limits<std::uint32_t>::max()) {
      return give_up("more than 4 GiB are not read");
    }
    if (text_.substr(0, 3) == "\xEF\xBB\xBF") return fail("a byte order mark is not allowed");
    do {
      if (!read_value()) return false;
      if (!read_to_next_value()) return false;
    } while (!open_.empty());
    skip_white_space();
    return at_ == text_.size() || fail("nothing but white space may follow the value");
  }

  // Reads one value that is complete, and opens the containers on the way to it.
  bool read_value() {
    for (;;) {
      skip_white_space();
      if (is_kept() && ++count_ > options_.max_values) {
        return give_up("more than " + std::to_string(options_.max_values) + " values are not read");
      }
      switch (peek()) {
        case '[':
          if (!open(Kind::array)) return false;
          if (close_if(']')) return true;
          expected_ = "expected a value or ']' after '['";
          break;
        case '{':
          if (!open(Kind::object)) return false;
          if (close_if('}')) return true;
          if (!read_name("expected a member name in double quotes or '}' after '{'")) return false;
          break;
        case '"':
          return read_string();
        case 't':
          return read_literal("true", Value::boolean(true));
        case 'f':
          return read_literal("false", Value::boolean(false));
        case 'n':
          return read_literal("null", Value::null());
        default:
          return read_number();
      }
    }
  }

  // Behind a value: closes the containers that end here and moves to where the next value is due.
  bool read_to_next_value() {
    while (!open_.empty()) {
      const bool in_array = innermost() == Kind::array;
      if (close_if(in_array ? ']' : '}')) continue;
      if (peek() != ',') {
        return fail(in_array ? "expected ',' or ']' after the element"
                             : "expected ',' or '}' after the member");
      }
      ++at_;
      expected_ = "expected a value after ','";
      return in_array || read_name("expected a member name in double quotes after ','");
    }
    return true;
  }

  bool read_name(const char* expected) {
    skip_white_space();
    if (peek() != '"') return fail(expected);
    const char* wrong =
        is_kept() ? scan_string(text_, at_, names_.emplace_back()) : skip_string(text_, at_);
    if (wrong != nullptr) return fail(wrong);
    skip_white_space();
    if (peek() != ':') return fail("expected ':' after the member name");
    ++at_;
    expected_ = "expected a value after ':'";
    return true;
  }

  bool read_string() {
    const std::size_t begin = at_;
    const char* wrong = is_kept()
                            ? scan_string(text_, at_, values_.emplace_back(Kind::string).text())
                            : skip_string(text_, at_);
    if (wrong != nullptr) return fail(wrong);
    if (is_kept()) values_.back().set_span(begin, at_);
    return true;
  }

  bool read_number() {
    const char first = peek();
    if (first != '-' && (first < '0' || first > '9')) return fail(expected_);
    const std::size_t begin = at_;
    if (const char* wrong = scan_number(text_, at_)) return fail(wrong);
    if (!is_kept()) return true;
    Value& number = values_.emplace_back(Kind::number);
    number.text() = text_.substr(begin, at_ - begin);
    number.set_span(begin, at_);
    return true;
  }

  bool read_literal(std::string_view literal, Value value) {
    const std::size_t begin = at_;
    for (const char letter : literal) {
      if (peek() != letter) return fail("expected the literal " + std::string(literal));
      ++at_;
    }
    if (!is_kept()) return true;
    value.set_span(begin, at_);
    values_.push_back(std::move(value));
    return true;
  }

  bool open(Kind kind) {
    if (depth() >= options_.max_depth) {
      return give_up("arrays and objects may be nested " + std::to_string(options_.max_depth) +
                     " deep and not deeper");
    }
    if (is_kept()) {
      open_.push_back({kind, at_, values_.size(), names_.size()});
    } else {
      open_and_left_out_.push_back(kind);
    }
    ++at_;
    return true;
  }

  bool close_if(char bracket) {
    skip_white_space();
    if (peek() != bracket) return false;
    ++at_;
    if (!open_and_left_out_.empty()) {
      open_and_left_out_.pop_back();
      return true;
    }
    const OpenContainer container = open_.back();
    open_.pop_back();
    Value value(container.kind);
    value.set_span(container.begin, at_);
    // An empty one needs no room for parts.
    if (values_.size() > container.first_value) {
      ++filled_;
      move_tail(values_, container.first_value, value.children());
      move_tail(names_, container.first_name, value.names());
    }
    values_.push_back(std::move(value));
    return true;
  }

  template <typename T>
  static void move_tail(std::vector<T>& from, std::size_t first, std::vector<T>& to) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.assign(std::make_move_iterator(begin), std::make_move_iterator(from.end()));
    from.erase(begin, from.end());
  }

  // Whether a value at this place becomes part of the tree.
  bool is_kept() const { return depth() <= options_.kept_depth; }
  std::size_t depth() const { return open_.size() + open_and_left_out_.size(); }
  Kind innermost() const {
    return open_and_left_out_.empty() ? open_.back().kind : open_and_left_out_.back();
  }

  void skip_white_space() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t')) {
      ++at_;
    }
  }

  // The next byte, or NUL (which stands nowhere in JSON) at the end.
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  bool give_up(std::string message) {
    fail(std::move(message));
    error_.beyond_limit = true;
    return false;
  }

  bool fail(std::string message) {
    if (at_ == text_.size()) message.insert(0, "the text ends too early: ");
    error_ = {at_, std::move(message)};
    return false;
  }

  std::string_view text_;
  ParseOptions options_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;                      // of values begun
  std::size_t filled_ = 0;                     // containers with something in them
  const char* expected_ = "expected a value";  // what to say when no value begins here
  std::vector<OpenContainer> open_;
  std::vector<Kind> open_and_left_out_;  // within those, for what is left out may be deep
  std::vector<Value> values_;
  std::vector<std::string> names_;
  ParseError error_;
};

}  // namespace

ParseResult parse(std::string_view text, ParseOptions options) {
  return Parser(text, options).run();
}

Position locate(std::string_view text, std::size_t offset) { return Locator(text).at(offset); }

Position Locator::at(std::size_t offset) {
  offset = std::min(offset, text_.size());
  if (offset < offset_) *this = Locator(text_);
  const std::string_view between = text_.substr(offset_, offset - offset_);
  line_ += static_cast<std::size_t>(std::count(between.begin(), between.end(), '\n'));
  const std::size_t last = between.rfind('\n');
  if (last != std::string_view::npos) line_start_ = offset_ + last + 1;
  offset_ = offset;
  return {line_, offset - line_start_ + 1};
}

}  // namespace jrpcheck::json
