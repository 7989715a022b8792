// Calls that a server may answer which leaves unknown methods unanswered.
#pragma once

#include <vector>

#include "corpus/bindings.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Of the methods that the user has named, as their roles want it, and of those that many servers
/// have and that only answer.
std::vector<session::ControlCall> harmless_calls(const corpus::RoleBindings& named,
                                                 corpus::Dialect dialect);

}  // namespace jrpcheck::run
