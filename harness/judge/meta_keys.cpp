#include "judge/meta_keys.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "base/ascii.hpp"
#include "base/contains.hpp"

namespace jrpcheck::judge {
namespace {

// Begins and ends with one of these, with those of `also` in between.
bool is_name_with(std::string_view text, std::string_view also) {
  if (text.empty()) return true;
  return is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::ranges::all_of(
             text, [&](char c) { return is_alphanumeric(c) || also.find(c) != also.npos; });
}

bool is_label(std::string_view label) {
  return !label.empty() && is_letter(label.front()) && is_name_with(label, "-");
}

// Of the prefix; none where there is no prefix.
std::vector<std::string_view> labels_of(std::string_view key) {
  std::vector<std::string_view> labels;
  const auto slash = key.find('/');
  if (slash == key.npos) return labels;
  std::string_view prefix = key.substr(0, slash);
  for (;;) {
    const auto dot = prefix.find('.');
    labels.push_back(prefix.substr(0, dot));
    if (dot == prefix.npos) return labels;
    prefix.remove_prefix(dot + 1);
  }
}

// Keys that the specification itself has.
bool is_of_the_specification(std::string_view key) {
  constexpr std::array<std::string_view, 8> kNames = {
      "io.modelcontextprotocol/related-task",
      "io.modelcontextprotocol/model-immediate-response",
      "io.modelcontextprotocol/protocolVersion",
      "io.modelcontextprotocol/clientInfo",
      "io.modelcontextprotocol/clientCapabilities",
      "io.modelcontextprotocol/serverInfo",
      "io.modelcontextprotocol/logLevel",
      "io.modelcontextprotocol/subscriptionId"};
  return contains(kNames, key);
}

bool is_name_of_mcp(std::string_view label) {
  return label == "modelcontextprotocol" || label == "mcp";
}

}  // namespace

bool is_metadata_key(std::string_view key) {
  const auto slash = key.find('/');
  return std::ranges::all_of(labels_of(key), &is_label) &&
         is_name_with(slash == key.npos ? key : key.substr(slash + 1), "-_.");
}

bool is_reserved_metadata_key(std::string_view key) {
  const auto labels = labels_of(key);
  return labels.size() > 1 && is_name_of_mcp(labels[1]) && !is_of_the_specification(key);
}

bool is_reserved_metadata_key_before_the_last(std::string_view key) {
  const auto labels = labels_of(key);
  return labels.size() > 1 && is_name_of_mcp(labels[labels.size() - 2]) &&
         !is_of_the_specification(key);
}

}  // namespace jrpcheck::judge
