#include "traffic/endpoints.hpp"

#include <algorithm>

#include "dialogue/id_key.hpp"

namespace jrpcheck::traffic {
namespace {

// More than a server has; somebody may count in paths.
constexpr std::size_t kMostPaths = 100;

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

bool asks(const json::Value& value) {
  return value.find("jsonrpc") != nullptr && value.find("method") != nullptr;
}

// A server that asks on an event stream is answered by a POST (MCP, Streamable HTTP).
bool answers(const json::Value& value) {
  return value.find("jsonrpc") != nullptr && dialogue::has_outcome(value);
}

// Also of what is nested deeper than we read: whoever judges it says so.
template <typename Is>
bool has_one(const dialogue::Message& message, const Is& is) {
  const json::Value* value = message.outline();
  if (value == nullptr) return false;
  return value->is(json::Kind::array) ? std::ranges::any_of(value->children(), is) : is(*value);
}

}  // namespace

bool is_json_rpc(const dialogue::Message& message) { return has_one(message, asks); }

bool is_of_json_rpc(const dialogue::Message& message) {
  return has_one(message, asks) || has_one(message, answers);
}

Endpoints::Endpoints(std::string_view target) : paths_{std::string(path_of(target))} {}

bool Endpoints::take(std::string_view target, const dialogue::Message& body) {
  if (has(target)) return true;
  learn(target, body);
  if (is_of_json_rpc(body)) return true;
  ++others_;
  return false;
}

bool Endpoints::has(std::string_view target) const { return paths_.contains(path_of(target)); }

void Endpoints::learn(std::string_view target, const dialogue::Message& message) {
  if (paths_.size() < kMostPaths && is_json_rpc(message)) paths_.emplace(path_of(target));
}

}  // namespace jrpcheck::traffic
