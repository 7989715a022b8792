// The reference server in this process, over the framing by lines: no process, no threads.
#pragma once

#include <string_view>

#include "fuzz/properties/trials.hpp"

namespace jrpcheck::properties {

/// The server with a behaviour around it, as of the tables of mutants; each executor has one of
/// its own. Whoever asks for a fault or a variant that does not exist gets the proper server.
Server make_reference_for_testing(std::string_view mutant = {});

}  // namespace jrpcheck::properties
