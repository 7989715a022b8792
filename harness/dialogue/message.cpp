#include "dialogue/message.hpp"

#include <algorithm>
#include <array>

namespace jrpcheck::dialogue {
namespace {

constexpr std::array<std::string_view, 4> kMembers = {"jsonrpc", "result", "error", "method"};

bool has_member(const json::Value& value) {
  return std::ranges::any_of(kMembers,
                             [&](const auto name) { return value.find(name) != nullptr; });
}

std::optional<json::Value> outline_of(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  const bool is_batch = begin != std::string_view::npos && text[begin] == '[';
  json::ParseOptions options = kMessageLimits;
  options.max_depth = text.size();
  options.kept_depth = is_batch ? 2 : 1;
  return json::parse(text, options).value;
}

}  // namespace

bool is_like_json_rpc(const Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return message.text().find("\"jsonrpc\"") != std::string::npos;
  return has_member(*value) ||
         (value->is(json::Kind::array) && std::ranges::any_of(value->children(), has_member));
}

const json::ParseResult& Message::Content::parsed() const {
  if (is_parsed_.load(std::memory_order_acquire)) return parsed_;
  const std::lock_guard lock(mutex_);
  if (is_parsed_.load(std::memory_order_relaxed)) return parsed_;
  parsed_ = json::parse(text, kMessageLimits);
  if (parsed_.error.beyond_limit) outline_ = outline_of(text);
  is_parsed_.store(true, std::memory_order_release);
  return parsed_;
}

const std::optional<json::Value>& Message::Content::outline() const {
  parsed();
  return outline_;
}

}  // namespace jrpcheck::dialogue
