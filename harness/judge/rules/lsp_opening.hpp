// What the rules of LSP share: what the client has said in initialize.
#pragma once

#include <string_view>

#include "judge/protocol.hpp"

namespace jrpcheck::judge {

/// The params of initialize in this conversation; null where it began before.
const json::Value* opening_params(const RuleCall& call);

/// Whether this client has said in these that it can do that. Null: the usual opening, which
/// declares nothing.
bool client_can(const json::Value* params, std::string_view pointer);

}  // namespace jrpcheck::judge
