// The rule for what a client of MCP 2026-07-28 listens to.
#pragma once

#include <string>

#include "json/value.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::judge {

/// Of a request: the filter of subscriptions/listen (basic/patterns/subscriptions).
void judge_listening(const json::Value& message, const std::string& method, ClientCharges& charges);

}  // namespace jrpcheck::judge
