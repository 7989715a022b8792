#include "session/http_pool.hpp"

#include "session/http_limits.hpp"

namespace jrpcheck::session {

bool HttpPool::send_all(const std::vector<const corpus::Step*>& steps) {
  if (steps.size() > kConnections) return false;
  if (places_.size() < steps.size()) places_.resize(steps.size());
  under_way_ = sent_bytes_ = 0;
  for (const auto* step : steps) {
    Place& place = places_[under_way_];
    place.step = step;
    if (!send(place)) {
      drop();
      return false;
    }
    ++under_way_;
  }
  return true;
}

bool HttpPool::send(Place& place) {
  place.is_new = !place.connection || !place.connection->is_idle();
  if (place.is_new) {
    dialogue::Transcript aside;
    place.connection = channel_.connect(aside);
    if (!place.connection) return false;
  }
  HttpConnection& connection = *place.connection;
  const std::string bytes = channel_.request_for(*place.step, place.step->messages.front());
  sent_bytes_ += bytes.size();
  connection.begin_exchange();
  connection.expect_response_to("POST");
  connection.send(bytes, {}, Deadline::in(patience_.for_response(false, bytes.size())));
  return connection.has_sent_all();
}

std::optional<std::vector<dialogue::Exchange>> HttpPool::take_all() {
  // The wait begins now: whoever has sent them had other things to do meanwhile.
  const Deadline deadline = Deadline::in(patience_.for_response(false, sent_bytes_));
  std::vector<dialogue::Exchange> all(under_way_);
  for (std::size_t i = 0; i < all.size(); ++i) {
    Place& place = places_[i];
    dialogue::Transcript aside;
    channel_.collect(*place.connection, *place.step, deadline, {all[i], aside});
    all[i].on_new_connection = place.is_new;
    if (all[i].ending != dialogue::Ending::settled || is_limit(all[i]) || has_429(all[i])) {
      drop();
      return std::nullopt;
    }
  }
  return all;
}

void HttpPool::drop() {
  places_.clear();
  under_way_ = 0;
}

}  // namespace jrpcheck::session
