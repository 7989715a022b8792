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
constexpr std::size_t kLongestId = 1000;
constexpr std::size_t kShownOfCall = 400;

std::string short_field(const wire::HttpFields& fields, std::string_view name) {
  std::string value(wire::field_of(fields, name).value_or(""));
  return value.size() <= kLongestId ? value : std::string();
}

std::string version_in(const std::string& text) {
  const auto parsed = json::parse(text, dialogue::kMessageLimits);
  return parsed ? judge::version_named_in(*parsed.value) : std::string();
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

WatchedServer* ServerSessions::session_of(std::size_t connection, const std::string& id,
                                          bool begins) {
  const auto found = std::ranges::find_if(sessions_, [&](const Session& each) {
    return each.connection == connection && each.id == id;
  });
  if (found != sessions_.end()) return &found->server;
  if (!begins) return nullptr;
  const bool is_whole = id.empty() && is_whole_ && !lossy_.contains(connection);
  sessions_.push_front({connection, id, WatchedServer(laws_, is_whole)});
  if (sessions_.size() > kMostServers) sessions_.pop_back();
  return &sessions_.front().server;
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
  for (auto& each : sessions_) {
    if (each.id.empty() && each.connection == connection) end(each, shown);
  }
  lose(connection);
  lossy_.erase(connection);
}

void ServerSessions::lose(std::size_t connection) {
  std::erase_if(sessions_, [&](const Session& each) {
    return each.id.empty() && each.connection == connection;
  });
  exchanges_.erase(exchanges_.lower_bound({connection, 0}),
                   exchanges_.lower_bound({connection + 1, 0}));
  lossy_.insert(connection);
  if (lossy_.size() > kMostLossy) is_whole_ = false;
}

void ServerSessions::end(judge::TrafficShown& shown) {
  for (auto& each : sessions_) end(each, shown);
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
  for (auto* each : largest_beyond(most, std::move(all))) each->forget_log();
}

void ServerSessions::take(const TrafficEvent& event, judge::TrafficShown& shown) {
  if (!has_law()) return;
  last_ = std::max(last_, event.at);
  if (event.kind == TrafficEvent::Kind::lost) {
    if (event.connection != dialogue::kAnyConnection) return lose(event.connection);
    sessions_.clear();
    exchanges_.clear();
    is_whole_ = false;
    return;
  }
  if (event.kind != TrafficEvent::Kind::message) return;
  if (event.side == Side::client) {
    if (event.exchange) return;
    return add(session_of(event.connection, {}, true)->hear(event.message), event, {}, shown);
  }
  judge::AnsweredCall own;
  own.method = json::text_of(event.message.find("method"));
  add(judge_own(event), event, own, shown);
  for (const auto& each : shown.answered) {
    if (each.caller == Side::client && !each.call.empty()) {
      add(judge_answer(event, each), event, each, shown);
    }
  }
}

const ServerSessions::Named* ServerSessions::named_in(const TrafficEvent& event) const {
  const auto found = exchanges_.find({event.connection, *event.exchange});
  return found == exchanges_.end() ? nullptr : &found->second;
}

// A message that names a version does so in its head as well (MCP 2026-07-28, basic/transports). A
// session before that agrees on one, which heads name since 2025-06-18.
std::string ServerSessions::version_over_http(const Named* named, const std::string& in_message,
                                              const WatchedServer* session) const {
  if (!in_message.empty()) {
    return named != nullptr && named->version != in_message ? std::string() : in_message;
  }
  if (session != nullptr && !session->version().empty()) return session->version();
  if (named != nullptr && !named->version.empty()) return named->version;
  return agreed_.size() == 1 ? *agreed_.begin() : std::string();
}

judge::Judgement ServerSessions::judge_own(const TrafficEvent& event) {
  if (!event.exchange) {
    return session_of(event.connection, {}, true)->tell(event.message);
  }
  const Named* named = named_in(event);
  const bool has_session = named != nullptr && !named->session.empty();
  auto* session = has_session ? session_of(0, named->session, false) : nullptr;
  const auto version = version_over_http(named, {}, session);
  if (laws_.has_versions() && version.empty()) return {};
  return session != nullptr ? session->tell(event.message, version)
                            : WatchedServer(laws_).tell(event.message, version);
}

judge::Judgement ServerSessions::judge_answer(const TrafficEvent& event,
                                              const judge::AnsweredCall& answered) {
  const judge::PassedAnswer passed{answered.method, answered.call, answered.answer,
                                   event.http_status};
  const auto in_message = laws_.has_versions() ? version_in(answered.call) : std::string();
  const bool opens = !answered.method.empty() && answered.method == laws_.opening_method();
  const Named* named = event.exchange ? named_in(event) : nullptr;
  const bool has_session = named != nullptr && !named->session.empty();
  WatchedServer* session = nullptr;
  if (!event.exchange) session = session_of(event.connection, {}, true);
  if (has_session) session = session_of(0, named->session, opens);
  WatchedServer alone(laws_);
  auto& server = session != nullptr ? *session : alone;
  const auto version =
      event.exchange && !opens ? version_over_http(named, in_message, session) : in_message;
  const bool is_unknown = event.exchange && !opens && version.empty() && laws_.has_versions();
  if (is_unknown) return {};
  auto judgement = server.answer(passed, version);
  const auto& agreed = server.version();
  if (opens && !agreed.empty() && agreed_.size() < kMostVersions) agreed_.insert(agreed);
  if (!judgement.exercised.in_order().empty()) spoken_.insert(version.empty() ? agreed : version);
  return judgement;
}

void ServerSessions::add(judge::Judgement judgement, const TrafficEvent& event,
                         const judge::AnsweredCall& about, judge::TrafficShown& shown) {
  noted_.exercised.merge(judgement.exercised);
  for (const auto& each : judgement.observations) noted_.observe(each.name, each.value);
  const Named* named = event.exchange ? named_in(event) : nullptr;
  const bool has_name = named != nullptr && !named->session.empty();
  for (auto& each : judgement.findings) {
    if (has_name) each.about = "session " + shown_session(named->session);
    shown.findings.push_back({Side::server, std::move(each), event.at, event.connection,
                              to_visible(about.call, kShownOfCall)});
    shown.findings.back().method = about.method;
  }
}

}  // namespace jrpcheck::traffic
