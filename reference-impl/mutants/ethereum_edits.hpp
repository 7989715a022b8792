// The kinds of rewriting that mutants of the Ethereum node are made of.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "reference-impl/mutants/ethereum_mutants.hpp"

namespace jrpcheck::reference::ethereum {

using nlohmann::json;

inline constexpr auto kHttpAndWs = static_cast<Transports>(kHttp | kWs);

/// Calls of methods that nobody has are refused with this code, or give null. Ids stay as they are
/// written.
Behaviour unknown_methods_coded(int code);
Behaviour unknown_methods_served();
/// Calls with params by name are taken for none.
Behaviour names_refused(int code);
/// Objects that calls of the method give have this member.
Behaviour editing(std::string method, std::string member, json value);
/// Rewrites the answers to each batch.
Behaviour batch_edited(std::function<Reply(json batch)> edit);
/// Tells of a new head behind the answer to each subscription. `more`: members of that message.
Behaviour heads(const std::string& subscription, const std::string& more);

}  // namespace jrpcheck::reference::ethereum
