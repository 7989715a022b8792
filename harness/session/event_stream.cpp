#include "session/event_stream.hpp"

#include <algorithm>

#include "base/ascii.hpp"

namespace jrpcheck::session {
namespace {

using dialogue::Direction;

std::size_t responses_in(const dialogue::Message& message) {
  const json::Value* value = message.value();
  return value != nullptr && value->is(json::Kind::array) ? value->size() : 1;
}

// JSON-RPC 2.0 §6: a batch has one Array for an answer, or one error where it is none. Some servers
// leave out the id of that, which is to be null.
bool answers_whole_message(const dialogue::Message& message) {
  const json::Value* value = message.value();
  if (value == nullptr) return false;
  const json::Value* id = value->find("id");
  const bool is_of_none = id == nullptr || id->is(json::Kind::null);
  return value->is(json::Kind::array) || (is_of_none && value->find("error") != nullptr);
}

}  // namespace

bool is_call(const dialogue::Message& message) {
  return message.find("method") != nullptr && message.find("result") == nullptr &&
         message.find("error") == nullptr;
}

bool is_of_another_type(const wire::ServerSentEvent& block, const dialogue::Message& message) {
  return block.data && !block.is_of_messages() && !dialogue::is_like_json_rpc(message);
}

dialogue::Event EventStream::event(Direction direction, std::string bytes, std::string note) const {
  dialogue::Event event{direction, {}, std::move(bytes), std::move(note)};
  event.http = head_;
  event.http->size = 0;
  event.http->stream = number_;
  return event;
}

void EventStream::take_in(std::string_view bytes, const Taking& taking) {
  reader_.feed(bytes);
  while (const auto block = reader_.next()) {
    if (!block->violation.empty()) {
      taking.exchange.beyond_limit = block->violation;
      return;
    }
    take(*block, taking);
  }
}

void EventStream::take(const wire::ServerSentEvent& block, const Taking& taking) {
  const dialogue::Message message(block.data.value_or(""));
  if (block.id) last_id_ = *block.id;
  if (block.retry) retry_ = milliseconds(std::atoll(block.retry->substr(0, 9).c_str()));
  if (takes_aside(block, message, taking)) return;
  if (is_of_another_type(block, message)) {
    taking.transcript.add(
        event(Direction::aside, block.block, std::string(dialogue::kOtherTypeNote)));
    return;
  }
  const bool is_own = is_call(message);
  dialogue::Event came = event(is_own ? Direction::unasked : Direction::received, block.block,
                               is_own ? "sent by the server on its own account" : taking.note);
  came.message = message;
  came.call = taking.call;
  came.is_control = taking.is_control && !is_own;
  // An answer to a control call is not judged with the case, and heard where that has no room left.
  const bool is_of_control = came.is_control;
  if (!taking.transcript.add(std::move(came)) && !is_of_control) {
    taking.exchange.beyond_limit = dialogue::kMoreThanTaken;
    return;
  }
  if (is_own) return answer_call_(message, taking.transcript);
  if (is_blank(message.text())) return;
  awaited_ -= std::min(awaited_, responses_in(message));
  has_answered_whole_ = has_answered_whole_ || answers_whole_message(message);
  taking.exchange.http_status = static_cast<int>(head_.status);
  dialogue::Reply reply{message, taking.exchange.http_status};
  reply.call = taking.call;
  reply.is_event = true;
  taking.exchange.replies.push_back(std::move(reply));
}

}  // namespace jrpcheck::session
