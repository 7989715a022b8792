// What looked wrong in company and is right alone, tried again in the same company and reduced.
#pragma once

#include <optional>

#include "fuzz/repeater.hpp"

namespace jrpcheck::fuzz {

/// Sends the message again with all that was written with it, on connections of their own, and the
/// same without. Nothing unless it is wrong each time in company, and right each time alone and
/// behind the answers to those before it.
std::optional<Suspicion> find_in_company(const Suspicion& suspicion, const Company& company,
                                         Repeater& repeater);

struct Lost {
  std::optional<Suspicion> shown = {};
  /// As many plain calls were not all read in time: of this server nothing can be told so.
  bool is_slow = false;
};

/// The same of messages of which nobody knows which looked wrong: what came of all of them could
/// not be told apart. Cut as they were written.
Lost find_lost(const Messages& together, const std::optional<Cut>& cut, Repeater& repeater);

/// Fewer and shorter companions, then the smallest message that still shows it among them.
Suspicion reduced_in_company(Suspicion suspicion, Repeater& repeater);

}  // namespace jrpcheck::fuzz
