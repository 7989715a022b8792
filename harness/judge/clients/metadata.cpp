#include "judge/clients/metadata.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "json/pointer.hpp"
#include "judge/meta_keys.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

constexpr std::size_t kMostTokens = 10'000;

// By the version that was agreed on.
bool is_reserved_key(const std::string& key, const std::optional<std::string>& version) {
  return version == "2025-06-18" ? is_reserved_metadata_key_before_the_last(key)
                                 : is_reserved_metadata_key(key);
}

}  // namespace

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
  const auto reserved = std::ranges::find_if(
      names, [this](const std::string& name) { return is_reserved_key(name, charges_.version); });
  if (reserved != names.end()) {
    charges_.charge("mcp-c-meta-key-format", message, "/params/_meta",
                    "A key of _meta has a prefix that is reserved: " + *reserved + ".",
                    "a prefix of the client's own");
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
