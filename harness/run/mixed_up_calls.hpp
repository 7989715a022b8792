// Whether a server keeps the calls on one connection apart.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Sends calls one after another on one connection. Where one is answered with the answer to an
/// earlier one, and calls on connections of their own are not, that answer; else nothing. Each
/// `converse` gives a conversation that is not yet open.
std::string find_mixed_up_calls(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control);

}  // namespace jrpcheck::run
