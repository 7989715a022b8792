#include <algorithm>
#include <utility>

#include "cli/explain.hpp"
#include "cli/suggestions.hpp"
#include "run/side_dialogue.hpp"

namespace jrpcheck::cli {
namespace {

constexpr std::size_t kSuggestions = 5;

// Small is close; an id that holds the word as it is comes before one that only resembles it.
std::size_t remoteness(const std::string& wrong, const std::string& id) {
  if (wrong.size() > 2 && id.find(wrong) != std::string::npos) return 0;
  return edit_distance(wrong, id);
}

}  // namespace

std::vector<std::string> closest_ids(const std::string& wrong, const corpus::Corpus& corpus,
                                     const std::vector<DialogueOfProfile>& dialogues) {
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::size_t most = std::max<std::size_t>(2, wrong.size() / 2);
  // Nothing resembles what is longer than any id, and finding that out would take long.
  constexpr std::size_t kLongest = 200;
  if (wrong.size() > kLongest) return {};
  const auto consider = [&](const std::string& id) {
    const std::size_t distance = remoteness(wrong, id);
    if (distance <= most) ranked.emplace_back(distance, id);
  };
  for (const auto& each : corpus.ledger.requirements()) consider(each.id);
  for (const auto& each : corpus.cases) consider(each.id);
  for (const auto& each : corpus.scenarios) consider(each.id);
  for (const auto& each : dialogues) consider(each.dialogue.id);
  for (const auto& each : run::kSideDialogues) consider(std::string(each.id));
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> ids;
  for (const auto& [distance, id] : ranked) {
    if (ids.size() < kSuggestions) ids.push_back(id);
  }
  return ids;
}

}  // namespace jrpcheck::cli
