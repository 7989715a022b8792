// The kinds of rewriting that mutants of a protocol on top are made of.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "reference-impl/mutants/mutant.hpp"

namespace jrpcheck::reference {

/// The proper reply to the message.
using ProperCall = std::function<Reply()>;

/// What a message is answered with, in place of or after the proper reply.
using CallAnswer = std::function<Reply(const nlohmann::json& call, const ProperCall& proper)>;

/// Answers each message that is an Object with a method.
Behaviour on_call(CallAnswer answer);
/// Answers those of one method. Here and below an empty name stands for every one.
Behaviour on_call(std::string method, CallAnswer answer);
/// Edits the Response to calls of one method, where there is one. What is not changed stays as it
/// was written: numbers in full, members in their order.
using EditResponse = std::function<void(const nlohmann::json& call, nlohmann::json& response)>;
Behaviour edit_response(EditResponse edit);
Behaviour edit_response(std::string method, EditResponse edit);
/// Gives an Object a member, in place of the one by that name, or takes it.
using EditValue = std::function<void(nlohmann::json& value)>;
EditValue setting(std::string name, nlohmann::json member);
EditValue leaving_out(std::string name);
/// Edits the result of calls of one method, or the error object.
Behaviour edit_result(std::string method, EditValue edit);
Behaviour edit_error(std::string method, EditValue edit);

/// Which messages.
using CallCondition = std::function<bool(const nlohmann::json& call)>;

/// Refuses calls of one method with this code; what has no id is not touched.
Behaviour refuse_call(std::string method, int code);
Behaviour refuse_call(std::string method, CallCondition applies, int code);
/// Answers them with this result.
Behaviour serve_call(std::string method, nlohmann::json result);
Behaviour serve_call(std::string method, CallCondition applies, nlohmann::json result);
/// Answers those of them so that properly fail.
Behaviour forgive_call(std::string method, nlohmann::json result);

/// Messages of one method, with an id or without, end the process.
Behaviour dying_of_call(std::string method);
Behaviour dying_of_call(std::string method, CallCondition applies);

/// Sends these messages ahead of the reply to calls of one method, or behind it.
Behaviour say_before(std::string method, std::vector<std::string> messages);
Behaviour say_behind(std::string method, std::vector<std::string> messages);

/// Both at once: what is the proper reply to the first is the reply of the second.
Behaviour nested(const Behaviour& outer, const Behaviour& inner);

/// A Response to the call; without an id it has null.
std::string success_for(const nlohmann::json& call, const nlohmann::json& result);
std::string failure_for(const nlohmann::json& call, int code);

/// A Request and a Notification of the server's own; say_before and say_behind number "own-#".
std::string own_request(const std::string& method, const std::string& params,
                        const std::string& id = "\"own-#\"");
std::string own_notification(const std::string& method, const std::string& params);

/// What stands at the path of names; null where nothing does.
nlohmann::json at(const nlohmann::json& value, const std::string& pointer);

}  // namespace jrpcheck::reference
