#include "run/turns.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "corpus/reply_count.hpp"
#include "dialogue/id_key.hpp"
#include "session/incoming.hpp"

namespace jrpcheck::run {
namespace {

using dialogue::Direction;
using dialogue::Event;
using dialogue::is_of_unknown_call;
using dialogue::Message;

// The ids of a step that sends nothing but calls with ids of their own; else nothing.
std::optional<std::set<std::string>> ids_due(const corpus::Step& step, corpus::Dialect dialect) {
  std::set<std::string> ids;
  for (const auto& message : step.messages) {
    const bool is_call = !step.raw && session::is_well_formed(message, dialect) &&
                         message.value()->is(json::Kind::object);
    auto keys = is_call ? dialogue::id_keys_of(message) : std::vector<std::string>();
    if (keys.empty()) return std::nullopt;
    ids.insert(std::move(keys.front()));
  }
  return ids;
}

// A batch may be answered element by element.
bool sends_batch(const corpus::Step& step) {
  return std::any_of(step.messages.begin(), step.messages.end(), [](const auto& message) {
    return message.value() != nullptr && message.value()->is(json::Kind::array);
  });
}

bool has_come_late(std::size_t number, const corpus::Step& step, const std::vector<Event>& events,
                   corpus::Dialect dialect) {
  bool has_sent = false;
  std::size_t others = 0;
  std::set<std::string> answered;
  for (const auto& event : events) {
    if (event.step != number || event.is_control) continue;
    if (event.direction == Direction::sent) has_sent = true;
    const bool is_early = event.direction == Direction::aside && !has_sent;
    if (event.direction != Direction::received && !is_early) continue;
    const Message message = dialogue::message_of(event);
    const bool is_other = is_of_unknown_call(message);
    if (is_early && is_other) return true;
    if (is_other) ++others;
    for (auto& key : dialogue::id_keys_of(message)) answered.insert(std::move(key));
  }
  if (others == 0) return false;
  const std::size_t most = std::max(corpus::count_replies(step).most, step.messages.size());
  if (others > most && !sends_batch(step)) return true;
  const auto due = ids_due(step, dialect);
  return due && std::includes(answered.begin(), answered.end(), due->begin(), due->end());
}

}  // namespace

bool has_come_late(const corpus::Case& bound, const std::vector<Event>& events,
                   corpus::Dialect dialect) {
  // Behind the steps the server is only asked whether it serves; before them it is opened.
  const auto first =
      std::ranges::find_if(events, [](const Event& event) { return event.step.has_value(); });
  const bool is_behind = std::any_of(first, events.end(), [](const Event& event) {
    return !event.step && event.direction == Direction::received && !event.is_control &&
           is_of_unknown_call(dialogue::message_of(event));
  });
  if (is_behind) return true;
  for (std::size_t step = 0; step < bound.steps.size(); ++step) {
    if (has_come_late(step, bound.steps[step], events, dialect)) return true;
  }
  return false;
}

bool Turns::take(const corpus::Case& bound, const std::vector<Event>& events,
                 corpus::Dialect dialect) {
  if (!watched_) return false;
  if (is_answered_twice(bound, events)) watched_ = false;
  return watched_ && has_come_late(bound, events, dialect);
}

bool Turns::is_answered_twice(const corpus::Case& bound, const std::vector<Event>& events) {
  const std::lock_guard lock(mutex_);
  // Cases share ids, and one that runs again asks again: each asking has one answer to come.
  for (const auto& step : bound.steps) {
    for (const auto& message : step.messages) {
      for (const auto& key : dialogue::id_keys_of(message)) ++due_[key];
    }
  }
  bool is_twice = false;
  for (const auto& event : events) {
    const bool came = event.direction == Direction::received || event.direction == Direction::aside;
    if (!came || event.is_control || event.note == dialogue::kAnswersAloneNote) continue;
    const Message message = dialogue::message_of(event);
    if (message.value() == nullptr || !message.value()->is(json::Kind::object)) continue;
    for (const auto& key : dialogue::id_keys_of(message)) {
      const auto due = due_.find(key);
      is_twice = is_twice || (due != due_.end() && --due->second < 0);
    }
  }
  return is_twice;
}

}  // namespace jrpcheck::run
