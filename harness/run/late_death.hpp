// Which case has ended the server so much later that others had run since.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "base/deadline.hpp"
#include "run/case_runner.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

struct LateDeath {
  std::size_t ordinal = 0;  ///< of the case that brings it about
  dialogue::SurvivalCheck how;
};

/// Looks for the case among these, by halves: each time half of them run once more on a server that
/// was just started, which is watched for so long behind them. What it finds has ended two servers
/// alone, and servers that are asked nothing but control calls live on. Nothing where the server is
/// not ours to start, or when the deadline has passed.
std::optional<LateDeath> find_late_death(std::vector<std::size_t> ordinals,
                                         const CaseRunner& runner,
                                         session::Conversation& conversation, Deadline deadline,
                                         microseconds watched_for);

}  // namespace jrpcheck::run
