// What a server says to a fixed set of probes: two servers that differ show it here.
#pragma once

#include <string>
#include <vector>

#include "reference-impl/mutants/behaviour.hpp"

namespace jrpcheck::reference {

/// One line for each probe, the same for the same behaviour. Every part of a server is probed: its
/// replies, its HTTP answers, its framings, and what it does at both ends of a stream.
std::vector<std::string> transcript_of(const Behaviour& behaviour);

/// Likewise for messages so large that only few behaviours are about them.
std::vector<std::string> transcript_of_large_messages(const Behaviour& behaviour);

}  // namespace jrpcheck::reference
