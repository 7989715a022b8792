#include "traffic/server_sessions.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/kept.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "traffic/http_sessions.hpp"

namespace jrpcheck::traffic {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using judge::WatchedServer;

constexpr std::size_t kMostServers = 100;
constexpr std::size_t kMostExchangesNamed = 10'000;
constexpr std::size_t kMostVersions = 100;
constexpr std::size_t kMostLossy = 2000;
constexpr std::size_t kLongestId = 200;
constexpr std::size_t kShownOfCall = 400;
constexpr std::size_t kLongestMethod = 200;
constexpr std::string_view kBeforeHeadsName = "2025-03-26";

std::string short_field(const wire::HttpFields& fields, std::string_view name) {
  std::string value(wire::field_of(fields, name).value_or(""));
  return value.size() <= kLongestId ? value : std::string();
}

}  // namespace

std::set<std::string> ServerSessions::requirements() const {
  std::set<std::string> all;
  for (const auto& version : spoken_) {
    if (const auto* law = laws_.of(version)) all.merge(law->requirements());
  }
  return all;
}

std::set<std::string> ServerSessions::exercised() const {
  const auto all = noted_.exercised.in_order();
  return {all.begin(), all.end()};
}

std::size_t ServerSessions::kept() const {
  std::size_t kept = exchanges_.size() * (sizeof(Named) + 2 * sizeof(ExchangeKey));
  for (const auto& each : sessions_) kept += each.server.kept();
  return kept;
}

ServerSessions::Session* ServerSessions::find_session(std::size_t connection,
                                                      const std::string& id) {
  const auto found = std::ranges::find_if(sessions_, [&](const Session& each) {
    return each.connection == connection && each.id == id;
  });
  return found == sessions_.end() ? nullptr : &*found;
}

ServerSessions::Session& ServerSessions::begin_session(std::size_t connection,
                                                       const std::string& id) {
  if (auto* found = find_session(connection, id)) return *found;
  const bool is_whole = id.empty() && is_whole_ && !lossy_.contains(connection);
  sessions_.push_front({connection, id, WatchedServer(laws_, is_whole)});
  if (sessions_.size() > kMostServers) {
    const auto oldest = sessions_.back().id.empty() ? sessions_.back().connection : 0;
    sessions_.pop_back();
    if (oldest != 0) lose(oldest);
  }
  return sessions_.front();
}

void ServerSessions::take_head(const HttpHead& head) {
  if (!has_law()) return;
  const ExchangeKey key{head.connection, head.exchange};
  if (head.side == Side::client) {
    if (exchanges_.size() >= kMostExchangesNamed) exchanges_.erase(exchanges_.begin());
    exchanges_[key] = {short_field(head.fields, "Mcp-Session-Id"),
                       short_field(head.fields, "MCP-Protocol-Version")};
    return;
  }
  // Responses come in the order of their requests: nothing follows to those before.
  const auto found = exchanges_.find(key);
  if (found == exchanges_.end()) return;
  const auto given = short_field(head.fields, "Mcp-Session-Id");
  if (!given.empty()) found->second.session = given;
  exchanges_.erase(exchanges_.lower_bound({head.connection, 0}), found);
}

void ServerSessions::forget(std::size_t connection, judge::TrafficShown& shown) {
  end_connection(connection, shown);
  exchanges_.erase(exchanges_.lower_bound({connection, 0}),
                   exchanges_.lower_bound({connection + 1, 0}));
  lossy_.erase(connection);
}

void ServerSessions::lose(std::size_t connection) {
  std::erase_if(sessions_, [&](const Session& each) {
    return each.id.empty() && each.connection == connection;
  });
  lossy_.insert(connection);
  if (lossy_.size() > kMostLossy) is_whole_ = false;
}

void ServerSessions::end(judge::TrafficShown& shown) {
  for (auto& each : sessions_) end(each, shown);
}

void ServerSessions::end_connection(std::size_t connection, judge::TrafficShown& shown) {
  auto* session = find_session(connection, {});
  if (session == nullptr) return;
  end(*session, shown);
  std::erase_if(sessions_, [&](const Session& each) { return &each == session; });
}

void ServerSessions::end(Session& session, judge::TrafficShown& shown) {
  TrafficEvent event{TrafficEvent::Kind::closed, Side::server, last_, session.connection};
  const std::size_t before = shown.findings.size();
  add(session.server.end(), event, {}, shown);
  for (std::size_t i = before; i < shown.findings.size(); ++i) {
    shown.findings[i].message = shown.findings[i].finding.actual;
  }
}

void ServerSessions::keep_within(std::size_t most) {
  std::vector<std::pair<std::size_t, WatchedServer*>> all;
  for (auto& each : sessions_) all.emplace_back(each.server.kept(), &each.server);
  for (auto* each : largest_beyond(most, std::move(all))) {
    each->forget_log();
    each->forget_opening();
  }
}

void ServerSessions::take(const TrafficEvent& event, judge::TrafficShown& shown) {
  using Kind = TrafficEvent::Kind;
  if (!has_law()) return;
  last_ = std::max(last_, event.at);
  if (event.kind == Kind::lost) {
    if (event.connection != dialogue::kAnyConnection) return lose(event.connection);
    sessions_.clear();
    exchanges_.clear();
    is_whole_ = false;
    return;
  }
  const bool is_of_stream = !event.exchange && event.http_status == 0;
  // What breaks its framing may have held a message.
  if (event.kind == Kind::violation && is_of_stream) {
    if (auto* session = find_session(event.connection, {})) session->server.forget_log();
  }
  if (event.kind == Kind::closed && event.side == Side::server && is_of_stream) {
    return end_connection(event.connection, shown);
  }
  if (event.kind != Kind::message) return;
  if (event.side == Side::client) return hear(event, shown);
  judge::AnsweredCall own;
  own.method = json::text_of(event.message.find("method")).substr(0, kLongestMethod);
  add(judge_own(event), event, own, shown);
  for (const auto& each : shown.answered) {
    if (each.caller == Side::client && each.call) {
      add(judge_answer(event, each), event, each, shown);
    }
  }
}

// Where an id is used by two calls at once nobody knows which is answered.
void ServerSessions::hear(const TrafficEvent& event, judge::TrafficShown& shown) {
  if (event.exchange) {
    auto* session = place_of(event, false).session;
    if (session != nullptr) session->server.hear(event.message);
    return;
  }
  auto& server = begin_session(event.connection, {}).server;
  const bool repeats_id = std::ranges::any_of(
      shown.findings, [](const auto& each) { return each.finding.requirement == "cl-id-unique"; });
  if (repeats_id) server.forget_log();
  add(server.hear(event.message), event, {}, shown);
}

ServerSessions::Place ServerSessions::place_of(const TrafficEvent& event, bool opens) {
  if (!event.exchange) return {&begin_session(event.connection, {})};
  const auto found = exchanges_.find({event.connection, *event.exchange});
  if (found == exchanges_.end()) return {};
  const auto& id = found->second.session;
  if (id.empty()) return {nullptr, &found->second};
  return {opens ? &begin_session(0, id) : find_session(0, id), &found->second};
}

// A session has agreed on a version, which heads name since 2025-06-18. What has none names one by
// itself, and over HTTP in its head as well (MCP 2026-07-28, basic/transports); its server may be
// of an earlier version all the same.
std::string ServerSessions::version_at(const Place& place, const std::string& in_message) const {
  const bool is_agreed = place.session != nullptr && !place.session->server.version().empty();
  if (is_agreed || !laws_.has_versions()) return is_agreed ? place.session->server.version() : "";
  const bool is_of_http = place.session == nullptr || !place.session->id.empty();
  if (!is_of_http) return place.session->shown_version;
  const std::string in_head = place.named == nullptr ? in_message : place.named->version;
  if (!in_message.empty() && in_message != in_head) return {};
  if (!in_head.empty()) {
    const auto* law = laws_.of(in_head);
    const bool is_agreed_on = law != nullptr && !law->ready_method.empty();
    return is_agreed_on || shown_.contains(in_head) ? in_head : std::string();
  }
  if (agreed_.size() != 1) return {};
  // A head that names none is of the version before they did.
  const bool may_be = place.named == nullptr || *agreed_.begin() == kBeforeHeadsName;
  return may_be ? *agreed_.begin() : std::string();
}

void ServerSessions::note_shown(const Place& place, const judge::AnsweredCall& answered,
                                const std::string& in_message) {
  if (in_message.empty() || !judge::shows_version(*answered.answer->value(), in_message)) return;
  if (place.session != nullptr && place.session->id.empty()) {
    place.session->shown_version = in_message;
  } else if (shown_.size() < kMostVersions) {
    shown_.insert(in_message);
  }
}

judge::Judgement ServerSessions::judge_own(const TrafficEvent& event) {
  const auto place = place_of(event, false);
  WatchedServer alone(laws_);
  auto& server = place.session != nullptr ? place.session->server : alone;
  return server.tell(event.message, version_at(place, {}));
}

judge::Judgement ServerSessions::judge_answer(const TrafficEvent& event,
                                              const judge::AnsweredCall& answered) {
  const json::Value* call = answered.call->value();
  if (call == nullptr || answered.answer->value() == nullptr) return {};
  const bool opens = !answered.method.empty() && answered.method == laws_.opening_method();
  const auto place = place_of(event, opens);
  const auto in_message = laws_.has_versions() ? judge::version_named_in(*call) : std::string();
  note_shown(place, answered, in_message);
  WatchedServer alone(laws_);
  auto& server = place.session != nullptr ? place.session->server : alone;
  const auto version = version_at(place, in_message);
  if (laws_.has_versions() && version.empty() && !opens) return {};
  auto judgement = server.answer(
      {answered.method, *answered.call, *answered.answer, event.http_status}, version);
  const auto& agreed = server.version();
  if (opens && !agreed.empty() && agreed_.size() < kMostVersions) agreed_.insert(agreed);
  if (!judgement.exercised.in_order().empty()) spoken_.insert(agreed.empty() ? version : agreed);
  return judgement;
}

void ServerSessions::add(judge::Judgement judgement, const TrafficEvent& event,
                         const judge::AnsweredCall& about, judge::TrafficShown& shown) {
  noted_.exercised.merge(judgement.exercised);
  for (const auto& each : judgement.observations) noted_.observe(each.name, each.value);
  const auto found =
      event.exchange ? exchanges_.find({event.connection, *event.exchange}) : exchanges_.end();
  const bool has_name = found != exchanges_.end() && !found->second.session.empty();
  for (auto& each : judgement.findings) {
    if (has_name) each.about = "session " + shown_session(found->second.session);
    const std::string call = about.call ? to_visible(about.call->text(), kShownOfCall) : "";
    shown.findings.push_back({Side::server, std::move(each), event.at, event.connection, call});
    shown.findings.back().method = about.method;
  }
}

}  // namespace jrpcheck::traffic
