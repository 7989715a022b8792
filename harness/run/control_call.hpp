// The call by which a run sees whether a server of its profile serves.
#pragma once

#include "corpus/profile.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// That of the profile; else a method that no server has.
session::ControlCall control_call_of(const corpus::Profile& profile);

/// Params with the members that the profile wants in every Request; both are JSON text, or empty.
std::string with_request_members(const std::string& params, const std::string& members);

}  // namespace jrpcheck::run
