#include "session/folder.hpp"

#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::session {

using json::Kind;

std::string with_folder(const std::string& message, const corpus::FolderPlace& place,
                        const std::string& uri) {
  const auto parsed = json::parse(message, dialogue::kMessageLimits);
  if (!parsed || !parsed.value->is(Kind::object)) return message;
  const json::Value* method = parsed.value->find("method");
  const json::Value* there = json::at(*parsed.value, place.at);
  if (method == nullptr || method->text() != place.method) return message;
  if (there == nullptr || !there->is(Kind::null)) return message;
  std::string text = message;
  text.replace(there->begin(), there->end() - there->begin(),
               json::write(json::Value::string(uri)));
  return text;
}

void name_folder(corpus::Step& step, const corpus::FolderPlace& place, const std::string& uri) {
  if (step.raw || step.as_it_stands) return;
  for (auto& message : step.messages) message = with_folder(message.text(), place, uri);
}

}  // namespace jrpcheck::session
