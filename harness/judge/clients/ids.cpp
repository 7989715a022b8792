#include "judge/clients/ids.hpp"

#include <cstdlib>

#include "dialogue/id_key.hpp"
#include "json/pointer.hpp"
#include "judge/clients/metadata.hpp"

namespace jrpcheck::judge {
namespace {

using json::Kind;
using json::Value;

// That many wait or come again only where something is wrong.
constexpr std::size_t kMostIds = 10'000;
constexpr std::size_t kLongestCall = 200;  // of a method, that is kept

bool is_within_32_bits(const Value& value) {
  const double number = std::strtod(value.text().c_str(), nullptr);
  return number >= -2147483648.0 && number <= 2147483647.0;
}

}  // namespace

void ClientIds::judge(const Value& message, const Value& id, bool is_stateless) {
  const auto& words = charges_.words();
  charges_.exercise(words.id_type);
  charges_.exercise(words.id_unique);
  if (!id.is(Kind::string) && !is_integer(id)) {
    charges_.charge(words.id_type, message, "/id",
                    "The id of a request is no String and no integer.", "a String or an integer");
  }
  const auto key = kept_key(&id);
  if (words.family == "lsp") return judge_in_lsp(message, id, key);
  if (is_stateless) {
    charges_.exercise("mcp-c-request-id-free");
    if (is_open(key)) {
      charges_.charge("mcp-c-request-id-free", message, "/id",
                      "The id is that of a request that is still open.",
                      "an id that nothing waits for");
    }
  }
  if (!key || ids_.size() >= kMostIds || !charges_.is_asked(words.id_unique)) return;
  if (ids_.insert(*key).second) return;
  charges_.charge(words.id_unique, message, "/id", "The client uses an id twice in a session.",
                  "an id that is new");
}

void ClientIds::judge_in_lsp(const Value& message, const Value& id,
                             const std::optional<std::string>& key) {
  const auto type = charges_.words().id_type;
  if (is_integer(id) && !is_within_32_bits(id)) {
    charges_.charge(type, message, "/id", "The id of a request has more than 32 bits.",
                    "an integer from -2147483648 to 2147483647, or a String");
  }
  if (!is_open(key)) return;
  charges_.charge(type, message, "/id", "The id is that of a request that is still open.",
                  "an id that nothing waits for");
}

std::optional<std::string> ClientIds::judge_cancelling(const Value& message) {
  const auto& words = charges_.words();
  charges_.exercise(words.cancel_own);
  const Value* id = json::at(message, words.cancelled_id);
  auto key = kept_key(id);
  if (charges_.is_mcp()) charges_.exercise("mcp-c-init-not-cancelled");
  if (charges_.is_mcp() && is_open(key) && in_flight_.at(*key) == "initialize") {
    charges_.charge("mcp-c-init-not-cancelled", message, words.cancelled_id,
                    "The client cancels initialize.", "any other request");
  }
  // The two may have crossed.
  const bool is_own = is_open(key) || (key && (ids_.contains(*key) || answered_.contains(*key)));
  const bool is_too_long = !key && dialogue::id_key(id);
  if (!is_own && !is_too_long && !is_full_) {
    charges_.charge(words.cancel_own, message, words.cancelled_id,
                    "The client cancels what it has not asked.", "the id of a request of its own");
  }
  if (key && charges_.is_mcp()) give_up(*key);
  return key;
}

void ClientIds::open(const std::string& key, const std::string& method) {
  if (in_flight_.size() < kMostIds) {
    in_flight_[key] = method.substr(0, kLongestCall);
  } else {
    is_full_ = true;
  }
}

std::optional<std::string> ClientIds::answer(const std::string& key) {
  auto call = in_flight_.extract(key);
  if (call.empty()) return std::nullopt;
  keep_answered(key);
  return std::move(call.mapped());
}

void ClientIds::give_up(const std::string& key) {
  const auto call = in_flight_.find(key);
  if (call == in_flight_.end() || call->second == "initialize") return;
  in_flight_.erase(call);
  if (!is_full_) keep_answered(key);
}

void ClientIds::keep_answered(const std::string& key) {
  if (ids_.contains(key)) return;
  if (ids_.size() + answered_.size() < kMostIds) {
    answered_.insert(key);
  } else {
    is_full_ = true;
  }
}

void ClientIds::forget() {
  ids_.clear();
  in_flight_.clear();
  answered_.clear();
  is_full_ = false;
}

void ClientIds::begin_session() {
  const bool has_asked = !ids_.empty() || !in_flight_.empty() || !answered_.empty();
  forget();
  is_full_ = has_asked;
}

}  // namespace jrpcheck::judge
