#include "judge/traffic/traffic_judge.hpp"

#include "base/bytes.hpp"
#include "json/contested.hpp"
#include "judge/envelope.hpp"
#include "judge/envelope_1_0.hpp"
#include "judge/on_the_wire.hpp"
#include "judge/request.hpp"
#include "judge/traffic/rules.hpp"

namespace jrpcheck::judge {
namespace {

using dialogue::Side;
using dialogue::TrafficEvent;
using json::Kind;
using json::Value;

// What is larger a server may refuse unread: the tightest limits that are common are those of
// Python's StreamReader and Go's bufio.Scanner.
constexpr std::size_t kLargeMessage = 1U << 16;
constexpr std::size_t kMostRefusals = 10'000;

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
  answers_unread_ = answers_repeated_ = false;
  keep_within_memory();
  auto& connection = connection_of(event);
  told_ = &connection.told;
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
    case TrafficEvent::Kind::upgraded:
      take_upgrade();
      break;
    case TrafficEvent::Kind::lost:
      lose(connection);
      elsewhere_.is_lossy = true;
      if (event.connection == dialogue::kAnyConnection) lose_all();
      break;
    case TrafficEvent::Kind::given_up:
      give_up_all();
      connections_.erase(key_of(event));
      break;
  }
  return std::move(shown_);
}

std::string TrafficJudge::TrafficRules::requirement_of(Side side, const std::string& id) const {
  if (side == Side::client) return id.starts_with("cl-") ? id : "cl-response";
  return speaks_1_0() ? std::string(requirement_in_1_0(id)) : id;
}

void TrafficJudge::TrafficRules::exercise(Side side, const std::string& id) {
  exercised_[place_of(side)].insert(requirement_of(side, id));
}

void TrafficJudge::TrafficRules::add(Side side, Finding finding, const std::string& call) {
  finding.requirement = requirement_of(side, finding.requirement);
  const auto is_alike = [&](const TrafficFinding& each) {
    return each.side == side && each.finding.requirement == finding.requirement &&
           each.finding.severity == finding.severity;
  };
  auto& findings = shown_.findings;
  if (findings.size() >= kMostFindingsAtOnce && std::ranges::any_of(findings, is_alike)) return;
  // Whoever reads what a client has answered wants to know to what.
  const bool is_answer =
      side == Side::client && event_->side == side &&
      (finding.requirement == "cl-response" || finding.requirement == "cl-no-answer-to-answer");
  const auto& about = is_answer && call.empty() && told_ != nullptr ? *told_ : call;
  findings.push_back({side, std::move(finding), event_->at, event_->connection, about});
  if (is_earlier_) findings.back().message = event_->message.text();
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
  if (goes_on(connection)) return;
  if (side == Side::client && event_->is_binary) connection.client_sends_binary = true;
  if (side == Side::client) connection.silence = {};
  // The lines of one message come at once.
  const bool in_lines = binding_of(connection).wrong_length.empty();
  if (side == Side::client && in_lines) charge_cut(connection, Side::server);
  ++counts_[place_of(side)].messages;
  if (side == Side::server) {
    connection.told = to_visible(event_->message.text(), kExcerpt);
    judge_carriage(connection);
  }
  if (is_on_stream()) note_stream(connection);
  if (!judge_text_of(connection)) return;
  take_value(connection, *event_->message.value());
}

void TrafficJudge::TrafficRules::note_what_may_be_refused(WatchedConnection& connection) {
  const auto& message = event_->message;
  const Value* value = message.value();
  auto& asked = asked_by(connection, event_->side);
  refusal_ = 0;
  if (value == nullptr) {
    ++asked.excuses;
    ++asked.unread;
    asked_by(connection, dialogue::other(event_->side)).calls.doubt();
    note_nameless_answer(connection);
  } else if (json::is_refusable(*value) || message.text().size() > kLargeMessage) {
    refusal_ = ++serial_;
    asked.refusals.insert(refusal_);
    if (asked.refusals.size() > kMostRefusals) asked.refusals.erase(asked.refusals.begin());
  } else {
    return;
  }
  if (event_->side == Side::client) {
    connection.provoke(serial_);
  } else {
    connection.server_says_else = true;
  }
}

bool TrafficJudge::TrafficRules::judge_text_of(WatchedConnection& connection) {
  const auto& message = event_->message;
  note_what_may_be_refused(connection);
  if (message.is_beyond_limits()) {
    lose(connection);
    return false;
  }
  const bool is_charged = take_reply_to_nothing(connection);
  if (note_cut(connection, is_charged) || is_charged) return false;
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
    judge_framing(exchange, {}, binding_of(connection), charger);
  });
  if (!binding_of(connection).is_upgrade || connection.client_sends_binary) return;
  judge(Side::server, {}, [&](Charger& charger) {
    charger.exercise("ws-text");
    if (!event_->is_binary) return;
    charger.charge("ws-text",
                   {Symptom::reply_binary, "a text message", to_visible(event_->message.text())});
  });
}

void TrafficJudge::TrafficRules::note_unread(WatchedConnection& connection) {
  auto& asked = asked_by(connection, event_->side);
  ++asked.excuses;
  if (may_hold_message(*event_)) {
    ++asked.unread;
    asked_by(connection, dialogue::other(event_->side)).calls.doubt();
  }
  if (event_->side == Side::client) {
    connection.provoke(serial_);
  } else {
    connection.server_says_else = true;
  }
}

void TrafficJudge::TrafficRules::take_violation(WatchedConnection& connection) {
  if (goes_on(connection)) return;
  note_unread(connection);
  if (event_->side == Side::client) {
    return charge(Side::client, "cl-req-json",
                  {Symptom::framing_broken,
                   "messages in the framing of the transport",
                   to_visible(event_->message.text()),
                   {},
                   event_->note});
  }
  note_unreadable_answer(connection);
  const auto& binding = binding_of(connection);
  dialogue::Exchange exchange;
  // What breaks lines is the last one, which has no end.
  const bool is_last_line =
      event_->kind == TrafficEvent::Kind::violation && !binding.several_lines.empty();
  if (is_last_line) exchange.unfinished = event_->message.text();
  if (!is_unframed(exchange)) exchange.noise.push_back({event_->message.text(), event_->note});
  judge(Side::server, {}, [&](Charger& charger) { judge_framing(exchange, {}, binding, charger); });
}

void TrafficJudge::TrafficRules::note_unreadable_answer(WatchedConnection& connection) {
  auto& calls = asked_by(connection, dialogue::other(event_->side)).calls;
  bool has_come = false;
  if (const auto answer = message_within(event_->message.text())) {
    for (const auto& key : dialogue::id_keys_of(*answer)) has_come |= calls.put_aside(key);
  }
  const bool is_broken = event_->kind == TrafficEvent::Kind::violation;
  if (!has_come && is_broken && may_hold_message(*event_)) note_nameless_answer(connection);
}

// JSON-RPC 2.0 §4.1: nothing is owed what answers a Notification, so that it could lack it.
bool TrafficJudge::TrafficRules::take_reply_to_nothing(WatchedConnection& connection) {
  const Value* value = event_->message.value();
  const bool is_owed_nothing =
      event_->side == Side::server && !connection.silence.empty() && !connection.is_lossy;
  if (!is_owed_nothing) return false;
  if (value != nullptr && !(is_neither_request_nor_response(*value) && has_no_id(*value))) {
    return false;
  }
  if (value != nullptr) excuse_refusal(connection);
  charge(Side::server, std::string(std::exchange(connection.silence, {})),
         {Symptom::answered, "nothing: a Notification is not answered",
          to_visible(event_->message.text())});
  return true;
}

// A client that serves calls refuses what is no valid Request with -32600 and id null (§5.1, §7).
// Where there is an id that it could read, some echo that.
void TrafficJudge::TrafficRules::excuse_refusal(WatchedConnection& connection) {
  auto& asked = asked_by(connection, event_->side);
  ++asked.excuses;
  if (event_->message.find("id") != nullptr) ++asked.unread;
}

void TrafficJudge::TrafficRules::take_value(WatchedConnection& connection, const Value& value) {
  const Side side = event_->side;
  const bool is_response = is_response_shaped(value);
  if (side == Side::server && is_response) ++connection.responses;
  if (side == Side::server && !is_response) connection.server_says_else = true;
  if (side == Side::server && is_neither_request_nor_response(value)) excuse_refusal(connection);
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
  note_nameless_answer(connection);
  charge(side, "res-object", {Symptom::not_one_object, "an Object", shown(value)});
}

OldCalls old_calls_of(const corpus::Profile& profile) {
  if (profile.family == "bitcoin") {
    return profile.version == "2.0" ? OldCalls::of_bitcoin : OldCalls::of_old_bitcoin;
  }
  return profile.dialect == corpus::Dialect::json_rpc_1_0 ? OldCalls::of_1_0 : OldCalls::wrong;
}

TrafficJudge::TrafficJudge(TrafficContext context)
    : rules_(std::make_unique<TrafficRules>(context)) {}
TrafficJudge::TrafficJudge(TrafficJudge&&) noexcept = default;
TrafficJudge::~TrafficJudge() = default;

TrafficShown TrafficJudge::take(const TrafficEvent& event) { return rules_->take(event); }
void TrafficJudge::use(const wire::Binding& binding, std::size_t connection) {
  rules_->use(binding, connection);
}
TrafficShown TrafficJudge::forget(std::size_t connection) { return rules_->forget(connection); }
TrafficShown TrafficJudge::end() { return rules_->end(); }
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
                                 "bat-empty",
                                 "bat-all-notifications",
                                 "ntf-silent",
                                 "ntf-silent-unknown-method",
                                 "ntf-silent-invalid-params",
                                 "ntf-silent-application-error",
                                 "ntf-silent-in-batch",
                                 "ws-accept",
                                 "ws-subprotocol",
                                 "ws-extension",
                                 "ws-close-code"};
    for (const auto& row : wire::bindings()) {
      for (const auto* binding : {&row, &wire::on_sockets(row)}) {
        for (const auto id : wire::charges_of(*binding)) ids.emplace(id);
      }
    }
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
