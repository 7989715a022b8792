#include "dialogue/storage.hpp"

#include <algorithm>
#include <string>

namespace jrpcheck::dialogue {
namespace {

// As it stands in a report: a report is at most twice as large.
constexpr std::size_t kRoom = 5U << 20;
constexpr std::size_t kOfACase = 6U << 10;

constexpr std::size_t kBesideBytes = 250;

// What is no plain text is written as escapes.
std::size_t written_size(const Event& event) {
  const auto escaped =
      std::ranges::count_if(event.bytes, [](char byte) { return byte < ' ' || byte > '~'; });
  return kBesideBytes + event.bytes.size() + 5 * static_cast<std::size_t>(escaped);
}

}  // namespace

Storage::Kept Storage::keep(const Transcript& transcript) {
  Kept kept{{}, transcript.is_folded()};
  const bool is_full = used_.load() > kRoom;
  std::size_t size = 0;
  bool is_cut = false;
  for (const Event& event : transcript.events()) {
    const std::size_t more = written_size(event);
    const bool fits = !is_full || size + more <= kOfACase;
    if (!fits && (is_bulk(event.direction) || event.direction == Direction::sent)) {
      if (!is_cut) {
        kept.events.push_back(
            {event.direction, event.at, {}, std::string(kNotKeptNote), event.step});
      }
      is_cut = true;
      continue;
    }
    size += more;
    kept.events.push_back(event);
  }
  kept.is_folded = kept.is_folded || is_cut;
  used_ += size;
  return kept;
}

}  // namespace jrpcheck::dialogue
