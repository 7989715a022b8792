#include "cli/suggestions.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "transport/target.hpp"

namespace jrpcheck::cli {
namespace {

// A command of three letters resembles nearly everything that differs in two of them.
constexpr std::size_t kMostDifferences = 2;

// "localhost:8545", ":8545", "8545", "127.0.0.1": the URL that may be meant; else empty.
std::string url_of(const std::string& word) {
  if (word.find_first_of("@/ ") != std::string::npos) return {};  // it may hold a password
  const auto colon = word.find(':');
  const std::string host = word.substr(0, colon);
  const std::string port = colon == std::string::npos ? "" : word.substr(colon + 1);
  if (colon == std::string::npos && are_digits(word)) return "http://127.0.0.1:" + word + "/";
  const bool is_local = host == "localhost" || host == "127.0.0.1";
  if (!are_digits(port) && !(is_local && colon == std::string::npos)) return {};
  const std::string url =
      "http://" + (host.empty() ? "127.0.0.1" : host) + (port.empty() ? "" : ":" + port) + "/";
  return transport::parse_target(url) ? url : "";
}

// "http://host:99999/": with another number it would be a target.
bool has_wrong_number(const std::string& word) {
  const auto slashes = word.find("://");
  if (slashes == std::string::npos || transport::parse_target(word)) return false;
  const auto end = std::min(word.find('/', slashes + 3), word.size());
  const auto colon = word.rfind(':', end - 1);
  if (colon <= slashes || !are_digits(word.substr(colon + 1, end - colon - 1))) return false;
  return static_cast<bool>(
      transport::parse_target(word.substr(0, colon + 1) + "1" + word.substr(end)));
}

std::string meant(const std::string& what) { return "; did you mean " + what + " ?"; }

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j < row.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }
  return row[b.size()];
}

std::string closest_name(const std::string& word, const std::vector<std::string>& names) {
  const auto nearest =
      std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return edit_distance(word, a) < edit_distance(word, b);
      });
  if (nearest == names.end()) return {};
  const std::size_t distance = edit_distance(word, *nearest);
  const bool is_close = distance <= kMostDifferences && distance < nearest->size();
  return is_close ? "; did you mean '" + *nearest + "'?" : "";
}

std::string closest_option(const CLI::App& app, const std::string& option) {
  std::vector<std::string> names;
  for (const auto* each : app.get_options()) {
    for (const auto& name : each->get_lnames()) names.push_back("--" + name);
  }
  return closest_name(option, names);
}

std::string instead_of_command(const std::string& word, const std::vector<std::string>& commands) {
  if (word == "--") return meant("jrpcheck run -- PROGRAM");
  const auto target = transport::parse_target(word);
  if (target) return meant("jrpcheck run " + target->redacted);
  if (const std::string url = url_of(word); !url.empty()) return meant("jrpcheck run " + url);
  if (auto name = closest_name(word, commands); !name.empty()) return name;
  const bool is_file = word.find('/') != std::string::npos || word.find('.') != std::string::npos;
  return is_file ? "; a program stands behind run: jrpcheck run -- " + word : "";
}

std::string instead_of_target(const std::string& word) {
  if (has_wrong_number(word)) return ", a number from 1 to 65535";
  const std::string url = url_of(word);
  return url.empty() ? "" : meant(url);
}

}  // namespace jrpcheck::cli
