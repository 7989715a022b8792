#include "judge/code.hpp"

#include <charconv>
#include <limits>
#include <string>

#include "json/number.hpp"

namespace jrpcheck::judge {
namespace {

using Limits = std::numeric_limits<long long>;

// No integer of more digits fits.
constexpr int kMostZeros = 18;

// Of a token that is a whole number.
long long whole_number(std::string_view token) {
  // Nearly all are spelled plainly.
  long long plain = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), plain);
  if (read.ec == std::errc() && read.ptr == token.data() + token.size()) return plain;
  const std::string canonical = json::canonical_number(token);
  const long long extreme = canonical.front() == '-' ? Limits::min() : Limits::max();
  const auto exponent_begin = canonical.find('e');
  std::string digits = canonical.substr(0, exponent_begin);
  if (exponent_begin != std::string::npos) {
    const std::string exponent = canonical.substr(exponent_begin + 1);
    int zeros = 0;
    const auto parsed = std::from_chars(exponent.data(), exponent.data() + exponent.size(), zeros);
    if (parsed.ec != std::errc() || zeros > kMostZeros) return extreme;
    digits.append(static_cast<std::size_t>(zeros), '0');
  }
  long long value = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return parsed.ec == std::errc() ? value : extreme;
}

}  // namespace

std::optional<long long> code_of(const json::Value& error) {
  const json::Value* code = error.find("code");
  if (code == nullptr || !code->is(json::Kind::number) || !json::is_integer(code->text())) {
    return std::nullopt;
  }
  return whole_number(code->text());
}

std::optional<long long> error_code_of(const json::Value& response) {
  const json::Value* error = response.find("error");
  return error != nullptr ? code_of(*error) : std::nullopt;
}

}  // namespace jrpcheck::judge
