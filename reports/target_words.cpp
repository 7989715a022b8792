#include "reports/target_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "base/bytes.hpp"
#include "base/join.hpp"

namespace jrpcheck::reports {
namespace {

using targets::Target;

// The same names as in scripts/targets, with ports that people know.
std::string with_places_filled(std::string text, const Target& target, int port) {
  const std::array<std::pair<std::string_view, std::string>, 8> places = {
      {{"{port}", std::to_string(port)},
       {"{port2}", std::to_string(port + 1)},
       {"{port3}", std::to_string(port + 2)},
       {"{socket}", "data/socket"},
       {"{folder}", "data"},
       {"{certificate}", "data/certificate.pem"},
       {"{key}", "data/key.pem"},
       {"{wrapper}", "wrappers/" + target.wrapper.substr(target.wrapper.rfind('/') + 1)}}};
  for (const auto& [place, value] : places) {
    for (auto at = text.find(place); at != std::string::npos; at = text.find(place, at)) {
      text.replace(at, place.size(), value);
      at += value.size();
    }
  }
  return text;
}

constexpr int kUsualPort = 8545;

// The first of its ports where it is reached at that address.
int port_in(std::string_view address, const Target& target) {
  constexpr std::string_view kHost = "127.0.0.1:";
  const auto host = address.find(kHost);
  if (host == std::string_view::npos) return kUsualPort;
  int port = 0;
  for (const char c : address.substr(host + kHost.size())) {
    if (c < '0' || c > '9' || port > 65535) break;
    port = port * 10 + (c - '0');
  }
  return target.target.find("{port2}") == std::string::npos ? port : port - 1;
}

std::string in_a_shell(const std::vector<std::string>& words, const Target& target,
                       int port = kUsualPort) {
  return joined(words, " ", [&](const std::string& word) {
    auto filled = with_places_filled(word, target, port);
    return filled == "{url}" ? filled : shell_quote(filled);
  });
}

}  // namespace

std::string packages_of(const Target& target) {
  std::vector<std::string> parts;
  if (!target.npm.empty()) parts.push_back(fmt::format("npm {}", fmt::join(target.npm, " ")));
  if (!target.apt.empty()) parts.push_back(fmt::format("Debian {}", fmt::join(target.apt, " ")));
  return joined(parts, "; ");
}

std::string start_command(const Target& target, std::string_view address) {
  return in_a_shell(target.start, target, port_in(address, target));
}

std::string lines_to_start(const Target& target) {
  std::string lines;
  if (!target.npm.empty()) lines += "npm install " + shell_line(target.npm) + "\n";
  if (!target.apt.empty()) lines += "sudo apt-get install " + shell_line(target.apt) + "\n";
  if (!target.wrapper.empty()) lines += "cp -r targets/wrappers .   # of jrpcheck's sources\n";
  lines += "mkdir -p data\n";
  std::vector<std::string> words = {"jrpcheck"};
  if (target.kind == targets::Kind::client) {
    words.insert(words.end(), {"client", "--door", target.door});
    if (target.profile.empty()) words.emplace_back("--driver");
  } else {
    words.emplace_back("run");
  }
  words.insert(words.end(), target.options.begin(), target.options.end());
  if (!target.profile.empty()) words.insert(words.end(), {"--profile", target.profile});
  if (!target.methods.empty())
    words.insert(words.end(), {"--methods", "targets/" + target.methods});
  if (!target.target.empty()) words.push_back(target.target);
  words.emplace_back("--");
  return lines + in_a_shell(words, target) + " " + start_command(target);
}

}  // namespace jrpcheck::reports
