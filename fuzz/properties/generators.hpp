// Generators of scenarios, for RapidCheck. Costly to include.
#pragma once

#include <rapidcheck.h>

#include "fuzz/properties/scenario.hpp"

namespace jrpcheck::properties {

/// They shrink structure first: messages and elements go, then members, then values become plainer.
rc::Gen<Scenario> scenarios(Material material, const Words& words);

}  // namespace jrpcheck::properties
