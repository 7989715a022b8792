// UTF-8: strict validation and encoding (RFC 3629).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck {

/// The offset of the first byte that does not begin a well-formed UTF-8 sequence, or nothing when
/// all of `bytes` is well-formed. Overlong forms, surrogates and values above U+10FFFF are not.
std::optional<std::size_t> find_invalid_utf8(std::string_view bytes);

inline bool is_valid_utf8(std::string_view bytes) { return !find_invalid_utf8(bytes); }

/// Whether the byte goes on with a character, and begins none.
constexpr bool is_continuation(unsigned char byte) { return (byte & 0xC0) == 0x80; }

/// How much of a character stands at the beginning of a text (RFC 3629 §4): so many bytes that one
/// may begin with, and whether they are all of it.
struct Utf8Beginning {
  std::size_t length = 0;
  bool is_whole = false;
};
Utf8Beginning first_character(std::string_view text);

/// How many code points UTF-8 has.
std::size_t code_points_in(std::string_view text);

/// Appends `code_point` (0 to 0x10FFFF). A lone surrogate is written as its three-byte form, which
/// is not UTF-8 but keeps what an escape such as \ud83d said; callers that need UTF-8 check.
void append_utf8(std::string& out, std::uint32_t code_point);

}  // namespace jrpcheck
