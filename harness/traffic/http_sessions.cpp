#include "traffic/http_sessions.hpp"

#include <algorithm>
#include <array>
#include <functional>

#include "base/letter_case.hpp"
#include "json/pointer.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

constexpr std::size_t kMostGone = 1000;
constexpr std::size_t kMostEndpoints = 100;
// As long as any recipient has to take them (RFC 9110 §4.1).
constexpr std::size_t kLongestTarget = 8000;
constexpr std::size_t kLongestSession = 1000;
constexpr std::size_t kMostExchanges = 10'000;
constexpr std::size_t kMostHeld = 100;
// What is sent at once on two connections is seen in either order; this much later it is not.
constexpr std::chrono::seconds kForTheOther{1};
// Of requests in a session that is gone, after the first was refused.
constexpr std::size_t kFurtherTries = 3;
constexpr std::string_view kSeveral = "*";
constexpr int kNotFound = 404;
// As of a request without the session that the server needs (basic/transports § Session
// Management).
constexpr std::size_t kBadRequest = 400;
constexpr std::size_t kMostRefused = 10;
// An id is a kind of secret, of which nobody needs more to tell sessions apart.
constexpr std::size_t kShownOfId = 8;
constexpr std::size_t kLongestShownId = 12;

std::string session_in(const wire::HttpFields& fields) {
  return std::string(wire::field_of(fields, "Mcp-Session-Id").value_or(""));
}

// A server that says of what it refuses that a session is missing.
bool names_what_is_missing(const std::string& body) {
  const std::string text = in_lower_case(body);
  constexpr std::array<std::string_view, 3> kWords = {"mcp-session-id", "session id",
                                                      "not initialized"};
  return std::ranges::any_of(kWords,
                             [&](std::string_view each) { return text.find(each) != text.npos; });
}

// Over HTTP with SSE (2024-11-05, basic/transports) a request is accepted by its response, and
// answered on the stream of a GET. That transport prescribes no head of a POST.
bool is_accepted_alone(const HttpHead& head) {
  constexpr int kAccepted = 202;
  const std::string type = in_lower_case(wire::field_list(head.fields, "Content-Type"));
  return head.status == kAccepted || (head.status == 200 && type.starts_with("text/plain"));
}

std::string key_of(const std::string& endpoint, const std::string& id) {
  return endpoint + "\n" + id;
}

}  // namespace

std::string shown_session(const std::string& id) {
  return id.size() <= kLongestShownId ? id : id.substr(0, kShownOfId) + "...";
}

HttpSessions::HttpSessions(judge::ClientLaw law) : law_(std::move(law)) {}

judge::Judgement HttpSessions::take_head(const HttpHead& head) {
  if (head.side == Side::client) {
    take_request_head(head);
  } else {
    take_response_head(head);
  }
  return std::exchange(shown_, {});
}

void HttpSessions::take_request_head(const HttpHead& head) {
  const bool has_room = endpoints_.contains(head.target) || endpoints_.size() < kMostEndpoints;
  if (!has_room || head.target.size() > kLongestTarget) return;
  // Whose messages are passed over is judged from the middle.
  if (exchanges_.size() >= kMostExchanges) lose();
  Exchange exchange{head.target, head.fields, session_in(head.fields)};
  exchange.has_query = head.has_query;
  const auto session = sessions_.find(key_of(exchange.endpoint, exchange.named));
  const bool is_known = !exchange.named.empty() && session != sessions_.end();
  if (is_known) exchange.session = session->second;
  if ((head.method == "GET" || head.method == "DELETE") && exchange.session) {
    exchange.session->rules.hear_bare_head(head.method, head.fields);
    collect(exchange.session->rules, exchange.session->name);
  }
  // Who ends a session says nothing more in it.
  if (head.method == "DELETE" && is_known) {
    const bool has_more = session->second && !(session->second->held.empty() &&
                                               session->second->cancellations.empty());
    if (has_more && left_.size() < kMostHeld) left_.push_back(session->second);
    sessions_.erase(session);
  }
  exchanges_.insert_or_assign({head.connection, head.exchange}, std::move(exchange));
}

void HttpSessions::take_response_head(const HttpHead& head) {
  const auto found = exchanges_.find({head.connection, head.exchange});
  if (found == exchanges_.end()) return;
  // Responses come in the order of their requests: nothing follows to those before.
  exchanges_.erase(exchanges_.lower_bound({head.connection, 0}), found);
  if (found->second.begins) {
    hear_opening(found->second, is_accepted_alone(head) ? nullptr : &found->second.fields);
    open_session(found->second, head);
  }
  note_status(found->second, head);
}

void HttpSessions::open_session(const Exchange& exchange, const HttpHead& head) {
  const std::string id = session_in(head.fields);
  auto& endpoint = endpoints_[exchange.endpoint];
  if (head.status < 200 || head.status >= 300 || !exchange.session) return;
  if (id.empty() || id.size() > kLongestSession) {
    endpoint.gives_ids = false;
    endpoint.refused.clear();
    return;
  }
  ++endpoint.begun;
  const std::string key = key_of(exchange.endpoint, id);
  gone_.erase(key);
  const auto [place, is_new] = sessions_.emplace(key, exchange.session);
  if (!is_new && place->second != exchange.session) {
    place->second = nullptr;
    endpoint.gives_ids = false;
    return;
  }
  exchange.session->rules.begin_session(id);
  exchange.session->name = shown_session(id);
  settle_refused(endpoint);
  note_use(head.connection, key);
  make_room();
}

// By 404 a server says that a session is gone; where it answers again it was not.
void HttpSessions::note_status(const Exchange& exchange, const HttpHead& head) {
  if (exchange.named.empty() || exchange.begins) return;
  const std::string key = key_of(exchange.endpoint, exchange.named);
  if (head.status != kNotFound) {
    if (head.status < 300) gone_.erase(key);
    return;
  }
  const auto session = sessions_.find(key);
  if (session == sessions_.end()) return;
  if (session->second && gone_.size() < kMostGone) {
    const auto& one = *session->second;
    gone_.emplace(key, Gone{one.name, one.rules.ends_by_404(), head.at, head.connection});
  }
  sessions_.erase(session);
}

judge::Judgement HttpSessions::take(const TrafficEvent& event) {
  if (event.kind == TrafficEvent::Kind::lost && event.note != kCutOff) lose();
  settle_all(event.at);
  if (event.kind == TrafficEvent::Kind::closed && event.exchange) note_unanswered(event);
  if (event.kind != TrafficEvent::Kind::message || !event.exchange) {
    return std::exchange(shown_, {});
  }
  const Value* value = event.message.value();
  const auto found = exchanges_.find({event.connection, *event.exchange});
  if (found == exchanges_.end()) return std::exchange(shown_, {});
  auto& exchange = found->second;
  if (event.side == Side::server && exchange.astray) note_refusal(exchange, event);
  if (value == nullptr) return std::exchange(shown_, {});
  if (event.side == Side::client) {
    hear(exchange, *value, event);
  } else if (exchange.is_stateless) {
    auto& stateless = endpoints_[exchange.endpoint].stateless;
    if (stateless) stateless->rules.tell(*value);
  } else if (exchange.session) {
    auto& session = *exchange.session;
    const bool is_opening = exchange.begins && json::at(*value, "/result/protocolVersion");
    session.is_answered = session.is_answered || is_opening;
    pass(session, {false, value->clone()}, event.at);
  }
  return std::exchange(shown_, {});
}

// Whoever is refused so has begun no session: where the server says so or gives each client an id.
void HttpSessions::note_refusal(Exchange& exchange, const TrafficEvent& event) {
  auto message = std::exchange(exchange.astray, std::nullopt);
  auto& endpoint = endpoints_[exchange.endpoint];
  if (event.http_status != kBadRequest || exchange.has_query || !endpoint.gives_ids) return;
  if (endpoint.refused.size() >= kMostRefused) return;
  endpoint.refused.push_back({*std::move(message), names_what_is_missing(event.message.text())});
  settle_refused(endpoint);
}

void HttpSessions::settle_refused(Endpoint& endpoint) {
  std::erase_if(endpoint.refused, [&](const Refused& each) {
    const bool is_known = each.is_told || endpoint.begun > 0;
    if (is_known) charge_without_session(each.message);
    return is_known;
  });
}

void HttpSessions::charge_without_session(const Value& message) {
  judge::ClientRules rules(law_);
  rules.hear_without_session(message);
  collect(rules);
}

void HttpSessions::hear(Exchange& exchange, const Value& message, const TrafficEvent& event) {
  if (judge::ClientRules::needs_no_session(message, &exchange.fields)) {
    exchange.is_stateless = true;
    auto& endpoint = endpoints_[exchange.endpoint];
    if (endpoint.is_left) return;
    if (!endpoint.stateless) endpoint.stateless = std::make_shared<Session>(law_);
    endpoint.stateless->rules.hear(message, &exchange.fields);
    return collect(endpoint.stateless->rules);
  }
  if (json::text_of(message.find("method")) == "initialize") return begin(exchange, message, event);
  hear_in_gone(exchange, message, event);
  if (!exchange.session) exchange.session = session_of(exchange, event.connection);
  if (!exchange.session) {
    const std::string method = json::text_of(message.find("method"));
    const bool is_request = !method.empty() && message.find("id") != nullptr;
    // One that a client has begun may be that of another, which has left out its id: then it is no
    // want of initialize, and nobody knows whose it is.
    const bool has_none = !endpoints_[exchange.endpoint].was_asked_for_session;
    if (exchange.named.empty() && has_none && is_request && method != "ping") {
      exchange.astray = message.clone();
    }
    if (!exchange.named.empty()) note_use(event.connection, std::string(kSeveral));
    return;
  }
  if (!exchange.named.empty()) {
    note_use(event.connection, key_of(exchange.endpoint, exchange.named));
  }
  exchange.body = std::hash<std::string>{}(event.message.text());
  if (exchange.session->unanswered.erase(exchange.body) != 0) return;
  pass(*exchange.session, {true, message.clone(), exchange.fields}, event.at);
}

// Whose connection has ended in place of a response may send the same again (RFC 9110 §9.2.2), and
// so may a library, unknown to its client: that is one message, with one id.
void HttpSessions::note_unanswered(const TrafficEvent& event) {
  const auto found = exchanges_.find({event.connection, *event.exchange});
  if (found == exchanges_.end() || !found->second.session) return;
  hear_opening(found->second, nullptr);
  auto& session = *found->second.session;
  if (session.unanswered.size() < kMostHeld) session.unanswered.insert(found->second.body);
}

void HttpSessions::begin(Exchange& exchange, const Value& message, const TrafficEvent& event) {
  exchange.begins = true;
  endpoints_[exchange.endpoint].was_asked_for_session = true;
  exchange.session = std::make_shared<Session>(law_);
  auto& session = *exchange.session;
  session.last = event.at;
  const auto key = key_of(exchange.endpoint, exchange.named);
  const bool names_what_is_gone = !exchange.named.empty() && gone_.contains(key);
  // Whose new session it is nobody can tell.
  std::erase_if(gone_,
                [&](const auto& each) { return each.first.starts_with(exchange.endpoint + "\n"); });
  if (names_what_is_gone) session.rules.forget_session();
  exchange.opening = message.clone();
}

// `fields` is null where its response does not show streamable HTTP.
void HttpSessions::hear_opening(Exchange& exchange, const wire::HttpFields* fields) {
  if (!exchange.opening) return;
  const auto message = std::exchange(exchange.opening, std::nullopt);
  exchange.session->rules.hear(*message, fields);
  collect(exchange.session->rules);
}

// A request that names none is of the session for which alone its connection was used, where each
// at that place was given an id.
HttpSessions::Shared HttpSessions::session_of(const Exchange& exchange, std::size_t connection) {
  const auto& endpoint = endpoints_[exchange.endpoint];
  const auto used = used_for_.find(connection);
  if (!exchange.named.empty() || !endpoint.gives_ids || endpoint.begun == 0) return nullptr;
  if (used == used_for_.end() || !used->second.starts_with(exchange.endpoint + "\n")) {
    return nullptr;
  }
  const auto session = sessions_.find(used->second);
  const bool is_open =
      session != sessions_.end() && session->second && session->second->is_answered;
  return is_open ? session->second : nullptr;
}

void HttpSessions::hear_in_gone(const Exchange& exchange, const Value& message,
                                const TrafficEvent& event) {
  const auto gone = gone_.find(key_of(exchange.endpoint, exchange.named));
  const bool is_request =
      !json::text_of(message.find("method")).empty() && message.find("id") != nullptr;
  if (gone == gone_.end() || !is_request || gone->second.connection != event.connection) return;
  if (++gone->second.further < kFurtherTries || event.at - gone->second.at < kForTheOther) return;
  if (gone->second.is_by_404) {
    judge::ClientRules rules(law_);
    rules.hear_in_gone_session(message);
    collect(rules, gone->second.name);
  }
  gone_.erase(gone);
}

void HttpSessions::pass(Session& session, Held one, microseconds at) {
  session.last = at;
  const std::string method = one.is_of_client ? json::text_of(one.message.find("method")) : "";
  if (method == "notifications/cancelled") {
    if (session.cancellations.size() < kMostHeld) {
      session.cancellations.emplace_back(at, std::move(one));
    }
    return;
  }
  if (method == "notifications/initialized") {
    session.is_ready = true;
    deliver(session, one);
    return flush(session);
  }
  const bool waits = one.is_of_client && session.is_answered && !session.is_ready;
  if (session.held.empty() && !waits) return deliver(session, one);
  if (session.held.empty()) session.held_since = at;
  session.held.push_back(std::move(one));
  if (session.held.size() >= kMostHeld) flush(session);
}

// What was asked comes before what cancels it, also where it was held for longer.
void HttpSessions::settle(Session& session, microseconds at) {
  if (!session.held.empty() && at - session.held_since > kForTheOther) flush(session);
  auto& cancellations = session.cancellations;
  while (!cancellations.empty() && at - cancellations.front().first > kForTheOther) {
    deliver(session, cancellations.front().second);
    cancellations.pop_front();
  }
}

judge::Judgement HttpSessions::end() {
  for (const auto& [key, session] : sessions_) {
    if (session) settle_last(*session, false);
  }
  for (const auto& session : left_) settle_last(*session, true);
  left_.clear();
  return std::exchange(shown_, {});
}

// Where traffic ends at once, what was sent together with its last message may not have been seen:
// but for one that has been answered, or was followed by others, or by the end of the session.
void HttpSessions::settle_last(Session& session, bool is_left) {
  const bool is_answered =
      std::ranges::any_of(session.held, [](const Held& each) { return !each.is_of_client; });
  if (!session.held.empty() && (is_left || is_answered)) flush(session);
  for (const auto& [at, one] : std::exchange(session.cancellations, {})) {
    if (is_left || session.last > at) deliver(session, one);
  }
}

void HttpSessions::settle_all(microseconds at) {
  for (const auto& [key, session] : sessions_) {
    if (session) settle(*session, at);
  }
  for (const auto& session : left_) settle(*session, at);
  for (auto& [name, endpoint] : endpoints_) settle_refused(endpoint);
  std::erase_if(left_, [](const Shared& session) {
    return session->held.empty() && session->cancellations.empty();
  });
}

void HttpSessions::flush(Session& session) {
  session.is_ready = true;  // or will never be
  for (const auto& each : std::exchange(session.held, {})) deliver(session, each);
}

void HttpSessions::deliver(Session& session, const Held& one) {
  if (one.is_of_client) {
    session.rules.hear(one.message, &one.fields);
  } else {
    session.rules.tell(one.message);
  }
  collect(session.rules, session.name);
}

void HttpSessions::collect(judge::ClientRules& rules, const std::string& session) {
  auto one = rules.take();
  shown_.exercised.merge(one.exercised);
  for (auto& each : one.findings) {
    if (!session.empty()) each.about = "session " + session;
    shown_.findings.push_back(std::move(each));
  }
}

void HttpSessions::note_use(std::size_t connection, const std::string& key) {
  const auto [place, is_new] = used_for_.emplace(connection, key);
  if (!is_new && place->second != key) place->second = kSeveral;
}

}  // namespace jrpcheck::traffic
