#include "targets/lint_targets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/contains.hpp"
#include "targets/target.hpp"

namespace jrpcheck::targets {
namespace {

using corpus::CorpusFile;
using corpus::Problem;

constexpr std::array<std::string_view, 10> kPlaceholders = {
    "port", "port2", "port3", "socket", "wrapper", "folder", "certificate", "key", "url", "server"};

struct Door {
  std::string_view name;
  std::string_view begins;  ///< what the target of a server begins with; empty: it has none
  bool of_clients;
};

constexpr std::array<Door, 8> kDoors = {{{"http", "http://127.0.0.1:{port", true},
                                         {"https", "https://127.0.0.1:{port", false},
                                         {"ws", "ws://127.0.0.1:{port", true},
                                         {"wss", "wss://127.0.0.1:{port", false},
                                         {"tcp", "tcp://127.0.0.1:{port", true},
                                         {"tls", "tls://127.0.0.1:{port", false},
                                         {"unix", "unix:{socket}", false},
                                         {"stdio", "", false}}};

// The names between braces, those that are no placeholders among them.
std::vector<std::string> placeholders_in(std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t open = text.find('{'); open != std::string_view::npos;
       open = text.find('{', open + 1)) {
    const auto close = text.find('}', open);
    if (close == std::string_view::npos) break;
    names.emplace_back(text.substr(open + 1, close - open - 1));
  }
  return names;
}

std::vector<std::string> all_words(const Target& target) {
  std::vector<std::string> words = target.start;
  words.insert(words.end(), target.options.begin(), target.options.end());
  words.push_back(target.target);
  return words;
}

bool uses(const std::vector<std::string>& words, std::string_view placeholder) {
  return std::ranges::any_of(words, [placeholder](const std::string& word) {
    return contains(placeholders_in(word), placeholder);
  });
}

// "@scope/name@1.2.3" is "1.2.3"; empty where no version is pinned.
std::string_view pinned_version(std::string_view package) {
  const auto at = package.rfind('@');
  return at == 0 || at == std::string_view::npos ? "" : package.substr(at + 1);
}

class Inspection {
 public:
  Inspection(const CorpusFile& file, const Target& target, const TargetReference& reference)
      : file_(file), target_(target), reference_(reference), words_(all_words(target)) {}

  std::vector<Problem> problems() && {
    check_words();
    check_door();
    check_packages();
    check_files();
    return std::move(problems_);
  }

 private:
  void complain(std::string_view member, std::string message) {
    problems_.push_back({file_.path, 0, "", "", std::string(member) + ": " + std::move(message)});
  }

  void check_words() {
    if (!target_.home.starts_with("https://")) complain("home", "begins with https://");
    if (target_.start.empty()) complain("start", "is empty");
    for (const auto& limit : target_.limits) {
      if (!limit.ends_with('.')) complain("limits", "\"" + limit + "\" is no sentence");
    }
    if (target_.about.ends_with('.')) complain("about", "is a line, without a full stop");
    for (const auto& word : words_) {
      for (const auto& name : placeholders_in(word)) check_placeholder(name);
    }
    if (!target_.found.empty()) complain("found", "is what scripts/targets adds");
    if (!target_.not_judged.empty()) complain("not-judged", "is what scripts/targets adds");
  }

  void check_placeholder(const std::string& name) {
    if (!contains(kPlaceholders, name)) complain("start", "{" + name + "} is no placeholder");
    if ((name == "url" || name == "server") && target_.kind == Kind::server) {
      complain("start", "{" + name + "} is for clients");
    }
  }

  void check_door() {
    const bool is_client = target_.kind == Kind::client;
    if (is_client != (target_.group == Group::client)) {
      complain("group", "a client, and no server, is of the group client");
    }
    const auto* door = std::ranges::find_if(
        kDoors, [this](const Door& each) { return each.name == target_.door; });
    if (door == kDoors.end()) return complain("door", "\"" + target_.door + "\" is none");
    if (is_client) {
      const bool is_judged =
          door->of_clients || (door->begins.empty() && uses(target_.start, "server"));
      if (!is_judged)
        complain("door", "clients are judged over http, ws, tcp, and stdio by {server}");
      if (!target_.target.empty()) complain("target", "a client has none");
      return;
    }
    check_target(*door);
  }

  void check_target(const Door& door) {
    if (door.begins.empty()) {
      if (!target_.target.empty()) complain("target", "a server on stdio has none");
      return;
    }
    if (!target_.target.starts_with(door.begins)) {
      return complain("target",
                      fmt::format("through the door {} it begins with {}", door.name, door.begins));
    }
    const auto places = placeholders_in(target_.target);
    if (places.empty()) return complain("target", "has a brace that is not closed");
    const auto& place = places.front();
    if (!uses(target_.start, place)) complain("start", "does not say {" + place + "}");
  }

  void check_packages() {
    if (target_.npm.empty() && target_.apt.empty()) return;
    for (const auto& package : target_.npm) {
      if (pinned_version(package).empty()) complain("install", package + " has no version");
    }
    if (!target_.npm.empty() && pinned_version(target_.npm.front()) != target_.version) {
      complain("version",
               fmt::format("{} is not that of {}", target_.version, target_.npm.front()));
    }
  }

  void check_files() {
    const bool mentions = uses(words_, "wrapper");
    if (mentions && target_.wrapper.empty()) complain("wrapper", "is missing");
    for (const auto& [member, named] :
         {std::pair("wrapper", &target_.wrapper), std::pair("methods", &target_.methods)}) {
      if (!named->empty() && !reference_.file_exists(file_.path, *named)) {
        complain(member, *named + " is not there");
      }
    }
    if (!target_.profile.empty() && !reference_.profiles.contains(target_.profile)) {
      complain("profile", target_.profile + " is none; jrpcheck list profiles names them");
    }
  }

  const CorpusFile& file_;
  const Target& target_;
  const TargetReference& reference_;
  std::vector<std::string> words_;
  std::vector<Problem> problems_;
};

// The message without the path that stands before it in any case.
std::string without_place(const std::string& message, const std::string& path) {
  return message.starts_with(path + ":") ? message.substr(path.size() + 1) : message;
}

}  // namespace

std::vector<Problem> lint_targets(const std::vector<CorpusFile>& files,
                                  const TargetReference& reference) {
  std::vector<Problem> all;
  for (const auto& file : files) {
    const auto target = read_target(file.path, file.text);
    if (!target) {
      all.push_back({file.path, 0, "", "", without_place(target.error().message, file.path)});
      continue;
    }
    auto found = Inspection(file, *target, reference).problems();
    all.insert(all.end(), found.begin(), found.end());
  }
  return all;
}

}  // namespace jrpcheck::targets
