// Envelope rules of JSON-RPC 1.0: what every reply looks like in the dialect before 2.0.
#pragma once

#include <string_view>

#include "json/value.hpp"

namespace jrpcheck::judge {

class Charger;

/// The requirement of the class v1 that says in 1.0 what this one says in 2.0; the same again where
/// the dialects do not differ.
std::string_view requirement_in_1_0(std::string_view requirement);

/// Judges one Response Object: result and error both there and one of them null, and the id.
void judge_response_1_0(const json::Value& response, Charger& charger);

}  // namespace jrpcheck::judge
