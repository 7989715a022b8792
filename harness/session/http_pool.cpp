#include "session/http_pool.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "session/http_limits.hpp"

namespace jrpcheck::session {

bool HttpPool::send_all(const std::vector<const corpus::Step*>& steps) {
  Group group;
  for (const auto* step : steps) {
    Place& place = *group.places.emplace_back(free_place());
    place.step = step;
    if (!send(place, group)) {
      drop();
      return false;
    }
  }
  under_way_.push_back(std::move(group));
  return true;
}

std::unique_ptr<HttpPool::Place> HttpPool::free_place() {
  if (free_.empty()) return std::make_unique<Place>();
  auto place = std::move(free_.back());
  free_.pop_back();
  return place;
}

bool HttpPool::send(Place& place, Group& group) {
  place.is_new = !place.connection || !place.connection->is_idle();
  if (place.is_new) {
    dialogue::Transcript aside;
    place.connection = channel_.connect(aside);
    if (!place.connection) return false;
  }
  HttpConnection& connection = *place.connection;
  const std::string bytes = channel_.request_for(*place.step, place.step->messages.front());
  group.sent_bytes += bytes.size();
  connection.begin_exchange();
  connection.expect_response_to("POST");
  connection.send(bytes, {}, Deadline::in(patience_.for_response(false, bytes.size())));
  return connection.has_sent_all();
}

std::optional<std::vector<dialogue::Exchange>> HttpPool::take_all() {
  // What has come by then is taken in, however long another was waited for.
  constexpr milliseconds kAtLeast{5};
  Group group = std::move(under_way_.front());
  under_way_.pop_front();
  if (group.is_dropped) return std::nullopt;
  // The wait begins now: whoever has sent them had other things to do meanwhile.
  const Deadline deadline = Deadline::in(patience_.for_answer(false, group.sent_bytes));
  std::vector<dialogue::Exchange> all(group.places.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Place& place = *group.places[i];
    dialogue::Transcript aside;
    channel_.collect(*place.connection, *place.step,
                     Deadline::in(std::max<microseconds>(deadline.remaining(), kAtLeast)),
                     {all[i], aside});
    all[i].on_new_connection = place.is_new;
    const auto ending = all[i].ending;
    const bool is_settled = ending == dialogue::Ending::settled && !is_limit(all[i]);
    if ((!is_settled && ending != dialogue::Ending::timed_out) || has_429(all[i])) {
      drop();
      return std::nullopt;
    }
    if (!is_settled) place.connection.reset();
  }
  std::move(group.places.begin(), group.places.end(), std::back_inserter(free_));
  return all;
}

void HttpPool::drop() {
  free_.clear();
  for (auto& group : under_way_) group = {.is_dropped = true};
}

}  // namespace jrpcheck::session
