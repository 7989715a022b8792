#include "run/shared_ids.hpp"

#include <utility>

#include "dialogue/id_key.hpp"
#include "run/case_ids.hpp"

namespace jrpcheck::run {

SharedIds shared_ids(const corpus::Case& bound, const std::vector<dialogue::Event>& events) {
  std::map<std::string, std::size_t> calls;
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      for (const auto& key : dialogue::id_keys_of(message)) ++calls[key];
    }
  }
  std::map<std::string, std::size_t> responses;
  for (const auto& event : events) {
    const bool is_reply =
        event.step && !event.is_control && event.direction == dialogue::Direction::received;
    if (!is_reply) continue;
    for (const auto& key : dialogue::id_keys_of(dialogue::message_of(event))) ++responses[key];
  }
  SharedIds ids;
  for (const auto& [key, times] : calls) {
    (responses[key] < times ? ids.awaited : ids.answered).insert(key);
  }
  return ids;
}

void IdsOfCases::note(std::size_t ordinal, SharedIds ids) {
  awaited_.insert(ids.awaited.begin(), ids.awaited.end());
  ids_.insert_or_assign(ordinal, std::move(ids));
}

std::set<std::size_t> IdsOfCases::answered_in_full(const dialogue::Message& late,
                                                   const std::set<std::size_t>& ordinals) const {
  std::set<std::size_t> found;
  const json::Value* id = late.find("id");
  const auto key = dialogue::id_key(id);  // null is the id of all that could not be read
  if (!key || ordinal_of_any_id(*id) || awaited_.count(*key) != 0) return found;
  for (const std::size_t ordinal : ordinals) {
    const auto ids = ids_.find(ordinal);
    if (ids != ids_.end() && ids->second.answered.count(*key) != 0) found.insert(ordinal);
  }
  return found;
}

}  // namespace jrpcheck::run
