#include "fuzz/cut.hpp"

#include <algorithm>

#include "base/ascii.hpp"
#include "base/names.hpp"
#include "base/utf8.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::fuzz {
namespace {

constexpr std::size_t kCutPlaces = 6;

// One byte, as clients sent it against an old attack on ciphers, and full blocks.
constexpr std::array<std::size_t, 6> kBytesOfRecords = {1, 16, 64, 128, 256, 512};

// By an odd number of backslashes before it.
bool is_escaped(std::string_view message, std::size_t at) {
  std::size_t backslashes = 0;
  while (backslashes < at && message[at - backslashes - 1] == '\\') ++backslashes;
  return backslashes % 2 == 1;
}

bool is_quote(std::string_view message, std::size_t at) {
  return message[at] == '"' && !is_escaped(message, at);
}

bool is_of_a_token(char each) {
  return is_alphanumeric(each) || each == '.' || each == '-' || each == '+';
}

// Where a cut before the byte at this offset is, which is not the first.
CutPlace place_between(std::string_view message, std::size_t offset, bool in_string) {
  if (is_continuation(static_cast<unsigned char>(message[offset]))) return CutPlace::character;
  if (in_string && is_escaped(message, offset)) return CutPlace::escape;
  if (!in_string && is_of_a_token(message[offset - 1]) && is_of_a_token(message[offset])) {
    return CutPlace::token;
  }
  if (offset == 1) return CutPlace::first_byte;
  return offset + 1 == message.size() ? CutPlace::last_byte : CutPlace::middle;
}

std::vector<CutInto> ways_to_cut(const wire::Binding& binding) {
  std::vector<CutInto> ways = {CutInto::writes};
  if (binding.fragments_messages) ways.push_back(CutInto::fragments);
  if (binding.comes_in_records()) ways.push_back(CutInto::records);
  return ways;
}

// The first of the others, from where it is their turn, that has such a cut.
template <typename CutOf>
std::optional<Cut> first_cut(const std::vector<std::string>& messages, std::size_t turn,
                             CutOf cut_of) {
  const std::size_t others = messages.size() - 1;
  for (std::size_t i = 0; i < others; ++i) {
    const std::size_t message = 1 + (turn + i) % others;
    std::optional<Cut> cut = cut_of(messages[message]);
    if (!cut) continue;
    cut->message = message;
    return cut;
  }
  return std::nullopt;
}

std::optional<Cut> record_of(const std::vector<std::string>& messages, std::size_t turn) {
  const std::size_t bytes = kBytesOfRecords[turn % kBytesOfRecords.size()];
  const bool at_end = turn / kBytesOfRecords.size() % 2 == 1;
  return first_cut(messages, turn, [&](const std::string& message) -> std::optional<Cut> {
    if (message.size() <= bytes) return std::nullopt;
    return Cut{0, at_end ? message.size() - bytes : 0, CutInto::records, bytes};
  });
}

// Where it is masked it is the end.
std::size_t begin_within(const std::string& framed, const std::string& message) {
  const auto found = framed.find(message);
  return found != std::string::npos ? found : framed.size() - message.size();
}

}  // namespace

std::string_view name_of(CutInto into) { return name_at({"writes", "fragments", "records"}, into); }

std::optional<std::size_t> cut_at(CutPlace place, std::string_view message) {
  if (message.size() < 2) return std::nullopt;
  if (place == CutPlace::middle) return message.size() / 2;
  bool in_string = false;
  for (std::size_t i = 1; i < message.size(); ++i) {
    if (is_quote(message, i - 1)) in_string = !in_string;
    if (place_between(message, i, in_string) == place) return i;
  }
  return std::nullopt;
}

CutPlace place_of_cut(std::string_view message, std::size_t offset) {
  bool in_string = false;
  for (std::size_t i = 1; i <= offset; ++i) {
    if (is_quote(message, i - 1)) in_string = !in_string;
  }
  return place_between(message, offset, in_string);
}

// Where its place in the text says nothing, at the same offset.
std::optional<Cut> same_cut(std::string_view message, Cut cut, std::string_view other) {
  const bool is_within = cut.into != CutInto::records && cut.offset < message.size();
  const auto place = is_within ? place_of_cut(message, cut.offset) : CutPlace::middle;
  if (place != CutPlace::middle) {
    const auto offset = cut_at(place, other);
    if (!offset) return std::nullopt;
    cut.offset = *offset;
  }
  return cut.fits(other.size()) ? std::optional(cut) : std::nullopt;
}

std::optional<Cut> cut_one_of(const std::vector<std::string>& messages,
                              const wire::Binding& binding, std::size_t turn) {
  if (messages.size() < 2) return std::nullopt;
  const auto ways = ways_to_cut(binding);
  const CutInto into = ways[turn % ways.size()];
  turn /= ways.size();
  if (into == CutInto::records) return record_of(messages, turn);
  for (const auto place : {static_cast<CutPlace>(turn % kCutPlaces), CutPlace::middle}) {
    auto cut = first_cut(messages, turn, [&](const std::string& message) -> std::optional<Cut> {
      const auto offset = cut_at(place, message);
      return offset ? std::optional(Cut{0, *offset, into}) : std::nullopt;
    });
    if (cut) return cut;
  }
  return std::nullopt;
}

std::vector<std::size_t> cuts_behind(std::size_t before, const std::string& framed,
                                     const std::string& message, const Cut& cut) {
  std::vector<std::size_t> cuts = {before};
  if (cut.into != CutInto::fragments) {
    cuts.front() += begin_within(framed, message) + cut.offset;
    if (cut.into == CutInto::records) cuts.push_back(cuts.front() + cut.bytes);
  }
  std::erase(cuts, 0);
  return cuts;
}

std::array<std::pair<wire::FrameDetails, std::string>, 2> fragments_of(const std::string& message,
                                                                       const Cut& cut) {
  // A finding may have been written by anybody.
  const std::size_t offset = std::min(cut.offset, message.size());
  return {{{{.fin = false}, message.substr(0, offset)},
           {{.opcode = wire::kContinuation}, message.substr(offset)}}};
}

}  // namespace jrpcheck::fuzz
