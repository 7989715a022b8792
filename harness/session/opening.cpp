#include "session/opening.hpp"

#include "base/bytes.hpp"
#include "corpus/read_file.hpp"
#include "dialogue/message.hpp"
#include "json/parse.hpp"

namespace jrpcheck::session {
namespace {

Error not_json(const std::string& file, const std::string& text, const json::ParseError& error) {
  const auto position = json::locate(text, error.offset);
  return Error{file + ":" + std::to_string(position.line) + ": not JSON: " + error.message +
               "; an opening is a JSON Array of messages"};
}

}  // namespace

Result<Opening> load_opening(const std::string& name) {
  const auto text = corpus::read_file(name);
  if (!text) return Error{"the file '" + name + "' " + text.error().message};
  const auto parsed = json::parse(*text);
  if (!parsed) return not_json(name, *text, parsed.error);
  if (!parsed.value->is(json::Kind::array) || parsed.value->size() == 0) {
    return Error{name + ": an opening is a JSON Array of at least one message"};
  }
  Opening opening;
  for (const auto& message : parsed.value->children()) {
    opening.messages.push_back(json::write(message));
  }
  return opening;
}

bool is_refused(std::string_view answer) {
  const auto parsed = json::parse(answer, dialogue::kMessageLimits);
  const json::Value* error = parsed ? parsed.value->find("error") : nullptr;
  // With a result beside it it is malformed, which is judged, and no refusal.
  return error != nullptr && !error->is(json::Kind::null) &&
         parsed.value->find("result") == nullptr;
}

std::string shown_opening(const std::string& message) {
  constexpr std::size_t kMostOfOpening = 200;  // of which the beginning tells the method
  return "the opening message " + to_visible(message, kMostOfOpening);
}

Error refused_opening(const std::string& message, const std::string& came_back) {
  return Error{shown_opening(message) + " was refused: " + to_visible(came_back, 400)};
}

}  // namespace jrpcheck::session
