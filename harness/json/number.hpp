// Number tokens compared by exact decimal value, never through double.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::json {

/// Whether two number tokens (RFC 8259 §6) denote the same decimal value: 1, 1.0, 10e-1 and
/// 0.1E+1 do; 9007199254740992 and 9007199254740993 do not. -0 equals 0.
/// Exponents may have any number of digits.
bool numbers_equal(std::string_view a, std::string_view b);

/// One spelling for each decimal value: two tokens are equal in value exactly when these are equal.
/// It is DIGITSeEXPONENT without zeros at either end of the digits (1500 becomes 15e2), and 0.
std::string canonical_number(std::string_view token);

/// Whether the token's value is a whole number (1, 1.0, 1e3, 15e-1 is not).
bool is_integer(std::string_view token);

/// Whether the value is a whole number of a magnitude of at most 2^53 - 1, the range in which
/// integers are interoperable (RFC 8259 §6).
bool is_interoperable_integer(std::string_view token);

/// Below 0 where `a` is less, above where it is more, 0 where they are equal; nothing where both
/// have exponents of more than 18 digits.
std::optional<int> compare_numbers(std::string_view a, std::string_view b);

/// Whether the value is a whole multiple of the other, which is not 0; nothing where that has more
/// than 18 digits when both are written without a fraction, or the value has thousands.
std::optional<bool> is_multiple(std::string_view value, std::string_view of);

}  // namespace jrpcheck::json
