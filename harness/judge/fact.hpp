// What is found out about a case beside its steps, as a finding.
#pragma once

#include "dialogue/transcript.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

/// What the fact of an event is charged to. Nothing where the event holds none, or one that only
/// says how others are to be read.
std::optional<Finding> finding_of(const dialogue::Event& event);

}  // namespace jrpcheck::judge
