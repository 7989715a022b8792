#include "run/empty_folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "session/opening.hpp"

namespace jrpcheck::run {
namespace {

namespace fs = std::filesystem;
using json::Kind;

constexpr long long kNoSuchMethod = -32601;

bool is_plain_in_a_path(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~/").find(c) != std::string_view::npos;
}

}  // namespace

Result<std::shared_ptr<const EmptyFolder>> EmptyFolder::make(transport::Guardian& guardian) {
  std::error_code failed;
  const auto folder = fs::temp_directory_path(failed);
  if (failed) return Error{"there is no folder for temporary files: " + failed.message()};
  std::string path = (folder / "jrpcheck-empty-XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return Error{"cannot make the folder '" + path + "'"};
  guardian.remove_at_the_end(path);
  return std::shared_ptr<const EmptyFolder>(new EmptyFolder(std::move(path)));
}

EmptyFolder::~EmptyFolder() {
  std::error_code failed;
  fs::remove_all(path_, failed);
}

// RFC 3986 §2.1, §3.3.
std::string EmptyFolder::uri() const {
  static constexpr char kHex[] = "0123456789ABCDEF";
  std::string uri = "file://";
  for (const char c : path_) {
    if (is_plain_in_a_path(c)) {
      uri += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    uri += {'%', kHex[byte >> 4U], kHex[byte & 0xFU]};
  }
  return uri;
}

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

bool is_refused_for_its_params(const std::string& answer) {
  if (!session::is_refused(answer)) return false;
  const auto parsed = json::parse(answer, dialogue::kMessageLimits);
  const json::Value* code = json::at(*parsed.value, "/error/code");
  return code == nullptr || code->text() != std::to_string(kNoSuchMethod);
}

bool is_opening_refused(const dialogue::Transcript& opening) {
  bool is_refused = false;
  for (const auto& event : opening.whole()) {
    if (event.direction != dialogue::Direction::received || event.is_control) continue;
    is_refused = is_refused || is_refused_for_its_params(dialogue::message_of(event).text());
  }
  return is_refused;
}

bool open_with_folder(Options& options, transport::Guardian& guardian) {
  if (!options.folder_place || options.folder) return false;
  auto folder = EmptyFolder::make(guardian);
  if (!folder) return false;
  bool is_named = false;
  for (auto& message : options.opening.messages) {
    const std::string with = with_folder(message, *options.folder_place, (*folder)->uri());
    is_named = is_named || with != message;
    message = with;
  }
  if (is_named) options.folder = *std::move(folder);
  return is_named;
}

std::string note_of_folder(const Options& options) {
  const corpus::FolderPlace& place = *options.folder_place;
  return "The server refuses a call of " + place.method + " that has null at " + place.at +
         ", and was given an empty folder there.";
}

void name_folder(const Options& options, corpus::Step& step) {
  if (!options.folder || step.raw || step.as_it_stands) return;
  for (auto& message : step.messages) {
    message = with_folder(message.text(), *options.folder_place, options.folder->uri());
  }
}

}  // namespace jrpcheck::run
