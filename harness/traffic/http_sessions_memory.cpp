#include <algorithm>

#include "base/kept.hpp"
#include "traffic/http_sessions.hpp"

// What sessions over HTTP keep, and how that stays bounded.

namespace jrpcheck::traffic {
namespace {

constexpr std::size_t kMostOpenSessions = 100;

}  // namespace

std::size_t HttpSessions::Session::kept() const {
  const auto by_held = [](const Held& each) {
    return each.message.memory() + kept_in(each.fields);
  };
  return sizeof *this + rules.kept() + kept_by(name) + kept_in(held, by_held) +
         kept_in(cancellations, [&](const auto& each) { return by_held(each.second); }) +
         kept_in(unanswered, [](std::size_t) { return std::size_t{0}; });
}

std::size_t HttpSessions::kept_beside_sessions() const {
  const auto by_exchange = [](const auto& each) {
    const Exchange& one = each.second;
    std::size_t kept = kept_by(one.endpoint) + kept_by(one.named) + kept_in(one.fields);
    for (const auto* message : {&one.opening, &one.astray}) {
      if (*message) kept += (*message)->memory();
    }
    return kept;
  };
  const auto by_endpoint = [](const auto& each) {
    return kept_by(each.first) +
           kept_in(each.second.refused, [](const Refused& one) { return one.message.memory(); });
  };
  return kept_in(exchanges_, by_exchange) + kept_in(endpoints_, by_endpoint) +
         kept_in(sessions_, [](const auto& each) { return kept_by(each.first); }) +
         kept_in(gone_,
                 [](const auto& each) { return kept_by(each.first) + kept_by(each.second.name); }) +
         kept_in(used_for_, [](const auto& each) { return kept_by(each.second); });
}

HttpSessions::KeptByEach HttpSessions::kept_by_each() const {
  KeptByEach all;
  std::set<const Session*> known;
  const auto add = [&](const Shared& session) {
    const bool is_new = session && known.insert(session.get()).second;
    if (is_new) all.emplace_back(session->kept(), session.get());
  };
  for (const auto& [key, session] : sessions_) add(session);
  for (const auto& session : left_) add(session);
  for (const auto& [key, exchange] : exchanges_) add(exchange.session);
  for (const auto& [name, endpoint] : endpoints_) add(endpoint.stateless);
  return all;
}

std::size_t HttpSessions::kept() const {
  std::size_t kept = kept_beside_sessions();
  for (const auto& [each, session] : kept_by_each()) kept += each;
  return kept;
}

void HttpSessions::keep_within(std::size_t most) {
  const std::size_t beside = kept_beside_sessions();
  if (beside > most / 2) return lose();
  leave_unjudged(largest_beyond(most - beside, kept_by_each()));
}

void HttpSessions::leave_unjudged(const std::set<const Session*>& sessions) {
  const auto is_left = [&](const Shared& session) { return sessions.contains(session.get()); };
  for (auto& [key, session] : sessions_) {
    if (is_left(session)) session = nullptr;
  }
  std::erase_if(left_, is_left);
  for (auto& [key, exchange] : exchanges_) {
    if (!is_left(exchange.session)) continue;
    exchange.session = nullptr;
    exchange.opening.reset();
  }
  for (auto& [name, endpoint] : endpoints_) {
    if (!is_left(endpoint.stateless)) continue;
    endpoint.stateless = nullptr;
    endpoint.is_left = true;
  }
}

void HttpSessions::make_room() {
  if (sessions_.size() <= kMostOpenSessions) return;
  const auto age = [](const auto& each) {
    return each.second ? each.second->last : microseconds(0);
  };
  const auto oldest =
      std::min_element(sessions_.begin(), sessions_.end(),
                       [&](const auto& a, const auto& b) { return age(a) < age(b); });
  sessions_.erase(oldest);
}

void HttpSessions::lose() {
  exchanges_.clear();
  sessions_.clear();
  left_.clear();
  gone_.clear();
  used_for_.clear();
  for (auto& [name, endpoint] : endpoints_) {
    endpoint.gives_ids = false;
    endpoint.stateless.reset();
    endpoint.refused.clear();
  }
}

void HttpSessions::forget(std::size_t connection) {
  exchanges_.erase(exchanges_.lower_bound({connection, 0}),
                   exchanges_.lower_bound({connection + 1, 0}));
  used_for_.erase(connection);
}

}  // namespace jrpcheck::traffic
