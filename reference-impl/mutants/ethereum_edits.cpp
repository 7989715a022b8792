#include "reference-impl/mutants/ethereum_edits.hpp"

#include <utility>

namespace jrpcheck::reference::ethereum {

namespace {

/// What is made of the text of their refusal.
Behaviour unknown_methods_give(const std::function<void(std::string& refusal)>& edit) {
  return on_call([edit](const json&, const ProperCall& proper) -> Reply {
    Reply reply = proper();
    if (!reply || at(json::parse(*reply), "/error/code") != -32601) return reply;
    std::string text = *reply;
    edit(text);
    return text;
  });
}

}  // namespace

Behaviour unknown_methods_coded(int code) {
  return unknown_methods_give([code](std::string& refusal) {
    constexpr std::string_view kCode = "-32601";
    refusal.replace(refusal.find(kCode), kCode.size(), std::to_string(code));
  });
}

Behaviour unknown_methods_served() {
  return unknown_methods_give([](std::string& refusal) {
    const auto error = refusal.find("\"error\":{");
    refusal.replace(error, refusal.find('}', error) + 1 - error, "\"result\":null");
  });
}

Behaviour names_refused(int code) {
  return on_call([code](const json& call, const ProperCall& proper) -> Reply {
    // Params may be deeper than a copy of them could be.
    const bool is_by_name = call.contains("params") && call["params"].is_object();
    if (!is_by_name || !call.contains("id")) return proper();
    return json{{"jsonrpc", "2.0"},
                {"id", nullptr},
                {"error", {{"code", code}, {"message", "Invalid request"}}}}
        .dump();
  });
}

Behaviour editing(std::string method, std::string member, json value) {
  return edit_result(std::move(method), [=](json& result) {
    if (result.is_object()) result[member] = value;
  });
}

Behaviour batch_edited(std::function<Reply(json batch)> edit) {
  return {.reply = [edit](std::string_view message, const ProperReply& proper) -> Reply {
    Reply reply = proper(message);
    const json answer = reply ? json::parse(*reply, nullptr, false) : json();
    return message.starts_with("[") && answer.is_array() ? edit(answer) : reply;
  }};
}

Behaviour heads(const std::string& subscription, const std::string& more) {
  return say_behind("eth_subscribe", {R"({"jsonrpc":"2.0",)" + more +
                                      R"("method":"eth_subscription","params":{"subscription":)" +
                                      subscription + R"(,"result":{"number":"0x1"}}})"});
}

}  // namespace jrpcheck::reference::ethereum
