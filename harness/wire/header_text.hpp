// The text rules that every header block shares: lines, tokens, optional white space, numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jrpcheck::wire {

/// How many bytes of something beyond its limit are kept as evidence.
inline constexpr std::size_t kEvidenceBytes = 1024;

/// The first bytes of `bytes` that a violation of `limit` shows. They depend on the stream alone,
/// not on how it was cut.
std::string evidence_of(std::string_view bytes, std::size_t limit);

/// What take_line has made of the bytes so far.
enum class LineProgress {
  partial,   ///< more bytes are needed
  complete,  ///< the buffer ends with the line feed
  too_long,  ///< the buffer is full and the line goes on
};

/// Moves bytes from the front of `bytes` to the end of `buffer`, up to and including the first line
/// feed, while the buffer holds no more than `limit`. No byte is looked at twice.
LineProgress take_line(std::string_view& bytes, std::string& buffer, std::size_t limit);

/// `line` without its LF or CRLF.
std::string_view without_line_end(std::string_view line);

/// `text` without the spaces and tabs around it (RFC 9110 §5.6.3).
std::string_view trimmed(std::string_view text);

/// Takes off the front what stands before the first separator that is in no quotes (RFC 9110
/// §5.6.4), and the separator as well; without the white space around it.
std::string_view cut_off(std::string_view& rest, char separator);

/// Whether `text` is a token (RFC 9110 §5.6.2), as a field name must be.
bool is_token(std::string_view text);

/// A number of decimal digits only; nothing when it is garbled or too large for 64 bits.
std::optional<std::uint64_t> decimal(std::string_view digits);

/// Likewise of hexadecimal digits.
std::optional<std::uint64_t> hexadecimal(std::string_view digits);

}  // namespace jrpcheck::wire
