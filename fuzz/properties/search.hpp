// The search for a counterexample: scenarios that RapidCheck generates, and simpler ones.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "fuzz/properties/scenario.hpp"

namespace jrpcheck::properties {

/// Whether a scenario still shows what the first one showed.
using StillShows = std::function<bool(const Scenario&)>;

class Search {
 public:
  /// The same seed gives the same scenarios.
  Search(Material material, const Words& words, unsigned long long seed);
  ~Search();
  Search(const Search&) = delete;
  Search& operator=(const Search&) = delete;

  /// The next scenario. Of those of which there are no others each in turn.
  const Scenario& next();

  /// What `next` gave last.
  const Scenario& last() const;

  /// The simplest scenario that can be reached from the last one in so many tries: it is that one
  /// itself, or one that `still_shows` has said yes to.
  Scenario simplest(const StillShows& still_shows, std::size_t tries);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace jrpcheck::properties
