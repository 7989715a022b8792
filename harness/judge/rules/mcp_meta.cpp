// The rules of the Model Context Protocol about _meta, which any part of a message may have.
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/pointer.hpp"
#include "judge/meta_keys.hpp"
#include "judge/rules/rules.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;

// All that stands as _meta anywhere in a message; what tools return as data is none of it.
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
    if (name == "_meta") found.emplace_back(&child, there);
    collect_meta(child, there, depth + 1, found);
  }
}

template <typename Judge>
void for_each_meta(const RuleCall& call, Judge judge) {
  for (const auto& each : call.heard.all()) {
    if (!each.by_server) continue;
    std::vector<std::pair<const json::Value*, std::string>> found;
    collect_meta(*each.value, "", 0, found);
    for (const auto& [meta, at] : found) judge(each, *meta, at);
  }
}

template <typename Judge>
void for_each_meta_key(const RuleCall& call, Judge judge) {
  for_each_meta(call, [&](const Spoken& each, const json::Value& meta, const std::string& at) {
    if (!meta.is(Kind::object)) return;
    for (const auto& key : meta.names()) judge(each, key, at);
  });
}

void meta_is_object(const RuleCall& call) {
  for_each_meta(call, [&](const Spoken& each, const json::Value& meta, const std::string& at) {
    call.exercise();
    if (meta.is(Kind::object)) return;
    call.charge(each, at, "_meta is no Object: " + json::write(meta) + ".", "an Object");
  });
}

void meta_keys(const RuleCall& call) {
  for_each_meta_key(call, [&](const Spoken& each, const std::string& key, const std::string& at) {
    call.exercise();
    if (!is_metadata_key(key)) {
      call.charge(each, at, "A key of _meta breaks its grammar: " + key + ".",
                  "prefix/name, or a name");
    }
  });
}

template <bool (*is_reserved)(std::string_view key)>
void judge_prefixes(const RuleCall& call) {
  for_each_meta_key(call, [&](const Spoken& each, const std::string& key, const std::string& at) {
    if (key.find('/') == key.npos) return;
    call.exercise();
    if (is_reserved(key)) {
      call.charge(each, at, "A key of _meta has a prefix that is reserved: " + key + ".",
                  "a prefix of the server's own");
    }
  });
}

constexpr std::array kMetaRows = {
    RuleRow{"meta-is-object", &meta_is_object, Needs::message},
    RuleRow{"meta-keys", &meta_keys, Needs::message},
    RuleRow{"meta-keys-reserved", &judge_prefixes<is_reserved_metadata_key>, Needs::message},
    RuleRow{"meta-keys-reserved-before-the-last",
            &judge_prefixes<is_reserved_metadata_key_before_the_last>, Needs::message},
};

}  // namespace

std::span<const RuleRow> mcp_meta_rules() { return kMetaRows; }

}  // namespace jrpcheck::judge
