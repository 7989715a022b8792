#include "dialogue/message.hpp"

#include <utility>

namespace jrpcheck::dialogue {

Message::Message(std::string text) {
  auto parsed = json::parse(text, kMessageLimits);
  content_ = std::make_shared<const Content>(Content{std::move(text), std::move(parsed)});
}

}  // namespace jrpcheck::dialogue
