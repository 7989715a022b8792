// The rules of the Model Context Protocol about _meta, which any part of a message may have.
#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "base/ascii.hpp"
#include "base/contains.hpp"
#include "json/pointer.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// All Objects that stand as _meta anywhere in a message; what tools return as data is none of it.
void collect_meta(const json::Value& value, const std::string& at, int depth,
                  std::vector<std::pair<const json::Value*, std::string>>& found) {
  constexpr int kDeepestMeta = 12;
  constexpr std::size_t kLongestMeta = 10'000;  // each part has its place written out
  if (depth > kDeepestMeta || at.size() > kLongestMeta) return;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string name = value.is(Kind::object) ? value.names()[i] : std::to_string(i);
    if (name == "structuredContent" || name == "inputSchema" || name == "outputSchema") continue;
    const std::string there = json::joined(at, name);
    const json::Value& child = value.children()[i];
    if (name == "_meta" && child.is(Kind::object)) found.emplace_back(&child, there);
    collect_meta(child, there, depth + 1, found);
  }
}

// Begins and ends with one of these, with those of `also` in between.
bool is_name(std::string_view text, std::string_view also) {
  if (text.empty()) return true;
  return is_alphanumeric(text.front()) && is_alphanumeric(text.back()) &&
         std::all_of(text.begin(), text.end(),
                     [&](char c) { return is_alphanumeric(c) || also.find(c) != also.npos; });
}

std::vector<std::string_view> labels_of(std::string_view prefix) {
  std::vector<std::string_view> labels;
  for (;;) {
    const auto dot = prefix.find('.');
    labels.push_back(prefix.substr(0, dot));
    if (dot == prefix.npos) return labels;
    prefix.remove_prefix(dot + 1);
  }
}

// basic § _meta: an optional prefix of labels with dots between them and a slash, and a name.
bool is_meta_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == key.npos) return is_name(key, "-_.");
  for (const auto label : labels_of(key.substr(0, slash))) {
    const bool letter = !label.empty() && is_letter(label.front());
    if (!letter || !is_name(label, "-")) return false;
  }
  return is_name(key.substr(slash + 1), "-_.");
}

template <typename Judge>
void for_each_meta_key(const RuleCall& call, Judge judge) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    std::vector<std::pair<const json::Value*, std::string>> found;
    collect_meta(*each.value, "", 0, found);
    for (const auto& [meta, at] : found) {
      for (const auto& key : meta->names()) judge(each, key, at);
    }
  }
}

void meta_keys(const RuleCall& call) {
  for_each_meta_key(call, [&](const Spoken& each, const std::string& key, const std::string& at) {
    call.exercise();
    if (!is_meta_key(key)) {
      call.charge(each, at, "A key of _meta breaks its grammar: " + key + ".",
                  "prefix/name, or a name");
    }
  });
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

template <typename IsReserved>
void judge_prefixes(const RuleCall& call, IsReserved is_reserved) {
  for_each_meta_key(call, [&](const Spoken& each, const std::string& key, const std::string& at) {
    const auto slash = key.find('/');
    if (slash == key.npos) return;
    call.exercise();
    const auto labels = labels_of(std::string_view(key).substr(0, slash));
    if (is_reserved(labels) && !is_of_the_specification(key)) {
      call.charge(each, at, "A key of _meta has a prefix that is reserved: " + key + ".",
                  "a prefix of the server's own");
    }
  });
}

bool is_name_of_mcp(std::string_view label) {
  return label == "modelcontextprotocol" || label == "mcp";
}

void meta_keys_reserved(const RuleCall& call) {
  judge_prefixes(call, [](const std::vector<std::string_view>& labels) {
    return labels.size() > 1 && is_name_of_mcp(labels[1]);
  });
}

// In 2025-06-18 any label may follow, and any number may stand before: mcp.dev, tools.mcp.com.
// Whether more than one may follow is not plain there, and is let be.
void meta_keys_reserved_before_the_last(const RuleCall& call) {
  judge_prefixes(call, [](const std::vector<std::string_view>& labels) {
    return labels.size() > 1 && is_name_of_mcp(labels[labels.size() - 2]);
  });
}

constexpr std::array kMetaRows = {
    RuleRow{"meta-keys", &meta_keys},
    RuleRow{"meta-keys-reserved", &meta_keys_reserved},
    RuleRow{"meta-keys-reserved-before-the-last", &meta_keys_reserved_before_the_last},
};

}  // namespace

std::span<const RuleRow> mcp_meta_rules() { return kMetaRows; }

}  // namespace jrpcheck::judge
