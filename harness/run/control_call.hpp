// The call by which a run sees whether a server of its profile serves.
#pragma once

#include <string>
#include <string_view>

#include "corpus/profile.hpp"
#include "session/conversation.hpp"

namespace jrpcheck::run {

/// What nobody has, to see what a call of any name at all comes to.
inline constexpr std::string_view kNobodysMethod = "jrpcheckNobodysMethod";

/// That of the profile; else a method that no server has.
session::ControlCall control_call_of(const corpus::Profile& profile);

/// Whether that is what a call of a method that the server does not have is answered (JSON-RPC 2.0
/// §5.1).
bool says_method_is_unknown(const dialogue::Message& answer);

/// One with the method and the params of a message.
session::ControlCall control_call_like(const std::string& message);

}  // namespace jrpcheck::run
