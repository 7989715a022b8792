// Whether a server keeps the calls on one connection apart.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "session/conversation.hpp"

namespace jrpcheck::run {

/// Sends calls one after another on one connection. Nothing where it serves them all; else the
/// answer that one got to an earlier one, or an empty text where bytes that answer nothing, or an
/// end that nothing announced, make a connection unfit for the next. Each `converse` gives a
/// conversation that is not yet open.
std::optional<std::string> find_mixed_up_calls(
    const std::function<std::unique_ptr<session::Conversation>()>& converse,
    const session::ControlCall& control);

}  // namespace jrpcheck::run
