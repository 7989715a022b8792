// The kinds of rewriting that mutants of the client are made of.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference-impl/client/client_hooks.hpp"

namespace jrpcheck::reference {

using ClientJson = nlohmann::ordered_json;
using Waiting = std::vector<Calls::Id>;
using ChangeHooks = std::function<void(ClientHooks& hooks)>;

/// Edits each call before it is sent, alone or in a batch.
ChangeHooks on_call(std::function<void(ClientJson& call)> edit);
/// Sends these before the first call.
ChangeHooks greet_with(std::vector<std::string> messages);
/// Edits each Object that comes, alone or in an Array, before the client reads it.
ChangeHooks on_object(std::function<void(ClientJson& object, const Waiting& waiting)> edit);
/// Edits each message that is JSON.
ChangeHooks on_value(std::function<void(ClientJson& value, const Waiting& waiting)> edit);
/// Rewrites each message.
ChangeHooks on_text(std::function<std::string(std::string text, const Waiting& waiting)> rewrite);

/// A good Response to the call in flight, or to each where there are several.
std::string success_for(const Waiting& waiting, const ClientJson& result);

/// Sends ids in another form, and knows them again.
ChangeHooks with_ids_as(std::function<ClientJson(Calls::Id id)> form);

}  // namespace jrpcheck::reference
