#include "run/danger.hpp"

#include <algorithm>

namespace jrpcheck::run {
namespace {

using json::Kind;

constexpr std::size_t kHeavy = 60'000;
constexpr std::size_t kDeep = 200;

// Brackets within texts count as well, which is no matter here.
bool is_deep(const std::string& text) {
  std::size_t depth = 0;
  for (const char c : text) {
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (depth >= kDeep) return true;
  }
  return false;
}

Danger danger_of_message(const dialogue::Message& message) {
  if (message.text().size() >= kHeavy || is_deep(message.text())) return Danger::weight;
  const json::Value* value = message.value();
  if (value == nullptr) return Danger::broken;
  const auto is_object = [](const json::Value& each) { return each.is(Kind::object); };
  if (message.text().find("\"__proto__\"") != std::string::npos) return Danger::broken;
  if (is_object(*value)) return Danger::none;
  const bool is_batch = value->is(Kind::array) && value->size() > 0 &&
                        std::ranges::all_of(value->children(), is_object);
  return is_batch ? Danger::none : Danger::kinds;
}

// Neither a plain POST nor whole messages on a stream.
bool has_odd_transport(const corpus::Step& step) {
  return step.raw || !step.frames.empty() || step.tls || step.handshake || step.http.chunked ||
         step.http.method != "POST" || !step.http.headers.empty() || !step.http.path.empty() ||
         !step.write_at.empty() || step.write_every > 0 || step.then != corpus::Step::Then::read;
}

}  // namespace

Danger danger_of(const corpus::Case& bound) {
  const bool is_daring = bound.requirements.front().starts_with("rob-");
  Danger danger = is_daring ? Danger::broken : Danger::none;
  for (const auto& step : bound.steps) {
    if (has_odd_transport(step)) danger = std::max(danger, Danger::broken);
    for (const auto& message : step.messages) danger = std::max(danger, danger_of_message(message));
  }
  return danger;
}

}  // namespace jrpcheck::run
