#include "json/number.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include "base/ascii.hpp"

namespace jrpcheck::json {
namespace {

constexpr std::string_view kLargestInteroperable = "9007199254740991";  // 2^53 - 1
constexpr std::size_t kSafeDigits = 18;  // that many decimal digits always fit into 64 bits

// A value as digits times ten to the exponent. The digits begin and end with another digit than 0;
// there are none of them for zero. The exponent is text because a token may spell one of any
// length.
struct Decimal {
  bool negative = false;
  std::string digits;
  std::string exponent;

  bool is_zero() const { return digits.empty(); }
};

std::string_view without_leading_zeros(std::string_view digits) {
  return digits.substr(std::min(digits.find_first_not_of('0'), digits.size()));
}

// The sum of a magnitude of more than 18 digits and a number that is smaller than it.
std::string add_to_long(std::string_view digits, std::int64_t summand) {
  std::string sum(digits);
  std::int64_t carry = summand;
  for (std::size_t i = sum.size(); i > 0 && carry != 0; --i) {
    const std::int64_t column = (sum[i - 1] - '0') + carry;
    const std::int64_t digit = ((column % 10) + 10) % 10;
    sum[i - 1] = static_cast<char>('0' + digit);
    carry = (column - digit) / 10;
  }
  if (carry > 0) sum.insert(0, std::to_string(carry));
  return std::string(without_leading_zeros(sum));
}

// The decimal spelling of exponent + shift. A shift is never longer than a token, so it cannot turn
// the sign of an exponent that does not fit into 64 bits.
std::string shifted_exponent(std::string_view exponent, std::int64_t shift) {
  const bool negative = !exponent.empty() && exponent.front() == '-';
  if (negative || (!exponent.empty() && exponent.front() == '+')) exponent.remove_prefix(1);
  const std::string_view digits = without_leading_zeros(exponent);
  if (digits.size() <= kSafeDigits) {
    std::int64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return std::to_string((negative ? -value : value) + shift);
  }
  return negative ? "-" + add_to_long(digits, -shift) : add_to_long(digits, shift);
}

// Nearly all numbers are spelled so: digits, of which the first is not 0.
bool is_plain(std::string_view token) {
  if (!token.empty() && token.front() == '-') token.remove_prefix(1);
  return are_digits(token) && token.front() != '0';
}

Decimal to_decimal(std::string_view token) {
  Decimal decimal;
  decimal.negative = !token.empty() && token.front() == '-';
  if (decimal.negative) token.remove_prefix(1);
  const std::size_t mantissa_length = std::min(token.find_first_of("eE"), token.size());
  const std::string_view mantissa = token.substr(0, mantissa_length);
  const std::size_t whole = std::min(mantissa.find('.'), mantissa.size());

  std::string digits(mantissa.substr(0, whole));
  if (whole < mantissa.size()) digits += mantissa.substr(whole + 1);
  const std::size_t first = digits.find_first_not_of('0');
  if (first == std::string::npos) return {};
  const std::size_t last = digits.find_last_not_of('0');

  const std::string_view exponent = token.substr(std::min(mantissa_length + 1, token.size()));
  const auto shift = static_cast<std::int64_t>(whole) - static_cast<std::int64_t>(last) - 1;
  decimal.exponent = shifted_exponent(exponent, shift);
  decimal.digits = digits.substr(first, last - first + 1);
  return decimal;
}

// Nothing where it has more digits than that.
std::optional<std::int64_t> exponent_of(const Decimal& decimal) {
  if (decimal.exponent.size() > kSafeDigits) return std::nullopt;
  std::int64_t exponent = 0;
  const std::string& text = decimal.exponent;
  std::from_chars(text.data(), text.data() + text.size(), exponent);
  return exponent;
}

template <typename T>
int order_of(const T& a, const T& b) {
  return a < b ? -1 : a > b ? 1 : 0;
}

// The order of two magnitudes that are not 0.
std::optional<int> compare_magnitudes(const Decimal& a, const Decimal& b) {
  const auto of_a = exponent_of(a);
  const auto of_b = exponent_of(b);
  if (!of_a && !of_b) return std::nullopt;
  // Such an exponent says more than any number of digits.
  if (!of_a) return a.exponent.front() == '-' ? -1 : 1;
  if (!of_b) return b.exponent.front() == '-' ? 1 : -1;
  const int order = order_of(*of_a + static_cast<std::int64_t>(a.digits.size()),
                             *of_b + static_cast<std::int64_t>(b.digits.size()));
  return order != 0 ? order : order_of(a.digits, b.digits);
}

}  // namespace

std::string canonical_number(std::string_view token) {
  if (is_plain(token)) {
    const std::size_t significant = token.find_last_not_of('0') + 1;
    return std::string(token.substr(0, significant)) + "e" +
           std::to_string(token.size() - significant);
  }
  const Decimal decimal = to_decimal(token);
  if (decimal.is_zero()) return "0";
  return (decimal.negative ? "-" : "") + decimal.digits + "e" + decimal.exponent;
}

bool numbers_equal(std::string_view a, std::string_view b) {
  if (is_plain(a) && is_plain(b)) return a == b;
  return a == b || canonical_number(a) == canonical_number(b);
}

bool is_integer(std::string_view token) {
  if (is_plain(token)) return true;
  const Decimal decimal = to_decimal(token);
  return decimal.is_zero() || decimal.exponent.front() != '-';
}

bool is_interoperable_integer(std::string_view token) {
  if (token.size() < kLargestInteroperable.size() && is_plain(token)) return true;
  const Decimal decimal = to_decimal(token);
  if (decimal.is_zero()) return true;
  if (decimal.exponent.front() == '-' || decimal.exponent.size() > 2) return false;
  const auto zeros = static_cast<std::size_t>(std::stoi(decimal.exponent));
  const std::size_t length = decimal.digits.size() + zeros;
  if (length != kLargestInteroperable.size()) return length < kLargestInteroperable.size();
  return decimal.digits + std::string(zeros, '0') <= kLargestInteroperable;
}

std::optional<int> compare_numbers(std::string_view a, std::string_view b) {
  const Decimal of_a = to_decimal(a);
  const Decimal of_b = to_decimal(b);
  const auto sign = [](const Decimal& each) { return each.is_zero() ? 0 : each.negative ? -1 : 1; };
  if (sign(of_a) != sign(of_b) || of_a.is_zero()) return order_of(sign(of_a), sign(of_b));
  return of_a.negative ? compare_magnitudes(of_b, of_a) : compare_magnitudes(of_a, of_b);
}

std::optional<bool> is_multiple(std::string_view value, std::string_view of) {
  constexpr std::int64_t kMostZeros = 5000;
  const Decimal dividend = to_decimal(value);
  const Decimal divisor = to_decimal(of);
  if (dividend.is_zero()) return true;
  const auto above = exponent_of(dividend);
  const auto below = exponent_of(divisor);
  if (!above || !below || divisor.is_zero()) return std::nullopt;
  // Both by the same power of ten, so that neither has a fraction.
  const std::int64_t power = std::min(*above, *below);
  const std::int64_t zeros_above = *above - power;
  const std::int64_t zeros_below = *below - power;
  const auto digits_below = static_cast<std::int64_t>(divisor.digits.size()) + zeros_below;
  const bool is_too_long = digits_below > static_cast<std::int64_t>(kSafeDigits);
  if (is_too_long || zeros_above > kMostZeros) return std::nullopt;
  const std::uint64_t by =
      std::stoull(divisor.digits + std::string(static_cast<std::size_t>(zeros_below), '0'));
  std::uint64_t rest = 0;
  for (const char digit :
       dividend.digits + std::string(static_cast<std::size_t>(zeros_above), '0')) {
    rest = (rest * 10 + static_cast<std::uint64_t>(digit - '0')) % by;
  }
  return rest == 0;
}

}  // namespace jrpcheck::json
