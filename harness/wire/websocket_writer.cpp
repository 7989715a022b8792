#include <array>

#include "base/contains.hpp"
#include "base/names.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::wire {
namespace {

constexpr unsigned kFinBit = 0x80U;
constexpr unsigned kMaskBit = 0x80U;
constexpr std::size_t kShort = 125;
constexpr std::size_t kSixteenBits = 0xFFFF;

void put_number(std::uint64_t number, unsigned bytes, std::string& out) {
  for (unsigned left = bytes; left > 0; --left) {
    out.push_back(static_cast<char>((number >> (8 * (left - 1))) & 0xFFU));
  }
}

unsigned bits_for(std::uint64_t length) {
  if (length <= kShort) return 7;
  return length <= kSixteenBits ? 16 : 64;
}

}  // namespace

std::string websocket_frame(const FrameDetails& details, std::string_view payload,
                            std::optional<std::uint32_t> mask) {
  const std::uint64_t length = details.length.value_or(payload.size());
  const unsigned bits = details.length_bits != 0 ? details.length_bits : bits_for(length);
  const unsigned mask_bit = mask && details.mask_bit ? kMaskBit : 0U;
  std::string out;
  out.reserve(payload.size() + 14);
  out.push_back(static_cast<char>((details.fin ? kFinBit : 0U) | ((details.rsv & 7U) << 4U) |
                                  (details.opcode & 15U)));
  if (bits == 7) {
    out.push_back(static_cast<char>(mask_bit | static_cast<unsigned>(length & 0x7FU)));
  } else {
    out.push_back(static_cast<char>(mask_bit | (bits == 16 ? 126U : 127U)));
    put_number(length, bits / 8, out);
  }
  if (!mask) return out.append(payload);
  constexpr std::size_t kKeyBytes = 4;
  put_number(*mask, kKeyBytes, out);
  const std::size_t begin = out.size();
  out.append(payload);
  // Behind the key the first byte goes with its first, and so on around.
  for (std::size_t i = begin; i < out.size(); ++i) {
    out[i] = static_cast<char>(out[i] ^ out[begin - kKeyBytes + (i - begin) % kKeyBytes]);
  }
  return out;
}

std::string_view name_of_opcode(unsigned opcode) {
  return name_at({"continuation", "text", "binary", "", "", "", "", "", "close", "ping", "pong"},
                 opcode);
}

std::string text_of(const FrameDetails& details) {
  std::string text(name_of_opcode(details.opcode));
  if (text.empty()) text = "opcode " + std::to_string(details.opcode);
  if (!details.fin) text += ", more to come";
  if (details.rsv != 0) text += ", reserved bits " + std::to_string(details.rsv);
  if (details.deflate) text += ", compressed";
  if (!details.mask) text += ", not masked";
  if (!details.mask_bit) text += ", masked without the bit that says so";
  if (details.length) text += ", " + std::to_string(*details.length) + " bytes announced";
  if (details.length_bits != 0) {
    text += ", length in " + std::to_string(details.length_bits) + " bits";
  }
  return text;
}

std::string close_payload(int code, std::string_view reason) {
  if (code == kNoCloseCode) return {};
  std::string payload;
  put_number(static_cast<std::uint64_t>(code), 2, payload);
  return payload.append(reason);
}

bool may_be_sent(int code) {
  constexpr std::array kReserved = {1004, kNoCloseCode, kNoCloseFrame, 1015};
  if (contains(kReserved, code)) return false;
  // 1012 to 1014 are in IANA's registry; libraries and applications have those from 3000.
  return (code >= 1000 && code <= 1014) || (code >= 3000 && code <= 4999);
}

}  // namespace jrpcheck::wire
