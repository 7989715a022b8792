// Streams cut into pieces, by the stream's own bytes: the same input is always cut alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace jrpcheck::fuzz {

/// What is longer is cut into pieces only: byte by byte it would cost more than it shows.
inline constexpr std::size_t kLongestByteByByte = 128;

/// `stream` in pieces of up to 16 bytes, empty ones among them.
inline std::vector<std::string> pieces_of(std::string_view stream) {
  std::uint64_t state = 0xcbf29ce484222325;  // FNV-1a
  for (const unsigned char byte : stream) state = (state ^ byte) * 0x100000001b3;
  std::vector<std::string> pieces;
  while (!stream.empty()) {
    state = state * 6364136223846793005 + 1442695040888963407;  // Knuth's generator
    const auto size = static_cast<std::size_t>(state >> 60);
    pieces.emplace_back(stream.substr(0, size));
    stream.remove_prefix(pieces.back().size());
  }
  return pieces;
}

}  // namespace jrpcheck::fuzz
