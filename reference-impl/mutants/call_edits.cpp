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
                     const json& call, const ProperCall& proper) {
    return method.empty() || call["method"] == method ? answer(call, proper) : proper();
  });
}

Behaviour edit_response(EditResponse edit) { return edit_response("", std::move(edit)); }

Behaviour edit_response(std::string method, EditResponse edit) {
  return on_call(std::move(method),
                 [edit = std::move(edit)](const json& call, const ProperCall& proper) -> Reply {
                   Reply reply = proper();
                   if (!reply) return reply;
                   const json proper_response = json::parse(*reply);
                   json response = proper_response;
                   edit(call, response);
                   return response == proper_response ? reply : Reply(response.dump());
                 });
}

EditValue setting(std::string name, json member) {
  return [=](json& value) { value[name] = member; };
}

EditValue leaving_out(std::string name) {
  return [=](json& value) { value.erase(name); };
}

namespace {

Behaviour edit_member(std::string method, std::string name, EditValue edit) {
  return edit_response(std::move(method), [=](const json&, json& response) {
    if (response.contains(name)) edit(response[name]);
  });
}

}  // namespace

Behaviour edit_result(std::string method, EditValue edit) {
  return edit_member(std::move(method), "result", std::move(edit));
}

Behaviour edit_error(std::string method, EditValue edit) {
  return edit_member(std::move(method), "error", std::move(edit));
}

namespace {

Behaviour answer_call(std::string method, CallCondition applies,
                      std::function<std::string(const json& call)> answer) {
  return on_call(std::move(method), [=](const json& call, const ProperCall& proper) -> Reply {
    return call.contains("id") && applies(call) ? Reply(answer(call)) : proper();
  });
}

bool every_call(const json&) { return true; }

}  // namespace

Behaviour refuse_call(std::string method, int code) {
  return refuse_call(std::move(method), every_call, code);
}

Behaviour refuse_call(std::string method, CallCondition applies, int code) {
  return answer_call(std::move(method), std::move(applies),
                     [code](const json& call) { return failure_for(call, code); });
}

Behaviour serve_call(std::string method, json result) {
  return serve_call(std::move(method), every_call, std::move(result));
}

Behaviour serve_call(std::string method, CallCondition applies, json result) {
  return answer_call(
      std::move(method), std::move(applies),
      [result = std::move(result)](const json& call) { return success_for(call, result); });
}

Behaviour forgive_call(std::string method, json result) {
  return on_call(std::move(method), [result](const json& call, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    const bool fails = reply && call.contains("id") && json::parse(*reply).contains("error");
    return fails ? Reply(success_for(call, result)) : reply;
  });
}

Behaviour dying_of_call(std::string method) { return dying_of_call(std::move(method), every_call); }

Behaviour dying_of_call(std::string method, CallCondition applies) {
  return on_call(std::move(method), [=](const json& call, const ProperCall& proper) -> Reply {
    if (applies(call)) throw Catastrophe{};
    return proper();
  });
}

Behaviour nested(const Behaviour& outer, const Behaviour& inner) {
  return {.reply = [outer = outer.reply, inner = inner.reply](std::string_view message,
                                                              const ProperReply& proper) {
    return outer(message, [&](std::string_view text) { return inner(text, proper); });
  }};
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
  return json{{"jsonrpc", "2.0"}, {"id", at(call, "/id")}, {"result", result}}.dump();
}

std::string failure_for(const json& call, int code) {
  const json error = {{"code", code}, {"message", "Refused"}};
  return json{{"jsonrpc", "2.0"}, {"id", at(call, "/id")}, {"error", error}}.dump();
}

std::string own_request(const std::string& method, const std::string& params,
                        const std::string& id) {
  return R"({"jsonrpc":"2.0","id":)" + id + R"(,"method":")" + method + R"(","params":)" + params +
         "}";
}

std::string own_notification(const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","method":")" + method + R"(","params":)" + params + "}";
}

json at(const json& value, const std::string& pointer) {
  const json::json_pointer place(pointer);
  return value.contains(place) ? value[place] : json();
}

}  // namespace jrpcheck::reference
