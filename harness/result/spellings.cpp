// What a secret is looked for as.
#include <algorithm>
#include <string>
#include <vector>

#include "base/ascii.hpp"
#include "base/bytes.hpp"
#include "result/spelling.hpp"

namespace jrpcheck::result {
namespace {

// Fewer characters in the middle of base64 stand in ordinary text.
constexpr std::size_t kShortestOfBase64 = 6;

// The characters that bytes which begin so many behind a multiple of three decide alone.
std::string base64_behind(const std::string& secret, std::size_t before) {
  constexpr std::size_t kBitsOfByte = 8;
  constexpr std::size_t kBitsOfCharacter = 6;
  const std::string encoded = to_base64(std::string(before, 'x') + secret);
  const std::size_t begin = (before * kBitsOfByte + kBitsOfCharacter - 1) / kBitsOfCharacter;
  const std::size_t end = (before + secret.size()) * kBitsOfByte / kBitsOfCharacter;
  return encoded.substr(begin, end - begin);
}

std::string for_urls(std::string base64) {
  std::replace(base64.begin(), base64.end(), '+', '-');
  std::replace(base64.begin(), base64.end(), '/', '_');
  return base64;
}

std::string in_hexadecimal(const std::string& secret) {
  std::string digits;
  for (const char c : secret) {
    const auto byte = static_cast<unsigned char>(c);
    digits += {kHexDigits[byte >> 4U], kHexDigits[byte & 0xFU]};
  }
  return digits;
}

}  // namespace

std::vector<Spelling> spellings_of(const std::string& secret) {
  std::vector<Spelling> spellings = {{secret}, {in_hexadecimal(secret), true}};
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string core = base64_behind(secret, before);
    if (core.size() < kShortestOfBase64) continue;
    spellings.push_back({core});
    if (for_urls(core) != core) spellings.push_back({for_urls(core)});
  }
  return spellings;
}

}  // namespace jrpcheck::result
