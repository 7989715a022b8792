#include "client/script.hpp"

#include <algorithm>
#include <charconv>

#include "dialogue/message.hpp"
#include "json/pointer.hpp"
#include "wire/websocket.hpp"

namespace jrpcheck::client {
namespace {

using json::Kind;
using json::Value;

// Who tries again each tenth of a second for as long as a trial may take makes fewer.
constexpr std::size_t kMostCallsOfSubject = 1000;

}  // namespace

std::optional<std::size_t> number_of(const Value& request) {
  const Value* params = request.find("params");
  if (params == nullptr) return std::nullopt;
  const bool is_bare = params->is(Kind::number);
  if (!is_bare && params->size() == 0) return std::nullopt;
  const Value& first = is_bare ? *params : params->children().front();
  std::size_t number = 0;
  const auto& text = first.text();
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_one = first.is(Kind::number) && parsed.ec == std::errc() && number >= 1;
  return is_one ? std::optional(number) : std::nullopt;
}

std::optional<std::size_t> Script::place_of(const Value& request) const {
  const auto number = number_of(request);
  const bool is_mine = number && *number > before_ && *number <= before_ + kCalls;
  return is_mine ? std::optional(*number - before_) : std::nullopt;
}

std::string Script::good_response(std::size_t number, const std::string& id) const {
  return plain_response(std::to_string(good_result(before_ + number)), id);
}

Answer Script::odd_answer(std::size_t number, std::size_t connection) {
  Blanks blanks{ids_, {}, number, std::to_string(good_result(before_ + number))};
  for (std::size_t n = 1; n <= kCalls; ++n) blanks.goods.at(n) = good_response(n, ids_.at(n));
  Answer answer = answer_of(scenario_, blanks);
  note_frames(answer, connection);
  is_played_ = true;
  if (told_.empty()) told_ = answer.messages;
  return answer;
}

void Script::note_frames(const Answer& answer, std::size_t connection) {
  const auto [of_connection, is_first] = pings_.try_emplace(connection);
  for (const auto& each : answer.frames) {
    if (!is_played_) told_.push_back(wire::text_of(each.details) + ": " + each.payload);
    if (is_first && each.details.opcode == wire::kPing) {
      of_connection->second.push_back(each.payload);
    }
  }
}

// Who connects again may say Close there by itself, which is no answer to anything.
void Script::hear_control(const ControlHeard& control, std::size_t connection) {
  const std::lock_guard lock(mutex_);
  const auto played = pings_.find(connection);
  if (played == pings_.end()) return;
  if (control.opcode == wire::kClose) is_close_answered_ = true;
  auto& pings = played->second;
  const auto found = std::find(pings.begin(), pings.end(), control.payload);
  if (control.opcode == wire::kPong && found != pings.end()) pings.erase(found);
}

// Who calls again on another connection has left the pings of one of them, and not of both.
bool Script::are_pings_answered() const {
  const std::lock_guard lock(mutex_);
  return pings_.empty() ||
         std::ranges::any_of(pings_, [](const auto& each) { return each.second.empty(); });
}

bool Script::is_close_answered() const {
  const std::lock_guard lock(mutex_);
  return is_close_answered_;
}

void Script::note_own_answer(const Value& value) {
  const bool is_call = value.find("method") != nullptr;
  const bool is_own = !is_call && json::text_of(value.find("id")) == kOwnCallId;
  if (is_own && !own_answer_) own_answer_ = json::write(value);
}

void Script::hear(const std::string& text) {
  const dialogue::Message message(text);
  const std::lock_guard lock(mutex_);
  const Value* value = message.value();
  if (value == nullptr) return;
  if (!value->is(Kind::array)) return note_own_answer(*value);
  for (const auto& each : value->children()) note_own_answer(each);
}

std::optional<Answer> Script::take(const std::string& text, std::size_t connection) {
  const dialogue::Message message(text);
  const std::lock_guard lock(mutex_);
  if (message.value() == nullptr) return std::nullopt;
  if (scenario_.is_of_notification && json::text_of(message.value()->find("method")) == kNote) {
    return take_notification(*message.value(), connection);
  }
  std::vector<Call> calls;
  const auto add = [&](const Value& one) {
    const Value* id = one.find("id");
    note_own_answer(one);
    if (one.find("method") != nullptr && id != nullptr) {
      calls.push_back({place_of(one), json::write(*id)});
    }
  };
  const bool is_batch = message.value()->is(Kind::array);
  if (is_batch) {
    for (const auto& each : message.value()->children()) add(each);
  } else {
    add(*message.value());
  }
  for (const auto& each : calls) {
    if (each.number) ids_.at(*each.number) = each.id;
    if (each.number == kSubject) ++calls_of_subject_;
  }
  if (calls.empty()) return Answer{.http_status = 204, .http_type = ""};
  return is_batch ? take_batch(calls, connection) : take_call(calls.front(), connection);
}

std::optional<Answer> Script::take_batch(const std::vector<Call>& calls, std::size_t connection) {
  const bool is_whole = std::ranges::count_if(calls, [](const Call& each) {
                          return each.number.has_value();
                        }) == static_cast<std::ptrdiff_t>(kCalls);
  if (scenario_.order == corpus::CallOrder::batch && is_whole) {
    return odd_answer(kSubject, connection);
  }
  if (scenario_.order == corpus::CallOrder::in_turn &&
      std::ranges::any_of(calls, [](const Call& each) { return each.number == kSubject; })) {
    batch_of_subject_ = calls.size();
  }
  std::string array;
  for (const auto& each : calls) {
    array += (array.empty() ? "[" : ",") + good_response(each.number.value_or(0), each.id);
  }
  return Answer{{array + "]"}};
}

std::optional<Answer> Script::take_call(const Call& call, std::size_t connection) {
  if (!call.number) {
    return Answer{
        {R"({"jsonrpc":"2.0","error":{"code":-32601,"message":"Method not found"},"id":)" +
         call.id + "}"}};
  }
  if (scenario_.order == corpus::CallOrder::together) {
    // Answers go where their calls came from.
    auto& held = held_[connection];
    held.push_back(*call.number);
    if (held.size() < kCalls) return std::nullopt;
    held.clear();
    return odd_answer(kSubject, connection);
  }
  const bool is_subject = scenario_.order == corpus::CallOrder::in_turn &&
                          *call.number == kSubject && !scenario_.is_of_notification;
  // Whoever calls again after a close is answered.
  if (is_subject && (scenario_.then.empty() || !is_played_)) {
    return odd_answer(kSubject, connection);
  }
  return Answer{{good_response(*call.number, call.id)}};
}

std::optional<Answer> Script::give_up_waiting(std::size_t connection) {
  const std::lock_guard lock(mutex_);
  auto& held = held_[connection];
  if (held.empty()) return std::nullopt;
  Answer answer;
  for (const auto number : held) {
    answer.messages.push_back(good_response(number, ids_.at(number)));
  }
  held.clear();
  return answer;
}

// Where it has an id it is a call, whose answer is waited for.
std::optional<Answer> Script::take_notification(const Value& request, std::size_t connection) {
  const Value* id = request.find("id");
  is_played_ = true;
  if (id != nullptr) {
    has_notification_an_id_ = true;
    return Answer{{plain_response("null", json::write(*id))}};
  }
  return odd_answer(kSubject, connection);
}

bool Script::has_notification_an_id() const {
  const std::lock_guard lock(mutex_);
  return has_notification_an_id_;
}

bool Script::is_called_without_end() const {
  const std::lock_guard lock(mutex_);
  return calls_of_subject_ > kMostCallsOfSubject;
}

std::size_t Script::batch_of_subject() const {
  const std::lock_guard lock(mutex_);
  return batch_of_subject_;
}

bool Script::was_played() const {
  const std::lock_guard lock(mutex_);
  return is_played_;
}

// Some ids come behind the odd answer.
std::string Script::hindrance() const {
  const std::lock_guard lock(mutex_);
  return hindrance_of_ids(scenario_, {ids_});
}

std::optional<std::string> Script::own_answer() const {
  const std::lock_guard lock(mutex_);
  return own_answer_;
}

std::vector<std::string> Script::told() const {
  const std::lock_guard lock(mutex_);
  return told_;
}

}  // namespace jrpcheck::client
