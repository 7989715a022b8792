#include <algorithm>
#include <utility>

#include "cli/explain.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kSuggestions = 5;

// Levenshtein's: insertions, deletions and replacements of one character.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

// Small is close; an id that holds the word as it is comes before one that only resembles it.
std::size_t remoteness(const std::string& wrong, const std::string& id) {
  if (wrong.size() > 2 && id.find(wrong) != std::string::npos) return 0;
  return edit_distance(wrong, id);
}

}  // namespace

std::vector<std::string> closest_ids(const std::string& wrong, const corpus::Corpus& corpus) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::size_t most = std::max<std::size_t>(2, wrong.size() / 2);
  const auto consider = [&](const std::string& id) {
    const std::size_t distance = remoteness(wrong, id);
    if (distance <= most) ranked.emplace_back(distance, id);
  };
  for (const auto& each : corpus.ledger.requirements()) consider(each.id);
  for (const auto& each : corpus.cases) consider(each.id);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> ids;
  for (const auto& [distance, id] : ranked) {
    if (ids.size() < kSuggestions) ids.push_back(id);
  }
  return ids;
}

}  // namespace jrpcheck::cli
