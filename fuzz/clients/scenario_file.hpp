// A finding of a campaign as a file of scenarios, which jrpcheck client reads with --cases.
#pragma once

#include <string>

#include "corpus/scenario.hpp"

namespace jrpcheck::fuzz {

/// The text of a file that holds that scenario alone.
std::string scenario_file(const corpus::Scenario& scenario);

}  // namespace jrpcheck::fuzz
