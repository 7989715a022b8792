#include "reference-impl/mutants/call_edits.hpp"

#include <atomic>
#include <memory>
#include <utility>

namespace jrpcheck::reference {

using nlohmann::json;

Behaviour on_call(CallAnswer answer) {
  return {.reply = [answer = std::move(answer)](std::string_view message,
                                                const ProperReply& proper) -> Reply {
    const auto call = json::parse(message, nullptr, false);
    if (!call.is_object() || !call.contains("method") || !call["method"].is_string()) {
      return proper(message);
    }
    return answer(call, [&] { return proper(message); });
  }};
}

Behaviour on_call(std::string method, CallAnswer answer) {
  return on_call([method = std::move(method), answer = std::move(answer)](
                     const json& call, const std::function<Reply()>& proper) {
    return call["method"] == method ? answer(call, proper) : proper();
  });
}

Behaviour edit_result(std::string method, std::function<void(json& result)> edit) {
  return on_call([method = std::move(method), edit = std::move(edit)](
                     const json& call, const std::function<Reply()>& proper) -> Reply {
    Reply reply = proper();
    if (!reply || (!method.empty() && call["method"] != method)) return reply;
    json response = json::parse(*reply);
    if (!response.contains("result")) return reply;
    edit(response["result"]);
    return response.dump();
  });
}

Behaviour refuse_call(std::string method, int code) {
  return on_call(std::move(method), [code](const json& call, const auto& proper) -> Reply {
    return call.contains("id") ? Reply(failure_for(call, code)) : proper();
  });
}

namespace {

Reply joined(std::vector<std::string> first, const std::vector<std::string>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return Reply::several(std::move(first));
}

/// The messages with a number of its own for each time that they are said, in place of "own-#".
std::vector<std::string> numbered(std::vector<std::string> messages, int number) {
  constexpr std::string_view kPlace = "own-#";
  for (auto& each : messages) {
    const auto found = each.find(kPlace);
    if (found != each.npos) each.replace(found, kPlace.size(), "own-" + std::to_string(number));
  }
  return messages;
}

Behaviour beside(std::string method, std::vector<std::string> messages, bool ahead) {
  const auto said = std::make_shared<std::atomic<int>>(0);
  return on_call(std::move(method), [=](const json&, const auto& proper) {
    const auto own = numbered(messages, ++*said);
    return ahead ? joined(own, proper().messages()) : joined(proper().messages(), own);
  });
}

}  // namespace

Behaviour say_before(std::string method, std::vector<std::string> messages) {
  return beside(std::move(method), std::move(messages), true);
}

Behaviour say_behind(std::string method, std::vector<std::string> messages) {
  return beside(std::move(method), std::move(messages), false);
}

std::string success_for(const json& call, const json& result) {
  return json{{"jsonrpc", "2.0"}, {"id", call["id"]}, {"result", result}}.dump();
}

std::string failure_for(const json& call, int code) {
  const json error = {{"code", code}, {"message", "Refused"}};
  return json{{"jsonrpc", "2.0"}, {"id", call["id"]}, {"error", error}}.dump();
}

json at(const json& value, const std::string& pointer) {
  const json::json_pointer place(pointer);
  return value.contains(place) ? value[place] : json();
}

}  // namespace jrpcheck::reference
