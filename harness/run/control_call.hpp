// The call by which a run sees whether a server of its profile serves.
#pragma once

#include <string>

#include "corpus/profile.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// That of the profile; else a method that no server has.
session::ControlCall control_call_of(const corpus::Profile& profile);

/// One with the method and the params of a message.
session::ControlCall control_call_like(const std::string& message);

}  // namespace jrpcheck::run
