// Ids that came back altered: another id, in which that of a call can still be seen.
#pragma once

#include "json/value.hpp"
#include "judge/traffic/calls.hpp"

namespace jrpcheck::judge {

/// Whether that is the id of the call in another case, without white space around it, cut short, or
/// brought into 32 bits, without its sign or its fraction. JSON-RPC 2.0 §5 has it come back as it
/// was.
bool is_altered_id(const json::Value& id, const CallInFlight& call);

}  // namespace jrpcheck::judge
