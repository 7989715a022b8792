#include "session/folder.hpp"

#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::session {

using json::Kind;

namespace {

// What a call of that method has there; null where the message is none, or has nothing there.
const json::Value* folder_at(const json::Value& message, const corpus::OpeningPlace& place) {
  if (!message.is(Kind::object)) return nullptr;
  const json::Value* method = message.find("method");
  if (method == nullptr || method->text() != place.method) return nullptr;
  return json::at(message, place.at);
}

}  // namespace

std::string with_folder(const std::string& message, const corpus::OpeningPlace& place,
                        const std::string& uri) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  const json::Value* there = parsed ? folder_at(*parsed.value, place) : nullptr;
  if (there == nullptr || !there->is(Kind::null)) return message;
  std::string text = message;
  text.replace(there->begin(), there->end() - there->begin(),
               json::write(json::Value::string(uri)));
  return text;
}

std::string folder_in(const std::string& message, const corpus::OpeningPlace& place) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  return parsed ? json::text_of(folder_at(*parsed.value, place)) : std::string();
}

void name_folder(corpus::Step& step, const corpus::OpeningPlace& place, const std::string& uri) {
  if (step.raw || step.as_it_stands) return;
  for (auto& message : step.messages) message = with_folder(message.text(), place, uri);
}

}  // namespace jrpcheck::session
