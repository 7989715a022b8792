// Property: a relation that holds between what is sent and what comes back, whatever is sent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/properties/scenario.hpp"
#include "fuzz/properties/test_session.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::properties {

/// What one scenario has shown.
struct Trial {
  /// Not empty: nothing was shown, and why. A server may differ legally from itself: by time,
  /// counters, chance, state.
  std::string skipped = {};
  bool lacks_baseline = false;  ///< it was skipped before anything was varied
  std::vector<judge::Finding> findings = {};
  judge::Requirements exercised = {};  ///< about which something was shown
  std::string observed = {};           ///< the way that this server takes where several are right
};

struct Property {
  std::string_view id;  ///< stable: "white-space"
  std::string_view title;
  /// What it charges most of all; a message that goes astray may break others.
  std::vector<std::string_view> requirements;
  Material material;
  Trial (*check)(const Scenario& scenario, TestSession& session);
  bool needs_batches = false;
  bool needs_stream = false;
  /// No more tests than these, for each takes its time; 0: as many as are asked for.
  std::size_t most_tests = 0;
  /// What it sends is to be no Request, or no JSON.
  bool needs_foreign = false;
  /// The server may stay changed: each confirmation needs a fresh one, where that can be had.
  bool is_lasting = false;
  /// Where `observed` is recorded: an id of the ledger.
  std::string_view observes = {};
};

/// All of them, in the order in which they are tried.
std::span<const Property> all_properties();
/// Its name in reports: "properties/white-space".
std::string case_id_of(const Property& property);
/// By either.
const Property* find_property(std::string_view name);

}  // namespace jrpcheck::properties
