// Streams cut into pieces, by the stream's own bytes: the same input is always cut alike.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "wire/stream_for_testing.hpp"

namespace jrpcheck::fuzz {

/// `stream` byte by byte; where it is longer than that is worth, in pieces of up to 16 bytes, empty
/// ones among them.
inline std::vector<std::string> cut(std::string_view stream) {
  constexpr std::size_t kLongestByteByByte = 128;
  if (stream.size() <= kLongestByteByByte) return wire::testing::pieces_of(stream, 1);
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
