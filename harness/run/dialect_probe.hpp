// Whether a server that is asked in JSON-RPC 2.0 speaks 1.0 only.
#pragma once

#include <string>
#include <vector>

#include "result/run.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// What to tell the user where a call of 2.0 was answered in the shape of 1.0 or not at all, and a
/// call of 1.0 is answered in the shape of 1.0; else empty. `first` is what the call of 2.0
/// brought back.
std::string recognise_1_0(const std::vector<dialogue::Exchange>& first,
                          session::Conversation& conversation);

/// Leaves one finding of all that is wrong with a Response of 1.0 where one of 2.0 is due: that it
/// is one of 1.0.
void charge_dialect_once(result::CaseResult& result);

}  // namespace jrpcheck::run
