#include "reference-impl/client/client_edits.hpp"

#include <algorithm>

#include <utility>

namespace jrpcheck::reference {

namespace {

// Editing writes the tree again, which recurses once for each level.
constexpr std::size_t kLongestEdited = 8U << 10;

}  // namespace

ChangeHooks on_call(std::function<void(ClientJson& call)> edit) {
  return [edit = std::move(edit)](ClientHooks& hooks) {
    hooks.sending = [edit](const std::string& text) {
      auto value = ClientJson::parse(text, nullptr, false);
      if (value.is_discarded()) return text;
      if (value.is_array()) {
        for (auto& each : value) edit(each);
      } else if (value.contains("method")) {
        edit(value);
      }
      return value.dump();
    };
  };
}

ChangeHooks greet_with(std::vector<std::string> messages) {
  return [messages = std::move(messages)](ClientHooks& hooks) { hooks.greetings = messages; };
}

ChangeHooks on_text(std::function<std::string(std::string text, const Waiting& waiting)> rewrite) {
  return [rewrite = std::move(rewrite)](ClientHooks& hooks) { hooks.reading = rewrite; };
}

ChangeHooks on_value(std::function<void(ClientJson& value, const Waiting& waiting)> edit) {
  return on_text([edit = std::move(edit)](const std::string& text, const Waiting& waiting) {
    if (text.size() > kLongestEdited) return text;
    auto value = ClientJson::parse(text, nullptr, false);
    if (value.is_discarded()) return text;
    edit(value, waiting);
    return value.dump();
  });
}

ChangeHooks on_object(std::function<void(ClientJson& object, const Waiting& waiting)> edit) {
  return on_value([edit = std::move(edit)](ClientJson& value, const Waiting& waiting) {
    if (value.is_object()) edit(value, waiting);
    if (!value.is_array()) return;
    for (auto& each : value) {
      if (each.is_object()) edit(each, waiting);
    }
  });
}

std::string success_for(const Waiting& waiting, const ClientJson& result) {
  auto array = ClientJson::array();
  for (const auto id : waiting)
    array.push_back({{"jsonrpc", "2.0"}, {"result", result}, {"id", id}});
  return array.size() == 1 ? array.front().dump() : array.dump();
}

ChangeHooks with_ids_as(std::function<ClientJson(Calls::Id id)> form) {
  const auto know_again = [form](ClientJson& object, const Waiting& waiting) {
    if (!object.contains("id") || object.contains("method")) return;
    const auto known = std::find_if(waiting.begin(), waiting.end(),
                                    [&](const auto each) { return object["id"] == form(each); });
    if (known != waiting.end()) {
      object["id"] = *known;
    } else if (object["id"].is_number()) {
      object["id"] = "another";
    }
  };
  return [form = std::move(form), know_again](ClientHooks& hooks) {
    on_call([form](ClientJson& call) { call["id"] = form(call["id"].get<Calls::Id>()); })(hooks);
    on_object(know_again)(hooks);
  };
}

}  // namespace jrpcheck::reference
