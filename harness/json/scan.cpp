#include "json/scan.hpp"

#include <array>
#include <cstdint>

#include "base/ascii.hpp"
#include "base/utf8.hpp"

namespace jrpcheck::json {
namespace {

constexpr const char* kNoEnd = "expected the quotation mark that ends the string";
constexpr const char* kControl = "control characters in a string must be escaped";
constexpr const char* kNotUtf8 = "the string is not UTF-8";
constexpr const char* kEscape = R"(expected one of " \ / b f n r t u after the backslash)";
constexpr const char* kHexadecimal = "expected four hexadecimal digits after \\u";

// ASCII that stands for itself in a string.
constexpr std::array<bool, 256> plain_bytes() {
  std::array<bool, 256> plain{};
  for (unsigned byte = 0x20; byte < 0x80; ++byte) plain[byte] = byte != '"' && byte != '\\';
  return plain;
}
constexpr std::array<bool, 256> kPlain = plain_bytes();

class StringScanner {
 public:
  // Without `content` the string is only read over.
  StringScanner(std::string_view text, std::size_t& at, std::string* content)
      : text_(text), at_(at), content_(content) {}

  const char* scan() {
    std::size_t run = ++at_;  // where the bytes begin that are still to be copied
    for (;;) {
      while (at_ < text_.size() && kPlain[byte()]) ++at_;
      if (at_ == text_.size()) return kNoEnd;
      const char* wrong = nullptr;
      if (text_[at_] == '"') {
        keep(run);
        ++at_;
        return nullptr;
      }
      if (text_[at_] == '\\') {
        keep(run);
        wrong = scan_escape();
        run = at_;
      } else {
        wrong = byte() < 0x20 ? kControl : skip_multibyte();
      }
      if (wrong != nullptr) return wrong;
    }
  }

 private:
  unsigned char byte() const { return static_cast<unsigned char>(text_[at_]); }

  void keep(std::size_t run) {
    if (content_ != nullptr) content_->append(text_, run, at_ - run);
  }

  const char* skip_multibyte() {
    const auto character = first_character(text_.substr(at_));
    at_ += character.length;
    return character.is_whole ? nullptr : kNotUtf8;
  }

  const char* scan_escape() {
    ++at_;
    if (at_ == text_.size()) return kEscape;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (text_[at_] == 'u') return scan_unicode_escape();
    const std::size_t which = kLetters.find(text_[at_]);
    if (which == std::string_view::npos) return kEscape;
    if (content_ != nullptr) *content_ += kMeanings[which];
    ++at_;
    return nullptr;
  }

  // Stands at the u. A high surrogate takes the low one behind it along (RFC 8259 §7); what is
  // behind it and is no low surrogate is left for the next round.
  const char* scan_unicode_escape() {
    ++at_;
    std::uint32_t code_point = 0;
    if (!scan_code_unit(code_point)) return kHexadecimal;
    const bool is_high = code_point >= 0xD800 && code_point <= 0xDBFF;
    if (is_high && text_.substr(at_, 2) == "\\u") {
      const std::size_t after_high = at_;
      std::uint32_t low = 0;
      at_ += 2;
      if (!scan_code_unit(low)) return kHexadecimal;
      if (low >= 0xDC00 && low <= 0xDFFF) {
        code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
      } else {
        at_ = after_high;
      }
    }
    if (content_ != nullptr) append_utf8(*content_, code_point);
    return nullptr;
  }

  bool scan_code_unit(std::uint32_t& unit) {
    for (int i = 0; i < 4; ++i, ++at_) {
      const int digit = at_ < text_.size() ? hex_digit(text_[at_]) : -1;
      if (digit < 0) return false;
      unit = unit << 4 | static_cast<std::uint32_t>(digit);
    }
    return true;
  }

  std::string_view text_;
  std::size_t& at_;
  std::string* content_;
};

// Moves behind one or more digits.
bool skip_digits(std::string_view text, std::size_t& at) {
  if (at == text.size() || !is_digit(text[at])) return false;
  while (at < text.size() && is_digit(text[at])) ++at;
  return true;
}

}  // namespace

const char* scan_string(std::string_view text, std::size_t& at, std::string& content) {
  return StringScanner(text, at, &content).scan();
}

const char* skip_string(std::string_view text, std::size_t& at) {
  return StringScanner(text, at, nullptr).scan();
}

const char* scan_number(std::string_view text, std::size_t& at) {
  const auto stands = [&](char byte) { return at < text.size() && text[at] == byte; };
  if (stands('-')) ++at;
  if (stands('0')) {
    ++at;
    if (at < text.size() && is_digit(text[at])) return "a number must not have leading zeros";
  } else if (!skip_digits(text, at)) {
    return "expected a digit after the minus sign";
  }
  if (stands('.')) {
    ++at;
    if (!skip_digits(text, at)) return "expected a digit after the decimal point";
  }
  if (stands('e') || stands('E')) {
    ++at;
    if (stands('+') || stands('-')) ++at;
    if (!skip_digits(text, at)) return "expected a digit in the exponent";
  }
  return nullptr;
}

}  // namespace jrpcheck::json
