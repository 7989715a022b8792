#include <openssl/evp.h>

#include <array>

#include "base/bytes.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace {

constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455 §1.3

// SplitMix64: no two keys of a run are the same, and another run has them again.
std::uint64_t mixed(std::uint64_t number) {
  number += 0x9E3779B97F4A7C15U;
  number = (number ^ (number >> 30U)) * 0xBF58476D1CE4E5B9U;
  number = (number ^ (number >> 27U)) * 0x94D049BB133111EBU;
  return number ^ (number >> 31U);
}

}  // namespace

std::string websocket_key(std::uint64_t number) {
  std::string key;
  for (const std::uint64_t half : {mixed(2 * number), mixed(2 * number + 1)}) {
    for (unsigned shift = 0; shift < 64; shift += 8) {
      key.push_back(static_cast<char>((half >> shift) & 0xFFU));
    }
  }
  return to_base64(key);
}

std::string websocket_accept(std::string_view key) {
  std::string text(key);
  text += kGuid;
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_sha1(), nullptr);
  return to_base64(std::string(digest.begin(), digest.begin() + size));
}

}  // namespace jrpcheck::wire
