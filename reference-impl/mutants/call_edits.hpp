// The kinds of rewriting that mutants of a protocol on top are made of.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::reference {

/// What a message is answered with, in place of or after the proper reply.
using CallAnswer =
    std::function<Reply(const nlohmann::json& call, const std::function<Reply()>& proper)>;

/// Answers each message that is an Object with a method.
Behaviour on_call(CallAnswer answer);
/// Answers calls of one method.
Behaviour on_call(std::string method, CallAnswer answer);
/// Edits the result of calls of one method; an empty name stands for every one.
Behaviour edit_result(std::string method, std::function<void(nlohmann::json& result)> edit);
/// Refuses calls of one method with this code.
Behaviour refuse_call(std::string method, int code);
/// Sends these messages ahead of the reply to calls of one method, or behind it.
Behaviour say_before(std::string method, std::vector<std::string> messages);
Behaviour say_behind(std::string method, std::vector<std::string> messages);

/// A Response to the call.
std::string success_for(const nlohmann::json& call, const nlohmann::json& result);
std::string failure_for(const nlohmann::json& call, int code);

/// What stands at the path of names; null where nothing does.
nlohmann::json at(const nlohmann::json& value, const std::string& pointer);

}  // namespace jrpcheck::reference
