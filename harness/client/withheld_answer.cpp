#include "client/withheld_answer.hpp"

#include <utility>

#include "json/pointer.hpp"
#include "judge/clients/charges.hpp"

namespace jrpcheck::client {

void WithheldAnswer::keep(std::string id, std::string answer, WithheldManner manner) {
  id_ = std::move(id);
  answer_ = std::move(answer);
  notes_.was_withheld = true;
  notes_.manner = std::move(manner);
}

void WithheldAnswer::hear(const json::Value& message, const std::string& session,
                          Clock::time_point now) {
  const std::string method = json::text_of(message.find("method"));
  if (!is_there() || method.empty() || session != notes_.manner.session) return;
  const json::Value* id = json::at(message, "/params/requestId");
  const bool is_word = method == "notifications/cancelled" && id != nullptr;
  if (is_word && json::write(*id) == id_) {
    if (!notes_.was_called_off) called_off_at_ = now;
    notes_.was_called_off = true;
    return;
  }
  if (notes_.was_told_late) ++notes_.heard_after_late;
  if (is_closed_) notes_.has_hung_up = true;
  if (called_off_at_ && now - *called_off_at_ > kForHangingUp) notes_.stays_open = !is_closed_;
}

void WithheldAnswer::note_closed(const std::string& id) {
  if (is_there() && id == id_) is_closed_ = true;
}

// Over HTTP without a handshake the connection itself says that it is given up.
std::optional<std::string> WithheldAnswer::take_late() {
  const bool is_by_word = !notes_.manner.is_stateless || !notes_.manner.is_over_http;
  if (!is_by_word || !notes_.was_called_off || notes_.was_told_late) return std::nullopt;
  notes_.was_told_late = true;
  return answer_;
}

}  // namespace jrpcheck::client
