#include "judge/client_metadata.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/ascii.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostTokens = 10'000;

bool is_label(std::string_view label) {
  const auto is_inner = [](char each) { return is_alphanumeric(each) || each == '-'; };
  return !label.empty() && is_letter(label.front()) && is_alphanumeric(label.back()) &&
         std::ranges::all_of(label, is_inner);
}

bool are_labels(std::string_view prefix) {
  for (;;) {
    const auto dot = prefix.find('.');
    if (!is_label(prefix.substr(0, dot))) return false;
    if (dot == prefix.npos) return true;
    prefix.remove_prefix(dot + 1);
  }
}

}  // namespace

bool is_metadata_key(std::string_view key) {
  const auto slash = key.find('/');
  if (slash != key.npos && !are_labels(key.substr(0, slash))) return false;
  const auto name = slash == key.npos ? key : key.substr(slash + 1);
  const auto is_inner = [](char each) {
    return is_alphanumeric(each) || each == '-' || each == '_' || each == '.';
  };
  if (name.empty()) return true;
  return is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::ranges::all_of(name, is_inner);
}

bool is_integer(const Value& value) {
  if (!value.is(Kind::number)) return false;
  if (value.text().find_first_of(".eE") == std::string::npos) return true;
  const double number = std::strtod(value.text().c_str(), nullptr);
  return std::isfinite(number) && number == std::floor(number);
}

void ClientMetadata::hear(const Value& message, const std::optional<std::string>& key,
                          bool shares_ids) {
  const Value* meta = json::at(message, "/params/_meta");
  if (meta == nullptr || !meta->is(Kind::object)) return;
  charges_.exercise("mcp-c-meta-key-format");
  const auto& names = meta->names();
  const auto odd = std::find_if_not(names.begin(), names.end(),
                                    [](const std::string& name) { return is_metadata_key(name); });
  if (odd != names.end()) {
    charges_.charge("mcp-c-meta-key-format", message, "/params/_meta",
                    "A key of _meta is not of its grammar: " + *odd + ".",
                    "labels with dots and a slash, or none, and a name");
  }
  if (const Value* token = meta->find("progressToken"))
    judge_token(message, *token, key, shares_ids);
}

void ClientMetadata::judge_token(const Value& message, const Value& token,
                                 const std::optional<std::string>& key, bool shares_ids) {
  constexpr std::string_view kAt = "/params/_meta/progressToken";
  charges_.exercise("mcp-c-prog-token");
  if (!token.is(Kind::string) && !is_integer(token)) {
    return charges_.charge("mcp-c-prog-token", message, kAt,
                           "A token for progress is no String and no integer.",
                           "a String or an integer");
  }
  const auto spelled = kept_key(&token);
  if (!key || !spelled || shares_ids || tokens_.size() >= kMostTokens) return;
  const bool is_taken = std::ranges::any_of(
      tokens_, [&](const auto& each) { return each.first != *key && each.second == *spelled; });
  if (is_taken) {
    charges_.charge("mcp-c-prog-token", message, kAt,
                    "A token for progress is that of another request which still waits.",
                    "a token that no open request has");
  }
  tokens_[*key] = *spelled;
}

}  // namespace jrpcheck::judge
