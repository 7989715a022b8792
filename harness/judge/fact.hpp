// What is found out about a case beside its steps, as a finding.
#pragma once

#include <string>
#include <string_view>

#include "corpus/case.hpp"
#include "dialogue/transcript.hpp"
#include "judge/judgement.hpp"

namespace jrpcheck::judge {

/// What does not survive a case is charged to this where no step of it says otherwise.
inline constexpr std::string_view kSurvives = "rob-survives";

/// What it is charged to that nothing answers behind this step: a broken header need not be borne
/// like a broken message.
std::string charge_of_end(const corpus::Step& step);

/// What the fact of an event is charged to. Nothing where the event holds none, or one that only
/// says how others are to be read. `of_end`: what a server is charged with that has died of the
/// case.
std::optional<Finding> finding_of(const dialogue::Event& event,
                                  std::string_view of_end = kSurvives);

}  // namespace jrpcheck::judge
