#include "dialogue/message.hpp"

#include <utility>

namespace jrpcheck::dialogue {
namespace {

std::optional<json::Value> outline_of(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  const bool is_batch = begin != std::string_view::npos && text[begin] == '[';
  json::ParseOptions options = kMessageLimits;
  options.max_depth = text.size();
  options.kept_depth = is_batch ? 2 : 1;
  return json::parse(text, options).value;
}

}  // namespace

Message::Message(std::string text) {
  auto parsed = json::parse(text, kMessageLimits);
  std::optional<json::Value> outline;
  if (parsed.error.beyond_limit) outline = outline_of(text);
  content_ = std::make_shared<const Content>(
      Content{std::move(text), std::move(parsed), std::move(outline)});
}

}  // namespace jrpcheck::dialogue
