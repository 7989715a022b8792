// What the workers of a schedule share.
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/contains.hpp"
#include "run/case_ids.hpp"
#include "run/culprits.hpp"
#include "run/lasting_damage.hpp"
#include "run/schedule.hpp"

namespace jrpcheck::run {

inline constexpr std::string_view kGone =
    "the server died earlier in the run and could not be reached again";

// Cases that wait for a worker.
struct Queue {
  std::vector<std::size_t> ordinals = {};
  std::size_t next = 0;

  bool is_empty() const { return next >= ordinals.size(); }
  std::size_t take() { return ordinals[next++]; }
};

struct Schedule::State : Shared {
  State(const Schedule& schedule, std::size_t number, bool are_several, Results& all)
      : Shared{all, are_several},
        total(number),
        culprits(schedule.corpus_, schedule.runner_, schedule.endings_, *this),
        damage(schedule.corpus_, schedule.runner_, schedule.endings_, *this) {}

  std::size_t total;
  Culprits culprits;
  LastingDamage damage;
  Queue shared = {};
  Queue apart = {};
  std::vector<std::size_t> last = {};        // of `again`, behind all others of it
  std::vector<std::size_t> once_more = {};   // of `last`: what was answered late
  std::set<std::size_t> repeated = {};       // of `last`
  std::set<std::size_t> answered_late = {};  // of `again`
  std::string failure = {};                  // of ours, which ends the run
  bool knows_limit = false;                  // on connections, before it begins
  bool has_come_late = false;                // as in CaseRun; then there is no use in going on
  IdsOfCases ids = {};
  std::set<std::size_t> doubled = {};  // of `again`: one with a shared id may be
  std::size_t unconfirmed = 0;

  // What is to run alone, in its order.
  std::vector<std::size_t> in_turn() const {
    std::vector<std::size_t> order;
    std::ranges::copy_if(again, std::back_inserter(order),
                         [this](std::size_t each) { return !contains(last, each); });
    order.insert(order.end(), last.begin(), last.end());
    return order;
  }

  // Others have run before.
  bool has_had_its_chance(std::size_t ordinal) const {
    return alone && (!contains(last, ordinal) || repeated.count(ordinal) != 0);
  }
  void give_another_chance(std::size_t ordinal) {
    again.insert(ordinal);
    answered_late.insert(ordinal);
    if (alone) once_more.push_back(ordinal);
  }

  // What was to be shown alone, and was not.
  void take_back(std::size_t ordinal) {
    const auto found = results.find(ordinal);
    if (found == results.end()) return;
    if (!found->second.findings.empty()) ++unconfirmed;
    results.erase(found);
  }
};

/// Of a server that may be connected to again.
void renew_connection(session::Conversation& conversation);

}  // namespace jrpcheck::run
