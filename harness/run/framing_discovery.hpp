// Finding out which framing a program on stdio speaks.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.hpp"
#include "base/result.hpp"
#include "session/conversation.hpp"
#include "transport/guardian.hpp"
#include "wire/framing.hpp"

namespace jrpcheck::run {

/// Starts the program once for each framing that it may speak, says the same to both, and takes the
/// framing in which a JSON-RPC message comes back first; lines where nothing does before the
/// deadline. The error tells of a program that cannot be started, or that ends before it answers.
Result<wire::FramingKind> discover_framing(const std::vector<std::string>& command,
                                           const session::Opening& opening,
                                           const session::ControlCall& call,
                                           transport::Guardian& guardian, Deadline deadline);

}  // namespace jrpcheck::run
