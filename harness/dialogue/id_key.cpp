#include "dialogue/id_key.hpp"

#include <algorithm>

#include "json/number.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::dialogue {

using json::Kind;

std::optional<std::string> id_key(const json::Value& id) {
  if (id.is(Kind::string)) return "s" + id.text();
  if (!id.is(Kind::number)) return std::nullopt;
  return "n" + json::canonical_number(id.text());
}

std::optional<std::string> id_key(const json::Value* id) {
  return id == nullptr ? std::nullopt : id_key(*id);
}

std::vector<std::string> id_keys_of(const Message& message) {
  return message.outline() == nullptr ? std::vector<std::string>() : id_keys_of(*message.outline());
}

std::vector<std::string> id_keys_of(const json::Value& message) {
  std::vector<std::string> keys;
  const auto add = [&keys](const json::Value& one) {
    if (auto key = id_key(one.find("id"))) keys.push_back(*std::move(key));
  };
  if (message.is(Kind::array)) {
    for (const auto& each : message.children()) add(each);
  } else {
    add(message);
  }
  return keys;
}

const json::Value* sole_object(const json::Value& message) {
  const bool is_array = message.is(Kind::array) && message.size() == 1;
  const json::Value& one = is_array ? message.children().front() : message;
  return one.is(Kind::object) ? &one : nullptr;
}

bool has_outcome(const json::Value& message) {
  return message.find("result") != nullptr || message.find("error") != nullptr;
}

bool holds_response(const Message& message) {
  const json::Value* value = message.outline();
  if (value == nullptr) return false;
  if (!value->is(Kind::array)) return has_outcome(*value);
  const auto& elements = value->children();
  return std::any_of(elements.begin(), elements.end(), has_outcome);
}

bool fails_a_call(const Message& message) {
  const json::Value* code =
      message.value() == nullptr ? nullptr : json::at(*message.value(), "/error/code");
  const std::string text = code != nullptr ? json::write(*code) : std::string();
  return !text.empty() && text != "-32700" && text != "-32600";
}

bool is_of_unknown_call(const Message& message) {
  if (message.value() == nullptr || !has_outcome(*message.value())) return false;
  const json::Value* id = message.find("id");
  return id == nullptr || id->is(Kind::null);
}

}  // namespace jrpcheck::dialogue
