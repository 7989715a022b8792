// Look apart: whether a client fails by what several messages say, or by how they came. Which of
// them one read brings is chance.
#pragma once

#include <functional>
#include <optional>

#include "corpus/corpus.hpp"
#include "result/run.hpp"

namespace jrpcheck::client {

/// What comes of a scenario that is tried once more; nothing where it cannot be.
using TryAgain = std::function<std::optional<result::CaseResult>(const corpus::Scenario&)>;

/// Calls have ended in an error, or not at all, as `charged` says. Where there are several messages
/// the scenario is tried again with a moment between them, and in one write: who fails over those
/// in one write alone is charged with that (cl-framing), and with nothing that they say.
result::CaseResult looked_at_apart(const corpus::Scenario& scenario, result::CaseResult charged,
                                   const TryAgain& try_again, const corpus::Ledger& ledger);

}  // namespace jrpcheck::client
