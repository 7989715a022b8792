#include "judge/traffic.hpp"

#include "base/bytes.hpp"
#include "dialogue/id_key.hpp"
#include "json/contested.hpp"
#include "json/pointer.hpp"
#include "judge/envelope.hpp"
#include "judge/on_the_wire.hpp"
#include "judge/request.hpp"
#include "judge/traffic_rules.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

// What is larger a server may refuse unread.
constexpr std::size_t kLargeMessage = 1U << 20;
constexpr std::size_t kMostConnections = 10'000;
constexpr std::size_t kExcerpt = 400;

bool is_response_shaped(const Value& value) {
  return value.find("method") == nullptr && dialogue::has_outcome(value);
}

// What a caller no longer wants answered: as MCP and LSP say it.
std::optional<std::string> given_up_id(const Value& notification) {
  const Value* params = notification.find("params");
  if (params == nullptr) return std::nullopt;
  for (const auto* name : {"requestId", "id"}) {
    const Value* id = params->find(name);
    if (id != nullptr) return dialogue::id_key(*id);
  }
  return std::nullopt;
}

// What breaks the framing, or stands behind a byte order mark (RFC 8259 §8.1), may hold a message
// for who reads it leniently; words alone do not.
bool may_hold_message(const TrafficEvent& event) {
  return event.kind == TrafficEvent::Kind::violation ||
         event.message.text().find_first_of("{[") != std::string::npos;
}

}  // namespace

TrafficShown TrafficJudge::TrafficRules::take(const TrafficEvent& event) {
  shown_ = {};
  event_ = &event;
  answers_unread_ = false;
  auto& connection = connection_of(event);
  switch (event.kind) {
    case TrafficEvent::Kind::message:
      take_message(connection);
      break;
    case TrafficEvent::Kind::violation:
    case TrafficEvent::Kind::noise:
      take_violation(connection);
      break;
    case TrafficEvent::Kind::closed:
      take_close(connection);
      break;
    case TrafficEvent::Kind::lost:
      connection.is_lossy = true;
      elsewhere_.is_lossy = true;
      break;
    case TrafficEvent::Kind::given_up:
      give_up_all();
      connections_.erase(key_of(event));
      break;
  }
  return std::move(shown_);
}

void TrafficJudge::TrafficRules::forget(std::size_t connection) {
  auto each = connections_.lower_bound({connection, 0});
  while (each != connections_.end() && each->first.first == connection) each = forget(each);
}

void TrafficJudge::TrafficRules::end() {
  for (auto each = connections_.begin(); each != connections_.end();) each = forget(each);
  count_unanswered(elsewhere_);
  elsewhere_ = {};
}

TrafficJudge::TrafficRules::Key TrafficJudge::TrafficRules::key_of(const TrafficEvent& event) {
  return {event.connection, event.exchange ? *event.exchange + 1 : 0};
}

WatchedConnection& TrafficJudge::TrafficRules::connection_of(const TrafficEvent& event) {
  if (connections_.size() > kMostConnections) {
    evicted_ = std::max(evicted_, connections_.begin()->first);
    forget(connections_.begin());
  }
  const Key key = key_of(event);
  auto& connection = connections_[key];
  if (!context_.is_from_the_beginning || key <= evicted_) connection.is_lossy = true;
  return connection;
}

TrafficJudge::TrafficRules::Connections::iterator TrafficJudge::TrafficRules::forget(
    Connections::iterator connection) {
  count_unanswered(connection->second);
  return connections_.erase(connection);
}

void TrafficJudge::TrafficRules::count_unanswered(const WatchedConnection& connection) {
  for (const Side side : {Side::client, Side::server}) {
    const auto& asked = connection.asked[place_of(side)];
    counts_[place_of(side)].unanswered += asked.calls.open().size();
  }
}

std::string TrafficJudge::TrafficRules::requirement_of(Side side, const std::string& id) {
  return side == Side::server || id.starts_with("cl-") ? id : "cl-response";
}

void TrafficJudge::TrafficRules::exercise(Side side, const std::string& id) {
  exercised_[place_of(side)].insert(requirement_of(side, id));
}

void TrafficJudge::TrafficRules::add(Side side, Finding finding, const std::string& call) {
  finding.requirement = requirement_of(side, finding.requirement);
  shown_.findings.push_back({side, std::move(finding), event_->at, event_->connection, call});
}

void TrafficJudge::TrafficRules::charge(Side side, const std::string& requirement, Fault fault,
                                        const std::string& call) {
  judge(side, call, [&](Charger& charger) { charger.charge(requirement, std::move(fault)); });
}

void TrafficJudge::TrafficRules::warn(Side side, const std::string& requirement, Fault fault,
                                      const std::string& call) {
  judge(side, call, [&](Charger& charger) {
    charger.charge_as(corpus::Verdict::warn, requirement, std::move(fault));
  });
}

void TrafficJudge::TrafficRules::take_message(WatchedConnection& connection) {
  const Side side = event_->side;
  if (event_->http_status != 0) return take_http_response(connection);
  if (side == Side::client && event_->is_binary) connection.client_sends_binary = true;
  ++counts_[place_of(side)].messages;
  if (side == Side::server) judge_carriage(connection);
  if (is_on_stream()) note_stream(connection);
  if (!judge_text_of(connection)) return;
  take_value(connection, *event_->message.value());
}

bool TrafficJudge::TrafficRules::judge_text_of(WatchedConnection& connection) {
  const auto& message = event_->message;
  // RFC 8259 lets parsers refuse such texts, and read them in several ways.
  const bool is_unread = message.value() == nullptr || json::is_contested(*message.value());
  is_contested_ = is_unread;
  if (message.text().size() > kLargeMessage || is_unread) {
    ++asked_by(connection, event_->side).excuses;
  }
  if (is_unread) ++asked_by(connection, event_->side).unread;
  if (is_unread && event_->side == Side::client) connection.is_provoked = true;
  if (is_unread && event_->side == Side::server) connection.server_says_else = true;
  if (message.is_beyond_limits()) {
    connection.is_lossy = true;
    return false;
  }
  judge(event_->side, {}, [&](Charger& charger) {
    if (event_->side == Side::client) return judge_request_text(message, charger);
    judge_text(message, charger);
  });
  return message.value() != nullptr;
}

void TrafficJudge::TrafficRules::judge_carriage(WatchedConnection& connection) {
  dialogue::Exchange exchange;
  exchange.replies.push_back({event_->message});
  exchange.replies.back().in_several_lines = event_->in_several_lines;
  judge(Side::server, {}, [&](Charger& charger) {
    if (!binding_of(connection).noise.empty()) charger.exercise(binding_of(connection).noise);
    judge_framing(exchange, binding_of(connection), charger);
  });
  if (!binding_of(connection).is_upgrade || connection.client_sends_binary) return;
  judge(Side::server, {}, [&](Charger& charger) {
    charger.exercise("ws-text");
    if (!event_->is_binary) return;
    charger.charge("ws-text",
                   {Symptom::reply_binary, "a text message", to_visible(event_->message.text())});
  });
}

void TrafficJudge::TrafficRules::take_violation(WatchedConnection& connection) {
  auto& asked = asked_by(connection, event_->side);
  ++asked.excuses;
  if (may_hold_message(*event_)) ++asked.unread;
  if (event_->side == Side::client) {
    connection.is_provoked = true;
    return charge(Side::client, "cl-req-json",
                  {Symptom::framing_broken,
                   "messages in the framing of the transport",
                   to_visible(event_->message.text()),
                   {},
                   event_->note});
  }
  connection.server_says_else = true;
  dialogue::Exchange exchange;
  exchange.noise.push_back({event_->message.text(), event_->note});
  judge(Side::server, {},
        [&](Charger& charger) { judge_framing(exchange, binding_of(connection), charger); });
}

void TrafficJudge::TrafficRules::take_value(WatchedConnection& connection, const Value& value) {
  const Side side = event_->side;
  const bool is_response = is_response_shaped(value);
  if (side == Side::server && is_response) ++connection.responses;
  if (side == Side::server && !is_response) connection.server_says_else = true;
  if (value.is(Kind::array)) return take_array(connection, value);
  if (is_response) {
    take_response(connection, value, false);
    return;
  }
  if (side == Side::client || value.find("method") != nullptr) {
    return take_request(connection, value, 0);
  }
  if (value.is(Kind::object)) {
    take_response(connection, value, false);
    return;
  }
  charge(side, "res-object", {Symptom::not_one_object, "an Object", shown(value)});
}

void TrafficJudge::TrafficRules::take_array(WatchedConnection& connection, const Value& array) {
  const Side side = event_->side;
  const auto& elements = array.children();
  const bool answers = std::ranges::any_of(elements, is_response_shaped);
  if (answers || (elements.empty() && side == Side::server)) {
    return take_batch_of_responses(connection, array);
  }
  ++counts_[place_of(side)].batches;
  auto& asked = asked_by(connection, side);
  if (side == Side::client) {
    exercise(side, "cl-bat-not-empty");
    exercise(side, "cl-bat-flat");
  }
  if (elements.empty()) {
    ++asked.excuses;
    return charge(side, "cl-bat-not-empty", {Symptom::batch_empty, "at least one Request", "[]"});
  }
  const std::size_t batch = ++asked.last_batch;
  ++asked.excuses;  // batches may be refused as a whole
  const std::size_t calls = asked.calls.open().size();
  for (const auto& each : elements) take_element(connection, each, batch);
  if (asked.calls.open().size() == calls && asked.excuses_in_batch[batch] == 0) {
    asked.has_batch_of_notifications = true;
  }
}

void TrafficJudge::TrafficRules::take_element(WatchedConnection& connection, const Value& element,
                                              std::size_t batch) {
  const Side side = event_->side;
  if (element.is(Kind::object)) return take_request(connection, element, batch);
  ++asked_by(connection, side).excuses_in_batch[batch];
  if (side == Side::server) return;
  charge(side, "cl-bat-flat", {Symptom::element_not_object, "an Object", shown(element)});
}

void TrafficJudge::TrafficRules::take_request(WatchedConnection& connection, const Value& request,
                                              std::size_t batch) {
  const Side side = event_->side;
  auto& asked = asked_by(connection, side);
  const auto& text = event_->message.text();
  const bool is_right =
      judge(side, {}, [&](Charger& charger) { judge_request(request, side, charger); });
  const Value* id = request.find("id");
  const auto key = dialogue::id_key(id);
  if (!is_right || (id != nullptr && !key)) {
    ++(batch == 0 ? asked.excuses : asked.excuses_in_batch[batch]);
  }
  if (id == nullptr) return take_notification(connection, request, batch);
  ++counts_[place_of(side)].calls;
  if (!key) return;
  auto& calls = is_on_stream() ? asked_elsewhere(side).calls : asked.calls;
  const bool is_alone = calls.add(
      {++serial_, *key, json::write(*id), json::text_of(request.find("method")).substr(0, 200),
       to_visible(text, kExcerpt), event_->at, batch, request.find("jsonrpc") == nullptr,
       // It may be refused with id null, or answered with another.
       !is_right || is_contested_});
  if (side == Side::server) return;
  exercise(side, "cl-id-unique");
  if (is_alone) return;
  charge(
      side, "cl-id-unique",
      {Symptom::request_id_in_flight, "an id that no call in flight has", shown(request), "/id"});
}

void TrafficJudge::TrafficRules::take_notification(WatchedConnection& connection,
                                                   const Value& notification, std::size_t batch) {
  auto& asked = asked_by(connection, event_->side);
  ++counts_[place_of(event_->side)].notifications;
  ++asked.notifications;
  if (batch != 0) asked.batches_with_notifications.insert(batch);
  const bool is_order = json::text_of(notification.find("method")) == "exit";
  if (is_order && event_->side == Side::client && !event_->exchange) note_order_to_end(connection);
  if (const auto key = given_up_id(notification)) {
    asked.calls.give_up(*key);
    if (event_->exchange) give_up(*key);
  }
}

TrafficJudge::TrafficJudge(TrafficContext context)
    : rules_(std::make_unique<TrafficRules>(context)) {}
TrafficJudge::TrafficJudge(TrafficJudge&&) noexcept = default;
TrafficJudge::~TrafficJudge() = default;

TrafficShown TrafficJudge::take(const TrafficEvent& event) { return rules_->take(event); }
void TrafficJudge::use(const wire::Binding& binding, std::size_t connection) {
  rules_->use(binding, connection);
}
void TrafficJudge::forget(std::size_t connection) { rules_->forget(connection); }
void TrafficJudge::end() { rules_->end(); }
const std::set<std::string>& TrafficJudge::exercised(Side side) const {
  return rules_->exercised(side);
}
const TrafficCounts& TrafficJudge::counts(Side side) const { return rules_->counts(side); }

const std::set<std::string>& shown_by_traffic(Side side) {
  static const std::set<std::string> of_server = [] {
    std::set<std::string> ids = {"id-echo",
                                 "res-always",
                                 "res-once",
                                 "bat-array",
                                 "bat-each",
                                 "bat-all-notifications",
                                 "ntf-silent",
                                 "ntf-silent-unknown-method",
                                 "ntf-silent-invalid-params",
                                 "ntf-silent-application-error",
                                 "ntf-silent-in-batch",
                                 "ws-close-code",
                                 "std-clean",
                                 "std-one-line",
                                 "lsp-length",
                                 "lsp-header-syntax",
                                 "tcp-framing",
                                 "tcp-line-delimiter",
                                 "tcp-length-prefix"};
    for (const auto& each : envelope_requirements()) {
      if (!each.needs_cause) ids.emplace(each.id);
    }
    return ids;
  }();
  static const std::set<std::string> of_client = {
      "cl-req-json",   "cl-req-version",   "cl-req-method",
      "cl-req-params", "cl-req-members",   "cl-req-duplicate-members",
      "cl-id-type",    "cl-id-not-null",   "cl-id-no-fraction",
      "cl-id-unique",  "cl-bat-not-empty", "cl-bat-flat",
      "cl-response",   "cl-server-call",   "cl-no-answer-to-answer"};
  return side == Side::server ? of_server : of_client;
}

}  // namespace jrpcheck::judge
