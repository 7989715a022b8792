#include <cstdint>
#include <cstdlib>

#include "testing/misbehaving_rpc.hpp"

namespace misbehaving {
namespace {

constexpr int kMaxDepth = 500;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Well-formed sequences as RFC 3629 §4 lists them.
bool is_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead < 0x80) continue;
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
    if (lead < 0xC2 || lead > 0xF4 || i + more >= text.size()) return false;
    const auto second = static_cast<unsigned char>(text[i + 1]);
    if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
        (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F)) {
      return false;
    }
    for (int k = 0; k < more; ++k) {
      if ((static_cast<unsigned char>(text[++i]) & 0xC0U) != 0x80) return false;
    }
  }
  return true;
}

void append_utf8(std::uint32_t code, std::string& out) {
  const auto put = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put(0x80U | (code & 0x3FU));
  } else if (code < 0x10000) {
    put(0xE0U | code >> 12U);
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  } else {
    put(0xF0U | code >> 18U);
    put(0x80U | (code >> 12U & 0x3FU));
    put(0x80U | (code >> 6U & 0x3FU));
    put(0x80U | (code & 0x3FU));
  }
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  bool parse(Json& value) {
    if (!is_utf8(text_) || !read_value(value, 0)) return false;
    skip_space();
    return at_ == text_.size();
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void skip_space() {
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) {
      ++at_;
    }
  }

  bool read_value(Json& value, int depth) {
    skip_space();
    if (depth > kMaxDepth || at_ >= text_.size()) return false;
    const std::size_t begin = at_;
    value.kind = peek();
    bool good = false;
    if (value.kind == '{' || value.kind == '[') {
      ++at_;
      good = read_members(value, depth);
    } else if (value.kind == '"') {
      good = read_string(value.text);
    } else if (value.kind == '-' || is_digit(value.kind)) {
      value.kind = '0';
      good = read_number();
    } else {
      good = take_word("true") || take_word("false") || take_word("null");
    }
    value.raw = text_.substr(begin, at_ - begin);
    return good;
  }

  bool read_members(Json& value, int depth) {
    const char end = value.kind == '{' ? '}' : ']';
    skip_space();
    if (take(end)) return true;
    do {
      skip_space();
      if (value.kind == '{') {
        value.names.emplace_back();
        if (!read_string(value.names.back())) return false;
        skip_space();
        if (!take(':')) return false;
      }
      value.children.emplace_back();
      if (!read_value(value.children.back(), depth + 1)) return false;
      skip_space();
    } while (take(','));
    return take(end);
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  bool take_digits() {
    const std::size_t begin = at_;
    while (is_digit(peek())) ++at_;
    return at_ > begin;
  }

  bool read_number() {
    take('-');
    if (!take('0') && !take_digits()) return false;
    if (take('.') && !take_digits()) return false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      return take_digits();
    }
    return true;
  }

  bool read_string(std::string& out) {
    if (!take('"')) return false;
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\') {
        out += c;
      } else if (!read_escape(out)) {
        return false;
      }
    }
    return false;
  }

  bool read_escape(std::string& out) {
    constexpr std::string_view kShort = "\"\\/bfnrt";
    constexpr std::string_view kMeaning = "\"\\/\b\f\n\r\t";
    const char c = peek();
    ++at_;
    if (const auto which = kShort.find(c); c != '\0' && which != std::string_view::npos) {
      out += kMeaning[which];
      return true;
    }
    std::uint32_t code = 0;
    if (c != 'u' || !read_hex(code)) return false;
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_, 2) == "\\u") {
      const std::size_t back = at_;
      std::uint32_t low = 0;
      at_ += 2;
      if (!read_hex(low)) return false;
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
      } else {
        at_ = back;
      }
    }
    append_utf8(code, out);
    return true;
  }

  bool read_hex(std::uint32_t& code) {
    const std::string digits(text_.substr(at_, 4));
    if (digits.size() != 4 ||
        digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      return false;
    }
    code = static_cast<std::uint32_t>(std::strtoul(digits.c_str(), nullptr, 16));
    at_ += 4;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = names.size(); i-- > 0;) {
    if (names[i] == name) return &children[i];
  }
  return nullptr;
}

bool parse(std::string_view text, Json& value) { return Parser(text).parse(value); }

}  // namespace misbehaving
