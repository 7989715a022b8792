#include "run/empty_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/bytes.hpp"
#include "dialogue/message.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "session/folder.hpp"
#include "session/opening.hpp"
#include "transport/empty_folder.hpp"

namespace jrpcheck::run {
namespace {

constexpr long long kNoSuchMethod = -32601;

}  // namespace

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
  if (!options.folder_place || options.folder || options.gives_folders) return false;
  auto folder = transport::EmptyFolder::make(guardian);
  if (!folder) return false;
  std::vector<std::string> with;
  for (const auto& message : options.opening.messages) {
    with.push_back(session::with_folder(message, *options.folder_place, (*folder)->uri()));
  }
  if (with == options.opening.messages) return false;
  if (options.target) {
    options.opening.messages = std::move(with);
    options.folder = *std::move(folder);
  } else {
    options.gives_folders = true;
    options.opening.folder_place = options.folder_place;
  }
  return true;
}

std::string note_of_folder(const Options& options) {
  const corpus::OpeningPlace& place = *options.folder_place;
  return "The server refuses a call of " + place.method + " that has null at " + place.at +
         ", and was given an empty folder there" +
         (options.gives_folders ? ", each program one of its own." : ".");
}

void name_folder(const Options& options, corpus::Step& step) {
  if (!options.folder_place) return;
  for (const auto& message : options.opening.messages) {
    const std::string uri = session::folder_in(message, *options.folder_place);
    if (!uri.empty()) return session::name_folder(step, *options.folder_place, uri);
  }
}

FolderByHand folder_by_hand() {
  std::error_code failed;
  const auto folder = std::filesystem::temp_directory_path(failed) / "jrpcheck-empty";
  return {transport::file_uri(folder.string()), "mkdir -p " + shell_quote(folder.string()) + "; "};
}

}  // namespace jrpcheck::run
