#include "fuzz/properties/search.hpp"

#include <optional>

#include "fuzz/properties/generators.hpp"

namespace jrpcheck::properties {

struct Search::State {
  rc::Gen<Scenario> generator;
  std::vector<Scenario> all;  // where there are any, nothing is generated
  rc::Random random;
  std::optional<rc::Shrinkable<Scenario>> last = {};
  Scenario scenario = {};
  std::size_t count = 0;  // of scenarios
};

Search::Search(Material material, const Words& words, unsigned long long seed)
    : state_(new State{scenarios(material, words), all_scenarios(material, words),
                       rc::Random(seed)}) {}

Search::~Search() = default;

const Scenario& Search::next() {
  if (state_->all.empty()) {
    state_->last = state_->generator(state_->random.split());
  } else {
    state_->last = rc::shrinkable::just(state_->all[state_->count++ % state_->all.size()]);
  }
  state_->scenario = state_->last->value();
  return state_->scenario;
}

const Scenario& Search::last() const { return state_->scenario; }

// RapidCheck's own loop has no bound, and each try costs exchanges with a server.
Scenario Search::simplest(const StillShows& still_shows, std::size_t tries) {
  auto current = *state_->last;
  bool simpler = true;
  while (simpler && tries > 0) {
    simpler = false;
    auto candidates = current.shrinks();
    for (auto next = candidates.next(); next && tries > 0; next = candidates.next()) {
      --tries;
      if (!still_shows(next->value())) continue;
      current = *next;
      simpler = true;
      break;
    }
  }
  return current.value();
}

}  // namespace jrpcheck::properties
