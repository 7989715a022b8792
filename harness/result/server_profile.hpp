// The profile of a server: how it behaves where the specification leaves it open, summed up.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "result/run.hpp"

namespace jrpcheck::result {

struct Answer {
  std::string value;
  std::size_t cases = 0;
};

/// One thing that the specification leaves open, and what the server did.
struct OpenPoint {
  std::string name;
  std::string summary;          ///< the answers in a phrase
  std::vector<Answer> answers;  ///< the most frequent first
  bool in_short = false;        ///< one of the few that a short report shows
};

/// Sums up observations: the open points that matter to most clients first, the others by name.
/// Only those about which something was observed.
std::vector<OpenPoint> server_profile(const std::vector<RecordedObservation>& observations);

}  // namespace jrpcheck::result
