// About how many bytes of memory something takes whose size somebody else chooses, beside what it
// takes itself (sizeof): an estimate, and the same wherever it is made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace jrpcheck {

inline std::size_t kept_by(const std::string& text) {
  constexpr std::size_t kOfBlock = 16;  // what the heap takes for itself
  const bool stands_within = text.capacity() <= std::string().capacity();
  return stands_within ? 0 : text.capacity() + kOfBlock;
}

template <typename Key>
std::size_t kept_by(const std::pair<Key, std::string>& both) {
  return kept_by(both.first) + kept_by(both.second);
}

/// All that is in a container, with the nodes that hold it. `kept_by_one`: beside its own size.
template <typename Container, typename KeptByOne>
std::size_t kept_in(const Container& all, KeptByOne kept_by_one) {
  constexpr std::size_t kOfNode = 48;
  std::size_t kept = 0;
  for (const auto& each : all) kept += kOfNode + sizeof each + kept_by_one(each);
  return kept;
}

/// The same of texts, and of pairs of texts.
template <typename Container>
std::size_t kept_in(const Container& all) {
  return kept_in(all, [](const auto& each) { return kept_by(each); });
}

/// Which of those that keep so many bytes have to go, the largest first, for the others to keep no
/// more than `most` together.
template <typename Name>
std::set<Name> largest_beyond(std::size_t most, std::vector<std::pair<std::size_t, Name>> all) {
  std::ranges::stable_sort(all, {}, &std::pair<std::size_t, Name>::first);
  std::size_t kept =
      std::accumulate(all.begin(), all.end(), std::size_t{0},
                      [](std::size_t sum, const auto& each) { return sum + each.first; });
  std::set<Name> largest;
  for (; kept > most; all.pop_back()) {
    kept -= all.back().first;
    largest.insert(all.back().second);
  }
  return largest;
}

}  // namespace jrpcheck
